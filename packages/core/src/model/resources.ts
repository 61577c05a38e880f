import type { Link } from "@rs-emit/documents";
import type { Digest } from "./digest.ts";

/**
 * The words of the data flow as types. Times are whole UTC seconds since 1970; lengths are bytes;
 * paths inside the output folder are relative and use `/`.
 */

/** What a page says of itself: every change of it carries this. */
export interface PageWords {
  readonly title?: string | undefined;
}

/** What the bytes of a page tell: its words, and by what two versions of it are compared. */
export interface PageFacts extends PageWords {
  /**
   * Identity of the page's own content, `scheme:digest`; `on-demand` where a server makes it; absent
   * where a resource is no page.
   */
  readonly content?: string | undefined;
  /** Identity of the page's tokens without comments, `scheme:digest`; absent where it is no page. */
  readonly markup?: string | undefined;
}

/** What a snapshot remembers of a resource, besides its URL, as far as it is known. */
export interface Representation extends PageFacts {
  /** SHA-256 of the bytes, in hex. */
  readonly hash?: string | undefined;
  readonly length?: number | undefined;
  /** Media type without parameters. */
  readonly type?: string | undefined;
  /** Links to related resources (ResourceSync 1.1, section 14). */
  readonly links?: readonly Link[] | undefined;
  /** Digest of the author's note that followers were last told of the page; see `noteDigest`. */
  readonly noteDigest?: string | undefined;
}

/** A resource of the site as it stands. */
export interface Resource extends Representation {
  readonly url: string;
  /** The URL of the collection it belongs to. */
  readonly collection: string;
  /** The file in the output folder; absent where a server makes the page on demand. */
  readonly file: string | undefined;
  /** The author's note in the page or its data; unknown where the page was not read. */
  readonly authorNote?: string | undefined;
  /** Whether the author calls changes of the page minor. */
  readonly authorMinor?: boolean | undefined;
}

/** Why a page in the output folder is not a resource. */
export type ExclusionReason =
  | "not-found-page"
  | "noindex"
  | "redirect"
  /** By the option `exclude`. */
  | "option"
  /** By the page itself, as its builder says. */
  | "opted-out"
  /** It belongs to no configured collection. */
  | "no-collection";

/** A page that stands in the output folder and is not a resource. */
export interface ExcludedPage {
  readonly url: string;
  readonly file: string;
  readonly reason: ExclusionReason;
}

/** The files of resources that have one. */
export function filesOf(resources: readonly Resource[]): string[] {
  return resources.flatMap(({ file }) => file ?? []);
}

/** What the pages of a collection link, by paths from the host's root. */
export interface PageLinks {
  readonly capabilityList: string;
  readonly feed: { readonly href: string; readonly title: string } | undefined;
}

/** A page that rs-emit writes into, or may have to. */
export interface UnfinishedPage extends PageFile {
  /** The URL of the collection whose changes it lists. */
  readonly collection: string;
  /** How many changes its longest list holds; 0 without a list. */
  readonly limit: number;
  /** The links that it shall have: `none` where it is no resource; absent where they are left alone. */
  readonly links: PageLinks | "none" | undefined;
  /** SHA-256 of its bytes as they were read, in hex. */
  readonly hash: string;
  /** The digest of its bytes with these links. */
  readonly linked: Digest;
}

/** Everything the inventory found in the output folder. */
export interface Inventory {
  /** By URL. */
  readonly resources: readonly Resource[];
  /** Pages that are no resources, by an option or a rule. */
  readonly excluded: readonly ExcludedPage[];
  /** Files the builder neither wrote nor copied this time. */
  readonly stale: readonly PageFile[];
  /** Links that are not followed, and names that cannot be read. */
  readonly unreadable: readonly UnreadablePath[];
  /** Folders of collections that are not there. */
  readonly missing: readonly string[];
  /** Patterns that match no file. */
  readonly unmatched: readonly UnmatchedPattern[];
  /** Pages to be written into. */
  readonly unfinished: readonly UnfinishedPage[];
  /** Pages that are links to files, and cannot be written into by themselves. */
  readonly linkedFiles: readonly PageFile[];
  /** Files of pages that should be written into, and cannot be. */
  readonly unfit: readonly string[];
}

/** A pattern of an option that matches no file. */
export interface UnmatchedPattern {
  readonly option: "include" | "exclude";
  readonly pattern: string;
}

/** A page by its URL and its file in the output folder. */
export interface PageFile {
  readonly url: string;
  readonly file: string;
}

/** Something in the folder that no URL can be given to. */
export interface UnreadablePath {
  readonly file: string;
  readonly reason: "link-out" | "linked-folder" | "not-utf-8" | "newline" | "url-too-long";
}

/** What the last publication said of a resource. */
export interface SnapshotEntry extends Representation {
  readonly url: string;
  readonly lastmod?: number | undefined;
}

/** The words of a page, and nothing else that is known of it. */
export function wordsOf({ title }: PageWords): PageWords {
  return { title };
}

/** What the bytes of a page tell, and nothing else that is known of it. */
export function pageFactsOf(page: PageFacts): PageFacts {
  const { content, markup } = page;
  return { ...wordsOf(page), content, markup };
}

/** A representation, and nothing else that is known of a resource. */
export function representationOf(resource: Representation): Representation {
  const { hash, length, type, links, noteDigest } = resource;
  return { hash, length, type, links, noteDigest, ...pageFactsOf(resource) };
}

/** What a snapshot says of a resource. */
export function snapshotEntry(
  resource: Representation & { readonly url: string },
  lastmod: number | undefined,
): SnapshotEntry {
  return { url: resource.url, ...representationOf(resource), lastmod };
}

/** What a snapshot remembers instead of a hash where a server makes a page on demand. */
export const ON_DEMAND = "on-demand";

/** Whether enough is remembered of a resource to tell a change of it. */
export function hasDigest({ hash, length, content }: Representation): boolean {
  return content === ON_DEMAND || (hash !== undefined && length !== undefined);
}

/** Whether nothing but comments and unseen white space differs. */
export function hasSameMarkup({ markup }: SnapshotEntry, resource: Resource): boolean {
  return markup !== undefined && markup === resource.markup;
}

/** Whether two representations have the same links, in the same order. */
export function hasSameLinks(
  { links: one = [] }: Representation,
  { links: other = [] }: Representation,
): boolean {
  return (
    one.length === other.length &&
    one.every(({ rel, href, type, pri }, at) => {
      const link = other[at];
      return link?.rel === rel && link.href === href && link.type === type && link.pri === pri;
    })
  );
}

/** Identities of different schemes are never equal: the scheme is part of them. */
export function hasSameContent({ content }: SnapshotEntry, resource: Resource): boolean {
  return content !== undefined && content === resource.content;
}
