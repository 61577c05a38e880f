/** The collections of a source as its documents name them: by URL, with the publication that added each. */
import { formatDatetime, parseDatetime } from "@rs-emit/documents";

/** A collection as the Source Description and the Capability Lists name it. */
export interface ListedCollection {
  /** The collection's URL; ends with a slash. */
  readonly url: string;
  /** The publication that added it, UTC seconds. */
  readonly since: number;
}

/** Oldest first, so that the same collections always give the same bytes. */
export function byAge(one: ListedCollection, other: ListedCollection): number {
  return one.since - other.since || (one.url < other.url ? -1 : 1);
}

/** A collection by its URL below the site's: `""` or `"shrine/"`. */
export interface Sibling {
  readonly path: string;
  readonly since: number;
}

/** The site's own URL, below itself. */
const SITE = "./";

/**
 * The other collections of a source as the value of one attribute: the datetime of each publication,
 * before the URLs that it added, relative to the site's. Every Capability List holds them all, so
 * that it stays short: `2026-10-05T12:00:00Z ./ gallery/ 2026-11-05T12:00:00Z shrine/`.
 */
export function siblingsToAttribute(site: string, siblings: readonly ListedCollection[]): string {
  const words: string[] = [];
  let last: number | undefined;
  for (const { url, since } of siblings.toSorted(byAge)) {
    if (since !== last) words.push(formatDatetime(since));
    words.push(url.slice(site.length) || SITE);
    last = since;
  }
  return words.join(" ");
}

/**
 * The collections that such an attribute names; `undefined` where a URL has no datetime before it.
 *
 * @throws {DatetimeError}
 */
export function attributeToSiblings(value: string): readonly Sibling[] | undefined {
  const siblings: Sibling[] = [];
  let since: number | undefined;
  for (const word of value.split(" ").filter((one) => one !== "")) {
    if (!word.endsWith("/")) since = parseDatetime(word).seconds;
    else if (since === undefined) return undefined;
    else siblings.push({ path: word === SITE ? "" : word, since });
  }
  return siblings;
}
