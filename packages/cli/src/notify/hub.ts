import { createHash } from "node:crypto";
import { intervalToText, type PublishedChanges, publishedNotifications } from "@rs-emit/core";
import { missingContent, type UntoldChanges } from "./published.ts";
import { post, postForm, type Sent } from "./send.ts";

export interface Hub {
  readonly url: string;
  /** Whether it takes the notifications themselves, instead of fetching the topic. */
  readonly payload: boolean;
}

/** What of a collection a hub was not told. */
export interface HubNews extends UntoldChanges {
  /** In the order of sending; none without changes. */
  readonly notifications: readonly Uint8Array[];
  /** By its digest; absent where the hub knows the feed. */
  readonly feed: string | undefined;
}

/**
 * @param told the digest of the feed that the hub knows; `undefined` tells it in any case
 * @throws {CommandError} if there are changes, and nothing at the topic that a hub could fetch
 */
export async function newsOf(
  folder: string,
  log: PublishedChanges,
  { collection, interval }: UntoldChanges,
  told: string | undefined,
): Promise<HubNews> {
  const { url, topic, hasContent, feed, documents } = collection;
  const isEmpty = topic === undefined || interval.from >= interval.until;
  const notifications = isEmpty ? [] : await publishedNotifications(log, url, interval);
  if (topic !== undefined && notifications.length > 0 && !hasContent) {
    throw missingContent(folder, topic);
  }
  const bytes = documents.find((one) => one.url === feed)?.bytes;
  const digest = bytes && `sha-256:${createHash("sha256").update(bytes).digest("hex")}`;
  return { collection, interval, notifications, feed: told === digest ? undefined : digest };
}

/** A hub that takes the notifications fetches only the feed. */
export async function tellHub(hub: Hub, news: HubNews): Promise<readonly Sent[]> {
  const { url, topic, feed } = news.collection;
  if (topic === undefined && feed === undefined) {
    return [{ to: hub.url, about: url, problem: NO_TOPIC }];
  }
  const sent: Promise<Sent>[] = [];
  if (topic !== undefined && news.notifications.length > 0) {
    const memory = { [url]: intervalToText(news.interval) };
    const told = hub.payload ? submitTo(hub.url, topic, news) : publishTo(hub.url, topic);
    sent.push(told.then((one) => ({ ...one, memory })));
  }
  if (feed !== undefined && news.feed !== undefined) {
    const memory = { [feed]: news.feed };
    sent.push(publishTo(hub.url, feed).then((one) => ({ ...one, memory })));
  }
  return Promise.all(sent);
}

const NO_TOPIC =
  "it has neither a feed nor notification.xml, which a hub fetches. Publish with the option hub, and deploy.";

/** Asks a WebSub hub to fetch a topic again. */
function publishTo(hub: string, url: string): Promise<Sent> {
  return postForm(hub, url, { "hub.mode": "publish", "hub.url": url, "hub.topic": url });
}

/** Sends in order (Change Notification 1.0.1, section 4.1) up to a failure: later ones would hide it. */
async function submitTo(
  hub: string,
  topic: string,
  { collection: { capabilityList }, notifications }: HubNews,
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
