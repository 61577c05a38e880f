import { hash } from "node:crypto";
import { urlKey } from "@rs-emit/documents";
import type { FeedChange } from "./model.ts";

type Identifiable = Pick<FeedChange, "url" | "kind" | "datetime">;

export type Identified<Change> = Change & {
  /** 32 hexadecimal digits. */
  readonly identity: string;
  readonly relativeUrl: string;
  /** Counts changes with the same URL, instant and kind, from 1. */
  readonly count: number;
};

/** Identifies changes by URL within the collection, instant, kind, and count among equals. */
export function identify<Change extends Identifiable>(
  changes: readonly Change[],
  collection: string,
): Identified<Change>[] {
  const base = normalized(collection);
  const counts = new Map<string, number>();
  return changes.map((change) => {
    const relativeUrl = below(base, normalized(change.url));
    const event = eventIn({ ...change, relativeUrl });
    const count = (counts.get(event) ?? 0) + 1;
    counts.set(event, count);
    return { ...change, identity: digest(`${count} ${event}`), relativeUrl, count };
  });
}

type Event = Pick<Identified<Identifiable>, "relativeUrl" | "datetime" | "kind">;

/** The identity of the change with this count among equals. */
export function identityOf(change: Event, count: number): string {
  return digest(`${count} ${eventIn(change)}`);
}

function eventIn({ relativeUrl, datetime, kind }: Event): string {
  return JSON.stringify([relativeUrl, datetime, kind]);
}

/** Identifies an event in any collection by URL, instant, kind, and count among equals. */
export function eventOf({
  url,
  datetime,
  kind,
  count = 1,
}: Identifiable & { readonly count?: number }): string {
  return digest(JSON.stringify([normalized(url), datetime, kind, ...(count === 1 ? [] : [count])]));
}

/** Equal for all spellings. Omits scheme and collection, so that names stay valid after a move. */
export function relativeUrl(url: string, collection: string): string {
  return below(normalized(collection), normalized(url));
}

/** The first 16 bytes of a text's SHA-256, in hex. */
export function digest(text: string): string {
  return hash("sha256", text, "hex").slice(0, 32);
}

function below(base: string, url: string): string {
  if (url === base) return "./";
  return url.startsWith(base) && base.endsWith("/") ? `./${url.slice(base.length)}` : url;
}

function normalized(url: string): string {
  return urlKey(url).replace(/^https?:(?=\/\/)/, "");
}

// Ids depend only on what they name, so that every program creates the same ids.
/** RFC 4151 requires a date on which the host had its owner. */
const YEAR = "2026";

/**
 * `tag:example.org,2026:changes/moss/2026-11-20T10:00:00Z` is a publication of `https://example.org/moss/`.
 * @param part from 2 on, for changes found after the entry of this name was written
 */
export function entryTag(collection: string, name: string, part = 1): string {
  return `${ownFeedTag(collection)}/${name}${part === 1 ? "" : `/${part}`}`;
}

/** The id of the feed that a site publishes itself: `tag:example.org,2026:changes/moss`. */
export function ownFeedTag(collection: string): string {
  return tag(collection, "changes");
}

export function feedTag(url: string, kind: "collection" | "source" | "everything"): string {
  return `${tag(url, "rs-harvest")}/${kind}`;
}

function tag(url: string, kind: string): string {
  const { hostname, port, pathname, search } = new URL(url);
  // A tag's authority only allows these signs, and no brackets of an IPv6 address.
  const authority = hostname.replace(/[^\w.-]+/g, "-").replace(/^-+|-+$/g, "") || "localhost";
  const path = (pathname + search).replace(/\/$/, "").replace(/[^\w.~!$&'()*+,;=:@/%?-]/g, escaped);
  return `tag:${authority},${YEAR}:${kind}${port === "" ? "" : `:${port}`}${path}`;
}

function escaped(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
