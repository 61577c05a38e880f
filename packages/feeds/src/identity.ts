import { hash } from "node:crypto";
import { type ChangeKind, urlKey } from "@rs-emit/documents";

/** What a change is known by. */
export interface Identifiable {
  readonly url: string;
  readonly kind: ChangeKind;
  /** UTC seconds. */
  readonly datetime: number;
}

/** A change with its identity. */
export type Identified<Change> = Change & {
  /** 32 hexadecimal digits. */
  readonly identity: string;
  /** The resource's identity, of the same form. */
  readonly resource: string;
};

/**
 * Gives the changes of one list their identities: URL within the collection, instant, kind, and the
 * count among equals in the list (design, "The harvester").
 *
 * @param collection the collection's URL
 */
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

/**
 * A resource's name within its collection, the same for all spellings: what follows the collection's
 * URL, or its whole URL where it does not lie below that. Without the scheme: a site that moves from
 * `http:` to `https:`, or to another address, keeps its names.
 */
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

/** What spellings of a URL have in common, whatever scheme of the web it has. */
function normalized(url: string): string {
  return urlKey(url).replace(/^https?:(?=\/\/)/, "");
}
