export interface Sent {
  readonly to: string;
  readonly about: string;
  /** Absent if accepted. */
  readonly problem: string | undefined;
  /** What the folder remembers once it is accepted. */
  readonly memory?: Readonly<Record<string, string>>;
}

export function pingTo(address: string, site: string): Promise<Sent> {
  return postForm(address, site, { url: site });
}

/** As text, so that `fetch` adds no charset to the type: strict servers refuse it. */
export function postForm(
  to: string,
  about: string,
  form: Readonly<Record<string, string>>,
): Promise<Sent> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return post(to, about, new URLSearchParams(form).toString(), headers);
}

export async function post(
  to: string,
  about: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Promise<Sent> {
  try {
    const response = await fetch(to, {
      method: "POST",
      body,
      headers: { "user-agent": "rs-emit", ...headers },
      redirect: "manual",
      signal: AbortSignal.timeout(30_000),
    });
    const text = (await response.text()).trim().slice(0, 200);
    if (response.ok) return { to, about, problem: undefined };
    return { to, about, problem: `it answers ${response.status}${text && `: ${text}`}` };
  } catch (error) {
    return { to, about, problem: causeOf(error) };
  }
}

/** Why a request had no answer: `fetch` hides the reason in the error's cause. */
export function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
