import type { Change } from "../model/log.ts";
import type { Unlogged } from "../model/plan.ts";
import type { Inventory } from "../model/resources.ts";
import type { Note } from "../model/sentence.ts";
import type { PublishedDocument } from "../write/staging.ts";

export interface PublishedFiles {
  readonly documents: readonly PublishedDocument[];
  readonly lostPackages: readonly LostPackages[];
  readonly sitemap: SitemapState | undefined;
}

/** Published packages of a Change Dump that are missing or broken. */
export interface LostPackages {
  /** The collection's URL. */
  readonly url: string;
  readonly names: readonly string[];
}

/** What a run did to one collection. */
export interface CollectionResult {
  readonly url: string;
  readonly title: string | undefined;
  /** The URL of its feed; absent with `feed: false`. */
  readonly feed: string | undefined;
  /** The feed's title, which the collection's pages may provide where no option does. */
  readonly feedTitle: string;
  /** The entries that this run added to the log, in log order. */
  readonly changes: readonly Change[];
  /** How many resources the collection has now. */
  readonly resources: number;
  /** Pages with other bytes than before and no entry in the log. */
  readonly unlogged: Unlogged;
  /** URLs of resources without a date: in the Resource List, not in the log. */
  readonly undated: readonly string[];
}

/** What a run did. */
export interface EmitResult extends Pick<Inventory, "excluded" | "stale" | "unreadable"> {
  readonly status: "published" | "unchanged";
  /** Whether this is a first publication, so the log came from history. */
  readonly first: boolean;
  /** Nothing was written; the result is that of a real run. */
  readonly dryRun: boolean;
  /** The time of the publication, a W3C datetime; the last publication's time when nothing changed. */
  readonly datetime: string;
  readonly site: string;
  readonly folder: string;
  /** The URL of the Source Description. */
  readonly sourceDescription: string;
  readonly collections: readonly CollectionResult[];
  readonly documents: readonly PublishedDocument[];
  /** Paths of documents that differ from the published ones, although the log has nothing new: a digest was due. */
  readonly rewritten: readonly string[];
  /** Whether its pages get links to the log and the feed. */
  readonly linked: boolean;
  /** Files of pages that rs-emit wrote into. */
  readonly pages: readonly string[];
  /** URLs of pages without a known source file: all in a first publication, else changed ones. */
  readonly unsourced: readonly string[];
  readonly notes: readonly Note[];
}

export interface SitemapState {
  readonly url: string;
  readonly pages: number;
  readonly isNamed: boolean;
  readonly isNew: boolean;
  /** Other sitemaps, found in robots.txt and the output folder. */
  readonly others: readonly string[];
}
