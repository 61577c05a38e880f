import { type Link, urlKey } from "@rs-emit/documents";
import type { Statement } from "../news/statement.ts";
import type { Digest } from "./digest.ts";
import type { PageMarks } from "./page-marks.ts";
import type { SiteStatement } from "./site-title.ts";

/**
 * In every module, times are whole UTC seconds since 1970, lengths are bytes, hashes are SHA-256 in
 * hex, and paths inside the output folder are relative and use `/`.
 */

interface PageWords {
  readonly title?: string | undefined;
}

export interface PageFacts extends PageWords {
  /** The own content's identity, `scheme:digest`; `on-demand` for a page that a server makes. */
  readonly content?: string | undefined;
  /** The identity of the tokens without comments, `scheme:digest`. */
  readonly markup?: string | undefined;
}

/** What the bytes of a page say that do not fit its charset. */
export interface Undecoded {
  /** Whether so much is lost that the page cannot be read. */
  readonly isUnreadable: boolean;
  /** The charset that it was read in. */
  readonly declared: string;
  /** The charset that it may be saved in. */
  readonly likely: string | undefined;
}

/** How a page that was read says what it says. */
export interface PageManner {
  /** Absent where all text could be decoded. */
  readonly undecoded?: Undecoded | undefined;
  /** It only links other frames. */
  readonly isFrameMenu?: true | undefined;
}

/** What a snapshot records of a resource, besides its URL. */
export interface Representation extends PageFacts {
  readonly hash?: string | undefined;
  readonly length?: number | undefined;
  /** The media type without parameters. */
  readonly type?: string | undefined;
  readonly links?: readonly Link[] | undefined;
  /** Digest of the last published note of the page; see `noteDigest`. */
  readonly noteDigest?: string | undefined;
}

export interface Resource extends Representation, PageManner {
  readonly url: string;
  readonly collection: string;
  /** Absent where a server makes the page on demand. */
  readonly file: string | undefined;
  /** The first heading of a page that was read, where its title is another page's, too. */
  readonly heading?: string | undefined;
  /** Absent where the page was not read. */
  readonly authorNote?: string | undefined;
  readonly authorMinor?: boolean | undefined;
  /** See `news/memory.ts`; absent where nothing is remembered. */
  readonly blocks?: string | undefined;
  /** See `engines.ts`. */
  readonly engines?: string | undefined;
  /** What it says that it did not say at the last publication; absent where it was not read. */
  readonly statements?: readonly Statement[] | undefined;
  /** Its description, and the first lines that readers see; absent where it was not read. */
  readonly introduction?: readonly string[] | undefined;
}

/** Why a page in the output folder is not a resource. */
export type ExclusionReason =
  | "not-found-page"
  | "noindex"
  | "redirect"
  /** A part of pages, such as an include or a template. */
  | "fragment"
  | "verification"
  | "option"
  /** By the page's data. */
  | "opted-out"
  /** A server makes it, and the author did not list it. */
  | "on-demand"
  | "no-collection";

export interface ExcludedPage {
  readonly url: string;
  readonly file: string;
  readonly reason: ExclusionReason;
  /** Of a redirect: the URL that it leads to. */
  readonly leadsTo?: string | undefined;
}

export function filesOf(resources: readonly Resource[]): string[] {
  return resources.flatMap(({ file }) => file ?? []);
}

/** Paths from the host's root. */
export interface PageLinks {
  readonly capabilityList: string;
  readonly feed: { readonly href: string; readonly title: string } | undefined;
}

export interface UnfinishedPage extends PageFile {
  /** The URL of the collection whose changes it lists; absent where it is in none. */
  readonly collection: string | undefined;
  /** How many changes its longest list holds; 0 without a list. */
  readonly limit: number;
  /** Whether it shows when its content changed. */
  readonly isDated: boolean;
  /** `none` removes links; absent leaves them as they are. */
  readonly links: PageLinks | "none" | undefined;
  /** When its content changed, as published; UTC seconds. */
  readonly changed?: number | undefined;
  /** The digest of its bytes as they were read. */
  readonly hash: string;
  /** With its links and that date. */
  readonly completed: CompletedPage;
  /** Where its marks stand in those bytes. */
  readonly marks: PageMarks;
}

export interface CompletedPage extends Digest {
  /** Kept for the pages of a builder, as far as memory is meant for them. */
  readonly kept?: KeptPage | undefined;
}

export interface KeptPage {
  readonly bytes: Uint8Array;
  /** Milliseconds since 1970: when the file was read. */
  readonly readAt: number;
}

export interface Inventory {
  readonly resources: readonly Resource[];
  /** What home pages state of their sites, by collection URL. */
  readonly stated: ReadonlyMap<string, SiteStatement>;
  readonly excluded: readonly ExcludedPage[];
  /** Files that the builder neither wrote nor copied this time. */
  readonly stale: readonly PageFile[];
  readonly unreadable: readonly UnreadablePath[];
  readonly missing: readonly string[];
  readonly unmatched: readonly UnmatchedPattern[];
  readonly unfinished: readonly UnfinishedPage[];
  readonly linkedFiles: readonly PageFile[];
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
  /** What is remembered of the own content; see `news/memory.ts`. */
  readonly blocks?: string | undefined;
  /** What the page tells search engines; see `engines.ts`. */
  readonly engines?: string | undefined;
  /** When the own content last changed; absent where the list lacks it. */
  readonly changed?: ChangeTime | undefined;
}

/** UTC seconds. */
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
  resource: Representation & Pick<SnapshotEntry, "url" | "blocks" | "engines">,
  lastmod: number | undefined,
  changed?: ChangeTime | undefined,
): SnapshotEntry {
  const { url, blocks, engines } = resource;
  return { url, ...representationOf(resource), lastmod, blocks, engines, changed };
}

/** Recorded instead of a hash where a server makes a page on demand. */
export const ON_DEMAND = "on-demand";

/** Whether a later change can be recognized. */
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

/** Whether a URL is a page of the site. */
export type HasPage = (url: string) => boolean;

export function hasPageIn(snapshot: Iterable<Pick<SnapshotEntry, "url">>): HasPage {
  let pages: ReadonlySet<string> | undefined;
  return (url) => {
    pages ??= new Set([...snapshot].map((page) => urlKey(page.url)));
    return pages.has(urlKey(url));
  };
}
