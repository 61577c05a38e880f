import type { Unlogged } from "../derive/plan.ts";
import type { Change } from "../model/log.ts";
import type { Note } from "../model/note.ts";
import type { ExcludedPage, PageFile, UnreadablePath } from "../model/resources.ts";
import type { PublishedDocument } from "../write/staging.ts";

/** What a run did to one collection. */
export interface CollectionResult {
  /** The URL that names the collection. */
  readonly url: string;
  readonly title: string | undefined;
  /** The URL of its feed; absent where none is wanted. */
  readonly feed: string | undefined;
  /** The entries this run added to the log, in log order. */
  readonly changes: readonly Change[];
  /** Resources as they stand. */
  readonly resources: number;
  /** Pages with other bytes than before and no entry in the log. */
  readonly unlogged: Unlogged;
  /** Resources that no evidence dates: in the Resource List, not in the log. URLs. */
  readonly undated: readonly string[];
}

/** Everything a run has to say. */
export interface EmitResult {
  readonly status: "published" | "unchanged";
  /** Whether the log was told by history, since nothing was published before. */
  readonly first: boolean;
  /** Nothing was written: the documents are what would have been. */
  readonly dryRun: boolean;
  /** The time of the publication, a W3C datetime; of the last one when nothing changed. */
  readonly datetime: string;
  readonly site: string;
  readonly folder: string;
  /** The URL of the Source Description, where followers begin. */
  readonly sourceDescription: string;
  readonly collections: readonly CollectionResult[];
  readonly documents: readonly PublishedDocument[];
  /** Whether its pages get the links by which followers find the log and the feed. */
  readonly linked: boolean;
  /** Files of pages that were written into. */
  readonly pages: readonly string[];
  readonly excluded: readonly ExcludedPage[];
  /** Files left over from an earlier build: their resources stay as published. */
  readonly stale: readonly PageFile[];
  readonly unreadable: readonly UnreadablePath[];
  /**
   * Pages whose source their builder does not know: of all in a first publication, else of those that
   * changed. URLs.
   */
  readonly unsourced: readonly string[];
  readonly notes: readonly Note[];
}
