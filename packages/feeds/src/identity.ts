import { hash } from "node:crypto";
import { type ChangeKind, urlKey } from "@rs-emit/documents";

export interface Identifiable {
  readonly url: string;
  readonly kind: ChangeKind;
  /** UTC seconds. */
  readonly datetime: number;
}

export type Identified<Change> = Change & {
  /** 32 hexadecimal digits. */
  readonly identity: string;
  readonly resource: string;
};

/** Identifies changes by URL within the collection, instant, kind, and count among equals. */
export function identify<Change extends Identifiable>(
  changes: readonly Change[],
  collection: string,
): Identified<Change>[] {
  const base = normalized(collection);
  const counts = new Map<string, number>();
  return changes.map((change) => {
    const url = below(base, normalized(change.url));
    const event = JSON.stringify([url, change.datetime, change.kind]);
    const count = (counts.get(event) ?? 0) + 1;
    counts.set(event, count);
    return { ...change, identity: digest(`${count} ${event}`), resource: digest(url) };
  });
}

/** Equal for all spellings. Omits scheme and collection, so that names survive a move. */
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
