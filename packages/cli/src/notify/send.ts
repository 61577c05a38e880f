import { askHost, reasonOfSilence } from "@rs-emit/core";

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
    const answer = await askHost(to, { method: "POST", body, headers, redirect: "manual" });
    if (answer.ok) return { to, about, problem: undefined };
    const text = saidIn(answer);
    return { to, about, problem: `it answers ${answer.status}${text && `: ${text}`}` };
  } catch (error) {
    return { to, about, problem: reasonOfSilence(error) };
  }
}

/** The beginning of what an answer says. */
export function saidIn({ body }: { readonly body: Buffer }): string {
  return body.toString().trim().slice(0, 200);
}
