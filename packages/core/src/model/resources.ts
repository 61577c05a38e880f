import { type Link, urlKey } from "@rs-emit/documents";
import type { PageMarks } from "./page-marks.ts";
import type { PageMemory } from "./page-memory.ts";
import type { SiteStatement } from "./site-title.ts";
import type { Statement } from "./statement.ts";

/**
 * In all modules: times are whole UTC seconds since 1970, lengths are bytes, hashes are SHA-256 in hex, paths
 * inside the output folder are relative and use `/`.
 */

interface PageWords {
  readonly title?: string | undefined;
}

export interface PageFacts extends PageWords {
  /** The own content's identity, `scheme:digest`, or `on-demand` for a page that a server makes. */
  readonly content?: string | undefined;
  /** The identity of all tokens without comments, `scheme:digest`. */
  readonly markup?: string | undefined;
}

/** Bytes of a page that are invalid in its charset. */
export interface Undecoded {
  readonly isUnreadable: boolean;
  readonly declared: string;
  /** The charset in which the page was probably saved. */
  readonly likely: string | undefined;
}

/** What a snapshot records of a resource, besides its URL. */
export interface Representation extends PageFacts {
  readonly hash?: string | undefined;
  readonly length?: number | undefined;
  readonly type?: string | undefined;
  readonly links?: readonly Link[] | undefined;
  /** Digest of the page's last published note; see `noteDigest`. */
  readonly noteDigest?: string | undefined;
}

export interface Resource extends Representation {
  readonly url: string;
  readonly collection: string;
  /** Absent where a server makes the page on demand. */
  readonly file: string | undefined;
  /** The page's first headings: one names it where its title does not. */
  readonly headings?: readonly string[] | undefined;
  readonly undecoded?: Undecoded | undefined;
  /** The hash of the page without rs-emit's own lines. */
  readonly original?: string | undefined;
  readonly authorNote?: string | undefined;
  readonly authorMinor?: boolean | undefined;
  readonly blocks?: PageMemory | undefined;
  readonly engines?: string | undefined;
  /** What the page says now and did not say before; absent where it was not read. */
  readonly statements?: readonly Statement[] | undefined;
  /** What the page's head says of it; absent where the page was not read. */
  readonly description?: string | undefined;
}

/** Why a page in the output folder is not a resource. */
export type ExclusionReason =
  | "not-found-page"
  | "noindex"
  | "redirect"
  /** A part of pages, such as an include or a template. */
  | "fragment"
  /** A feed in a file that is named like a page. */
  | "feed"
  | "verification"
  | "option"
  /** The page's data excludes it. */
  | "opted-out"
  /** A server makes it, and the author did not list it. */
  | "on-demand"
  | "no-collection";

export interface ExcludedPage {
  readonly url: string;
  readonly file: string;
  readonly reason: ExclusionReason;
  /** The target URL of a redirect. */
  readonly leadsTo?: string | undefined;
}

export function filesOf(resources: readonly Resource[]): string[] {
  return resources.flatMap(({ file }) => file ?? []);
}

/** Paths start at the host's root. */
export interface PageLinks {
  readonly capabilityList: string;
  readonly feed: { readonly href: string; readonly title: string } | undefined;
}

/** A page that may need other lines of rs-emit than it has. */
export interface UnfinishedPage extends PageFile {
  /** URL of the collection whose changes are shown; absent outside collections. */
  readonly collection: string | undefined;
  /** Other pages lose their links. */
  readonly isResource: boolean;
  /** Of the file as it was read. */
  readonly hash: string;
  /** Where the links of rs-emit are all that a published page has of it, they are not parsed. */
  readonly own: PageMarks | WrittenLinks;
  /** Kept for a builder's pages while the memory limit allows. */
  readonly kept?: KeptPage | undefined;
}

export interface WrittenLinks {
  readonly html: string;
}

export interface KeptPage {
  readonly bytes: Uint8Array;
  readonly readAt: number;
}

export interface Inventory {
  readonly resources: readonly Resource[];
  /** The site's title and language in each home page, by collection URL. */
  readonly stated: ReadonlyMap<string, SiteStatement>;
  readonly excluded: readonly ExcludedPage[];
  /** Files that the builder neither wrote nor copied in this build. */
  readonly stale: readonly PageFile[];
  readonly unreadable: readonly UnreadablePath[];
  readonly missing: readonly string[];
  readonly unmatched: readonly UnmatchedPattern[];
  readonly unfinished: readonly UnfinishedPage[];
  /** Files that need insertions and cannot have them. */
  readonly unfit: readonly string[];
}

export interface UnmatchedPattern {
  readonly option: "include" | "exclude";
  readonly pattern: string;
}

/** A page by its URL and its file in the output folder. */
export interface PageFile {
  readonly url: string;
  readonly file: string;
}

/** A path that cannot have a URL. */
export interface UnreadablePath {
  readonly file: string;
  readonly reason: "link-out" | "linked-folder" | "not-utf-8" | "newline" | "url-too-long";
}

export interface SnapshotEntry extends Representation {
  readonly url: string;
  readonly lastmod?: number | undefined;
  readonly blocks?: PageMemory | undefined;
  readonly engines?: string | undefined;
  readonly headings?: readonly string[] | undefined;
  readonly original?: string | undefined;
  /** When the own content last changed; absent where the list lacks it. */
  readonly changed?: ChangeTime | undefined;
}

export type ChangeTime = number | "unknown";

export function wordsOf({ title }: PageWords): PageWords {
  return { title };
}

export function pageFactsOf(page: PageFacts): PageFacts {
  const { content, markup } = page;
  return { ...wordsOf(page), content, markup };
}

export function representationOf(resource: Representation): Representation {
  const { hash, length, type, links, noteDigest } = resource;
  return { hash, length, type, links, noteDigest, ...pageFactsOf(resource) };
}

export function snapshotEntry(
  resource: Representation &
    Pick<SnapshotEntry, "url" | "blocks" | "engines" | "headings" | "original">,
  lastmod: number | undefined,
  changed?: ChangeTime | undefined,
): SnapshotEntry {
  const { url, blocks, engines, headings, original } = resource;
  const own = { blocks, engines, headings, original };
  return { url, ...representationOf(resource), lastmod, ...own, changed };
}

/** Recorded instead of a hash where a server makes the page. */
export const ON_DEMAND = "on-demand";

/** Whether a later run can recognize a change. */
export function hasDigest({ hash, length, content }: Representation): boolean {
  return content === ON_DEMAND || (hash !== undefined && length !== undefined);
}

const LINK_ATTRIBUTES = ["rel", "href", "type", "pri", "modified", "hash", "length"] as const;

export function hasSameLinks(
  { links: one = [] }: Representation,
  { links: other = [] }: Representation,
): boolean {
  return (
    one.length === other.length &&
    one.every((link, at) => LINK_ATTRIBUTES.every((name) => link[name] === other[at]?.[name]))
  );
}

export type HasPage = (url: string) => boolean;

export function hasPageIn(snapshot: Iterable<Pick<SnapshotEntry, "url">>): HasPage {
  let pages: ReadonlySet<string> | undefined;
  return (url) => {
    pages ??= new Set([...snapshot].map((page) => urlKey(page.url)));
    return pages.has(urlKey(url));
  };
}

export type Version = Pick<Representation, "hash" | "content" | "markup">;

/** `minor`: the content is the same, the markup differs. */
export type Sameness = "same" | "minor" | "full";

/** The only comparison: for continuations, backfill and versions in git. */
export function compareVersions(before: Version, after: Version): Sameness {
  // Many builders write the build time into a comment, so such differences are no changes.
  if (before.hash === after.hash || areSameIdentity(before.markup, after.markup)) return "same";
  return areSameIdentity(before.content, after.content) ? "minor" : "full";
}

/** An option can move a page between a file and a server's answer; its content did not change. */
export function isMadeElsewhere(before: Version, after: Version): boolean {
  return (before.content === ON_DEMAND) !== (after.content === ON_DEMAND);
}

/** The scheme is part of an identity, so different schemes are never equal. */
function areSameIdentity(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other;
}
