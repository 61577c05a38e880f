import { type Entry, urlKey } from "@rs-emit/documents";
import type { Catalogue } from "@rs-emit/feeds";
import type { Collection } from "./collections.ts";
import type { Digest } from "./digest.ts";
import type { Change } from "./log.ts";
import type { PageMarks } from "./page-marks.ts";
import type { CollectionPublication, ImportedLog, Publication } from "./publication.ts";
import type { ChangeTime, KeptPage, PageFile, PageLinks, SnapshotEntry } from "./resources.ts";

/** Pages with a new state in the snapshot and no entry in the log. */
export interface Unlogged {
  /** Only comments or invisible white space differ. */
  readonly sameMarkup: number;
  readonly links: number;
  /** Only what rs-emit remembers of the pages differs, because options changed. */
  readonly renewed: number;
}

export interface CollectionWork {
  readonly collection: Collection;
  /** Collections that are no longer configured stay listed. */
  readonly configured: boolean;
  readonly published: CollectionPublication | undefined;
  /** The imported log that the collection's first publication continues. */
  readonly imported?: ImportedLog | undefined;
  readonly derived: Derived;
  readonly unlogged?: Unlogged;
  readonly time: number;
  readonly previous: number | undefined;
  readonly since: number;
  /** False: the published documents are copied. */
  readonly changed: boolean;
  readonly excluded: string | undefined;
}

export interface Plan {
  readonly first: boolean;
  /** The last publication's time when nothing changed. */
  readonly time: number;
  readonly present: number;
  readonly collections: readonly CollectionWork[];
  readonly others: readonly Entry[];
  readonly published: Publication | undefined;
  readonly undated: readonly string[];
  readonly pages: readonly FinishedPage[];
  /** The clock was behind the last publication. */
  readonly clockCorrected: boolean;
  /** How many pages only replaced words, if these are most of a collection's pages; else 0. */
  readonly reworded?: number;
  readonly past?: KnownPast;
}

export interface KnownPast {
  readonly history: "git" | "files";
  readonly origin: OriginKind;
  readonly undated: readonly UndatedPage[];
  /** Files of dated pages that list other pages. */
  readonly madeOfOthers: readonly string[];
  readonly unreadVersions: number;
}

/** Why a source file belongs to a page: the builder says so, paths match, or the files are the same. */
export type OriginKind = "stated" | "matched" | "own";

export interface UndatedPage {
  readonly file: string;
  readonly reason: UndatedReason;
}

export type UndatedReason =
  | "no-commits"
  | "no-source"
  | "no-time"
  | "shared"
  | "outside"
  | "within"
  | "untracked";

export interface Derived {
  readonly changes: readonly Change[];
  readonly snapshot: readonly SnapshotEntry[];
}

/** What a publication says, before it is written into pages. */
export interface Draft {
  /** A collection's log in pieces, newest first, with the draft's changes. */
  readonly logOf: (collection: string) => AsyncIterable<readonly Change[]>;
  /** When a page's own content changed. */
  readonly changedAt: (url: string) => ChangeTime | undefined;
}

export interface Insertions {
  /** `none` removes the links; absent leaves them as they are. */
  readonly links: PageLinks | "none" | undefined;
  /** Renders the newest changes of the collection; absent where the run updates no lists. */
  readonly latest: ((place: ListPlace) => string) | undefined;
  readonly changed?: number | undefined;
  /** Of the site's language; else English. */
  readonly words?: Catalogue | undefined;
}

/** A page whose own lines change, and its digest with the new ones. */
export interface FinishedPage extends Digest, PageFile {
  readonly insertions: Insertions;
  readonly marks: PageMarks;
  /** A link to another file is not written, but has the bytes of its target. */
  readonly isLink: boolean;
  readonly kept?: KeptPage | undefined;
}

export interface ListPlace {
  /** The base URL of the page's relative links. */
  readonly base: string;
  readonly limit: number;
  readonly hasQuotes: boolean;
}

interface Digested {
  readonly url: string;
  readonly hash?: string | undefined;
  readonly length?: number | undefined;
}

export function withFinishedDigests(
  pages: readonly FinishedPage[],
): <Known extends Digested>(known: Known) => Known {
  const finished = new Map(pages.map((page) => [urlKey(page.url), page]));
  return (known) => {
    const page = known.hash === undefined ? undefined : finished.get(urlKey(known.url));
    return page === undefined ? known : { ...known, hash: page.hash, length: page.length };
  };
}
