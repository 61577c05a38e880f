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
  const topics = [topic?.url, feed].filter((url) => url !== undefined);
  return Promise.all(
    topics.map((url) =>
      post(
        hub,
        url,
        new URLSearchParams({ "hub.mode": "publish", "hub.url": url, "hub.topic": url }),
      ),
    ),
  );
}

/** Sends the notification itself to a hub (Change Notification 1.0.1, section 4.1). */
export async function submitTo(
  hub: string,
  { topic, capabilityList }: PublishedCollection,
): Promise<Sent[]> {
  if (topic === undefined) return [];
  const links = [
    `<${topic.url}>; rel="self"`,
    `<${hub}>; rel="hub"`,
    `<${capabilityList}>; rel="resourcesync"`,
  ];
  const headers = { "content-type": "application/xml", link: links.join(", ") };
  return [await post(hub, topic.url, new Uint8Array(topic.bytes), headers)];
}

export function pingTo(address: string, site: string): Promise<Sent> {
  return post(address, site, new URLSearchParams({ url: site }));
}

async function post(
  to: string,
  about: string,
  body: URLSearchParams | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
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
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { to, about, problem: cause instanceof Error ? cause.message : String(cause) };
  }
}
