/**
 * Attributes of rs-emit's namespace: what it must remember and no vocabulary has. `docs/format.md` says what
 * each attribute promises to other versions.
 *
 * - `content` on an entry: the identity of a page's own content, `scheme:digest`; the last one of a deleted page
 * - `markup` on an entry: the identity of a page's tokens without comments, `scheme:digest`; likewise
 * - `note` on an entry: a digest of the page's last published note
 * - `blocks` on an entry of a Resource List: what is remembered of a page's own content; see `memory.ts`
 * - `quotes` on an entry of a Change List: what an updated page says now; see `quotesToAttribute`
 * - `changed` on an entry of a Resource List: when the page's own content last changed; empty if unknown.
 *   On an entry of a Change List: when it changed with a minor change, or before a page was withdrawn
 * - `engines` on an entry of a Resource List: what the page says to search engines; see `engines.ts`
 * - `moved` on an entry of a Change List: the page's other entry, relative to this one's URL
 * - `publication` on a Change List, its index or a notification: the time of the publication that wrote
 *   it; there, changes with the same datetime are one publication
 * - `format` on an index: the format's number; absent for the first
 * - `previous` on an index: the time of the previous publication, if there is one
 * - `id` on an index: the collection's first URL, from which its feed's ids are made
 * - `snapshot` on an index: the SHA-256 of the Resource List that belongs to it
 * - `excluded` on a Resource List: digests of its excluded pages
 * - `since` on an entry of the Source Description: rs-emit wrote the entry, since that publication; on a
 *   Capability List: the publication that added its collection
 * - `option` on an entry of the Source Description: that option added the entry
 * - `adopted` on a Change List: its entries are the imported log
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
 * This version writes this format and reads none newer. Raise it only where an older version must not
 * continue. A new attribute that older versions may ignore needs no new number.
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

/** Relative to the site's URL: `""` or `"shrine/"`. */
interface Sibling {
  readonly path: string;
  readonly since: number;
}

const SITE = "./";

/**
 * Each publication's datetime, then the URLs that it added: `2026-10-05T12:00:00Z ./ gallery/`. It is short
 * because every Capability List has it.
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

/** @returns `undefined` where no datetime precedes a URL */
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

/** The limit of recorded pages. A page beyond it that becomes a resource is reported as `created`. */
const MOST = 10_000;

/** A digest, since the URL may not be public. */
export function excludedDigest(url: string): string {
  return createHash("sha256").update(urlKey(url)).digest("hex").slice(0, 12);
}

export function noteDigest(note: string): string {
  return createHash("sha256").update(note).digest("hex").slice(0, 12);
}

/** Pages below the collection's URL, and pages in no collection, which no other document records. */
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
