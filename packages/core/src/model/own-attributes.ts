/**
 * The attributes of our own namespace: what rs-emit must remember and no vocabulary says. What each promises
 * to later and earlier versions: `docs/format.md`.
 *
 * - `content` on an entry: the identity of a page's own content, `scheme:digest`; of a deleted page, what it was
 * - `markup` on an entry: the identity of a page's tokens without comments, `scheme:digest`; of a deleted page, too
 * - `note` on an entry: a digest of the page's last published note
 * - `blocks` on an entry of a Resource List: what is remembered of a page's own content, `scheme:digests`;
 *   see `memory.ts`
 * - `quotes` on an entry of a Change List: what an updated page says now; see `quotesToAttribute`
 * - `changed` on an entry of a Resource List: when the page's own content last changed; empty where that is not known;
 *   on one of a Change List: of a minor change, when the content changed with it; of a page that is withdrawn, had changed
 * - `engines` on an entry of a Resource List: what the page tells search engines; see `engines.ts`
 * - `moved` on an entry of a Change List: the page's other entry, as a reference from this one's URL
 * - `publication` on a Change List, its index or a notification: the time of the publication that wrote
 *   it; there, changes of one datetime are one publication
 * - `format` on an index: the number of the format; absent for the first
 * - `previous` on an index: the time of the publication before; a first publication has none
 * - `id` on an index: the URL that ids in the collection's feed are made from, its first one
 * - `snapshot` on an index: the SHA-256 of the Resource List that belongs to it
 * - `excluded` on a Resource List: digests of its excluded pages
 * - `since` on an entry of the Source Description: it is ours, since that publication; on a Capability
 *   List: the publication that added its collection
 * - `option` on an entry of the Source Description: that option added the entry
 * - `adopted` on a Change List: its entries were written by others, before the first publication
 * - `siblings` on a Capability List: the source's other collections; see `siblingsToAttribute`
 * - `sitemap` on a Capability List: the name of the site's sitemap, where rs-emit writes one
 */
import { createHash } from "node:crypto";
import { DCTERMS, EMIT, formatDatetime, parseDatetime, urlKey, WIKI } from "@rs-emit/documents";
import { byAge, type ListedCollection } from "./collections.ts";
import type { Inventory } from "./resources.ts";
import { isBelow } from "./url.ts";

export const CHANGE_LIST_PREFIXES = { dcterms: DCTERMS, wiki: WIKI, emit: EMIT } as const;
export const RESOURCE_LIST_PREFIXES = { dcterms: DCTERMS, emit: EMIT } as const;
export const INDEX_PREFIXES = { emit: EMIT } as const;

/**
 * The format that this version writes, and the newest that it reads. Raise it only where an older version must
 * not continue; an attribute that it may ignore needs no new number.
 */
export const FORMAT = 1;

/** The first format has no attribute. */
export function formatToAttribute(format: number): string | undefined {
  return format === 1 ? undefined : String(format);
}

/** @returns `undefined` where it is no number of a format */
export function attributeToFormat(value = "1"): number | undefined {
  return /^[1-9]\d*$/.test(value) ? Number(value) : undefined;
}

/** The URL relative to the site's: `""` or `"shrine/"`. */
interface Sibling {
  readonly path: string;
  readonly since: number;
}

/** The site's own URL, relative to itself. */
const SITE = "./";

/**
 * Each publication's datetime, then the URLs that it added: `2026-10-05T12:00:00Z ./ gallery/
 * 2026-11-05T12:00:00Z shrine/`. Short, since every Capability List has it.
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

/** @returns `undefined` where a URL has no datetime before it */
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

/** More are not recorded. One that becomes a resource is `created`, which is true for followers. */
const MOST = 10_000;

/** A digest, since the URL may not be public. */
export function excludedDigest(url: string): string {
  return createHash("sha256").update(urlKey(url)).digest("hex").slice(0, 12);
}

export function noteDigest(note: string): string {
  return createHash("sha256").update(note).digest("hex").slice(0, 12);
}

/** Pages below the collection's URL, and those of no collection, which no other document has. */
export function excludedDigests(inventory: Inventory, collection: string): string | undefined {
  const excluded = inventory.excluded.filter(
    ({ url, reason }) => reason === "no-collection" || isBelow(url, collection),
  );
  return excludedToAttribute(excluded.map(({ url }) => url));
}

function excludedToAttribute(urls: readonly string[]): string | undefined {
  if (urls.length === 0 || urls.length > MOST) return undefined;
  return urls.map(excludedDigest).sort().join(" ");
}

export function attributeToExcluded(value: string | undefined): readonly string[] {
  return value?.split(" ") ?? [];
}
