import { OptionError } from "./errors.ts";
import { urlOf } from "./url.ts";

interface CollectionDescription {
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  readonly description?: string | undefined;
  readonly language?: string | undefined;
  readonly rights?: string | undefined;
}

/**
 * The site's author, language and rights are every collection's defaults; its title and description
 * belong to the one at its root.
 * @throws {OptionError} for a path outside the site, or given twice
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
    if (seen.has(folder)) throw new OptionError("collections", path, "each path once");
    seen.add(folder);
    const { title, description, ...shared } = siteWide;
    const inherited = folder === "" ? { ...shared, title, description } : shared;
    return { url: collectionUrl(site, folder), folder, ...described({ ...inherited, ...own }) };
  });
}

export function describedSite(site: string, words: CollectionDescription): Collection {
  return { url: site, folder: "", ...described(words) };
}

function collectionUrl(site: string, folder: string): string {
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
    throw new OptionError("collections", path, 'a folder of the site, such as "shrine/"');
  }
  return segments.map((segment) => `${segment}/`).join("");
}

function described(words: CollectionDescription): CollectionDescription {
  const { title, author, description, language, rights } = words;
  return { title, author, description, language, rights };
}

/** A set of resources with a Capability List of its own. */
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

export interface ListedCollection {
  readonly url: string;
  /** The publication that added it. */
  readonly since: number;
}

/** Oldest first, so that the same collections always give the same bytes. */
export function byAge(one: ListedCollection, other: ListedCollection): number {
  return one.since - other.since || (one.url < other.url ? -1 : 1);
}
