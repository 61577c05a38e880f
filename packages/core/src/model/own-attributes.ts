/**
 * Attributes of rs-emit's namespace: what it must remember and no vocabulary has. `docs/format.md` lists
 * their forms, meanings, and promises to other versions.
 */
import { createHash } from "node:crypto";
import { DCTERMS, EMIT, formatDatetime, parseDatetime, urlKey, WIKI } from "@rs-emit/documents";
import { byAge, type ListedCollection } from "./collections.ts";
import type { Inventory } from "./resources.ts";
import { isBelow } from "./url.ts";

export const CHANGE_LIST_PREFIXES = { dcterms: DCTERMS, wiki: WIKI, emit: EMIT } as const;
export const RESOURCE_LIST_PREFIXES = { dcterms: DCTERMS, emit: EMIT } as const;
export const INDEX_PREFIXES = { emit: EMIT } as const;

/** Raise it only where an older version must not continue, not for attributes that it may ignore. */
export const FORMAT = 1;

/** The first format has no attribute. */
export function formatToAttribute(format: number): string | undefined {
  return format === 1 ? undefined : String(format);
}

export function attributeToFormat(value = "1"): number | undefined {
  return /^[1-9]\d*$/.test(value) ? Number(value) : undefined;
}

/** Relative to the site's URL: `""` or `"shrine/"`. */
interface Sibling {
  readonly path: string;
  readonly since: number;
}

const SITE = "./";

/** Short, since every Capability List has it: `2026-10-05T12:00:00Z ./ gallery/`. */
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

/** Pages in no collection are in this list, since no other document records them. */
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
