import { formatDatetime, parseDatetime } from "@rs-emit/documents";
import { optionError } from "./errors.ts";
import { urlOf } from "./url.ts";

interface CollectionDescription {
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  readonly description?: string | undefined;
  readonly language?: string | undefined;
  readonly rights?: string | undefined;
  /** The author's own description, which replaces the one that rs-emit writes. */
  readonly describedby?: string | undefined;
}

/**
 * Options of the site are defaults for every collection; title and descriptions belong to the root one.
 * @throws {EmitError} `OPTION`: a path outside the site or listed twice, or an invalid web address
 */
export function parseCollections(
  site: string,
  options: readonly (string | ({ readonly path: string } & CollectionDescription))[],
  siteWide: CollectionDescription,
): Collection[] {
  const given = options.length === 0 ? [""] : options;
  const seen = new Set<string>();
  return given.map((option) => {
    const { path, ...own } = typeof option === "string" ? { path: option } : option;
    const folder = parsePath(path);
    if (seen.has(folder)) throw optionError("collections", path, "each path once");
    seen.add(folder);
    const { title, description, describedby, ...shared } = siteWide;
    const inherited = folder === "" ? siteWide : shared;
    const words = described(site, { ...inherited, ...own });
    return { url: collectionUrl(site, folder), folder, ...words };
  });
}

export function describedSite(site: string, words: CollectionDescription): Collection {
  return { url: site, folder: "", ...described(site, words) };
}

export function collectionUrl(site: string, folder: string): string {
  return folder === "" ? site : urlOf(site, `${folder}index.html`, false);
}

export function deepestFirst(collections: readonly Collection[]): readonly Collection[] {
  return collections.toSorted((one, other) => other.folder.length - one.folder.length);
}

function parsePath(path: string): string {
  const segments = path
    .replaceAll("\\", "/")
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..") || path.includes("://")) {
    throw optionError("collections", path, 'a folder of the site, such as "shrine/"');
  }
  return segments.map((segment) => `${segment}/`).join("");
}

function described(site: string, words: CollectionDescription): CollectionDescription {
  const { title, author, description, language, rights, describedby } = words;
  const own = { title, author, description, language, rights };
  if (describedby === undefined) return own;
  const url = URL.parse(describedby, site);
  if (url !== null && /^https?:$/.test(url.protocol)) return { ...own, describedby: url.href };
  throw optionError("describedby", describedby, "an http or https URL, or a path of the site");
}

/** A set of resources with its own Capability List. */
export interface Collection extends CollectionDescription {
  /** Identifies the collection (IFCC-0001, `rel="describes"`); ends with a slash. */
  readonly url: string;
  /** Below the output folder: `""` or `"shrine/"`. */
  readonly folder: string;
}

export function byDepth(
  collections: readonly Collection[],
): (file: string) => Collection | undefined {
  const sorted = deepestFirst(collections);
  return (file) => sorted.find(({ folder }) => file.startsWith(folder));
}

export interface DatedCollection {
  readonly url: string;
  /** The time of the publication that added the collection. */
  readonly since: number;
}

export interface DescribedCollection extends DatedCollection {
  readonly describedby: string;
}

/** Oldest first, so that the same collections always give the same bytes. */
export function byAge(one: DatedCollection, other: DatedCollection): number {
  return one.since - other.since || (one.url < other.url ? -1 : 1);
}

/** Relative to the site's URL: `""` or `"shrine/"`. */
interface Sibling {
  readonly path: string;
  readonly since: number;
}

const SITE = "./";

/** Short, since every Capability List has it: `2026-10-05T12:00:00Z ./ gallery/`. */
export function siblingsToAttribute(site: string, siblings: readonly DatedCollection[]): string {
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
