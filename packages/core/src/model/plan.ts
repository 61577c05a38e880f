import type { Entry } from "@rs-emit/documents";
import type { Collection } from "./collections.ts";
import type { Change } from "./log.ts";
import type { PageMarks } from "./page-marks.ts";
import type { CollectionPublication, ImportedLog, Publication } from "./publication.ts";
import type { KeptPage, PageFile, SnapshotEntry, UnfinishedPage } from "./resources.ts";

/** Pages whose state differs without an entry in the log. The snapshot has their new state. */
export interface Unlogged {
  /** Only comments or white space that is not visible differ. */
  readonly sameMarkup: number;
  /** Only links to related resources (`rs:ln`) differ. */
  readonly links: number;
  /** Only what is remembered of them differs: the bytes are those that were published, but not the options. */
  readonly renewed: number;
}

export interface CollectionWork {
  readonly collection: Collection;
  /** Collections that are no longer configured stay listed. */
  readonly configured: boolean;
  readonly published: CollectionPublication | undefined;
  /** The log of others that its first publication continues. */
  readonly imported?: ImportedLog | undefined;
  readonly derived: Derived;
  readonly unlogged?: Unlogged;
  /** The publication that its documents describe. */
  readonly time: number;
  readonly previous: number | undefined;
  readonly since: number;
  /** Otherwise the published documents are copied. */
  readonly changed: boolean;
  readonly excluded: string | undefined;
}

export interface Plan {
  readonly first: boolean;
  /** The last publication's time when nothing changed. */
  readonly time: number;
  /** The time of this run, in UTC seconds. */
  readonly present: number;
  readonly collections: readonly CollectionWork[];
  /** Entries of the Source Description that rs-emit did not write. */
  readonly others: readonly Entry[];
  readonly published: Publication | undefined;
  readonly undated: readonly string[];
  readonly pages: readonly FinishedPage[];
  /** The clock was behind the last publication. */
  readonly clockCorrected: boolean;
  /** How many pages say what they said in other words, where these are most of a collection's; else 0. */
  readonly reworded?: number;
  /** Absent in a continuation. */
  readonly past?: KnownPast;
}

/** How well a first publication knows the past. */
export interface KnownPast {
  readonly history: "git" | "files";
  readonly origin: OriginKind;
  readonly undated: readonly UndatedPage[];
  /** Files of dated pages that show others, as lists do. */
  readonly madeOfOthers: readonly string[];
  /** How many old versions could not be read. */
  readonly unreadVersions: number;
}

/** How pages and source files belong together: a builder says so, paths match, or they are the same files. */
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

export interface Insertions {
  readonly links: UnfinishedPage["links"];
  /** Writes the newest changes of the collection; absent where lists are not updated. */
  readonly latest: ((place: ListPlace) => string) | undefined;
  /** When the page's content changed, in UTC seconds; absent where it is not known. */
  readonly changed?: number | undefined;
}

export interface FinishedPage extends PageFile {
  readonly collection: string | undefined;
  readonly insertions: Insertions;
  readonly marks: PageMarks;
  readonly hash: string;
  readonly length: number;
  readonly isChanged: boolean;
  readonly kept?: KeptPage | undefined;
}

/** Where a list of changes stands. */
export interface ListPlace {
  /** The base of the page's relative links. */
  readonly base: string;
  readonly limit: number;
  readonly hasQuotes: boolean;
}
