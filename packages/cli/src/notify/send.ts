import type { PublishedCollection } from "./published.ts";

export interface Sent {
  readonly to: string;
  readonly about: string;
  /** Absent if accepted. */
  readonly problem: string | undefined;
}

/** Asks a WebSub hub to fetch topics again. */
export async function publishTo(
  hub: string,
  { topic, feed }: PublishedCollection,
): Promise<Sent[]> {
  const topics = [topic, feed].filter((url) => url !== undefined);
  return Promise.all(
    topics.map((url) =>
      postForm(hub, url, { "hub.mode": "publish", "hub.url": url, "hub.topic": url }),
    ),
  );
}

/** Sends in order (Change Notification 1.0.1, section 4.1) up to a failure: later ones would hide it. */
export async function submitTo(
  hub: string,
  topic: string,
  capabilityList: string,
  notifications: readonly Uint8Array[],
): Promise<Sent> {
  const links = [`<${topic}>; rel="self"`, `<${hub}>; rel="hub"`];
  const link = [...links, `<${capabilityList}>; rel="resourcesync"`].join(", ");
  const headers = { "content-type": "application/xml", link };
  let sent: Sent = { to: hub, about: topic, problem: undefined };
  for (const bytes of notifications) {
    sent = await post(hub, topic, new Uint8Array(bytes), headers);
    if (sent.problem !== undefined) break;
  }
  return sent;
}

export function pingTo(address: string, site: string): Promise<Sent> {
  return postForm(address, site, { url: site });
}

/** As text, so that `fetch` adds no charset to the type: strict servers refuse it. */
function postForm(to: string, about: string, form: Readonly<Record<string, string>>) {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return post(to, about, new URLSearchParams(form).toString(), headers);
}

async function post(
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
