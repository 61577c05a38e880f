import { HarvestError, type Transport } from "@rs-emit/reader";
import type { Transaction } from "kysely";
import type { IdentifiedChange } from "../changes/identified.ts";
import type { CollectionRow, CollectionState } from "../store/check/collection.ts";
import type { Database, Published, Schema } from "../store/schema.ts";
import type { SourceRow } from "../store/source.ts";
import type { Harvester } from "./harvester.ts";
import type { Effort } from "./processor-time.ts";

/**
 * Follows sites without a Change List by what else they publish. Checks, the command and the pages know of it what stands
 * here, and nothing else. Change Lists are not read by one.
 */
export interface OtherReader {
  /**
   * Reads a site, and compares it with what is known.
   *
   * @throws {NothingToReadError} if it has nothing that could be read
   * @throws {HarvestError} if that could not be read
   */
  read(harvester: Harvester, asked: Asked): Promise<Observation>;
  /**
   * Looks for what a site publishes that is not read.
   *
   * @returns `undefined` if that cannot be known, since a request failed
   */
  suggest(transport: Transport, address: string): Promise<Besides | undefined>;
  /** Another source that was followed so, and is the site whose Source Description a source has found now. */
  sourceAt(
    database: Database,
    source: SourceRow,
    descriptionUrl: string,
  ): Promise<number | undefined>;
  /**
   * What a Change List takes over from here; `undefined` where nothing was observed.
   *
   * @param changes those in the list that were never seen
   */
  handOver(
    database: Database,
    source: number,
    changes: readonly IdentifiedChange[],
  ): Promise<HandOver | undefined>;
  /** How a source is followed; `undefined` where nothing was observed yet. */
  describe(database: Database, source: number, now: number): Promise<Overview | undefined>;
  /** A person has decided what only a person can decide: that what is missing is gone. */
  choose(database: Database, source: number, now: number): Promise<void>;
}

/** What a check asks another reader for. */
export interface Asked {
  readonly source: SourceRow;
  readonly transport: Transport;
  /** Counts the processor time that is spent on other things than reading. */
  readonly effort: Effort;
  /** Reads only what is said to have changed. */
  readonly isQuick: boolean;
  /** Requests everything anew. */
  readonly isUnconditional: boolean;
  /** Resource Lists that the site's own documents name. */
  readonly named: readonly string[];
  /** The site was searched for a Change List. */
  readonly isSearched: boolean;
}

/** What another reader has read of a site. Nothing of it is stored yet. To be disposed of when the check is stored. */
export interface Observation extends Disposable {
  /** Why some of it could not be read. */
  readonly problem: HarvestError | undefined;
  /** Another source that reads the same, and began before. */
  duplicateOf(database: Database, source: SourceRow): Promise<number | undefined>;
  /** Stores what is known from now on, but for the collection and its entries. May be called again. */
  keep(transaction: Transaction<Schema>, source: SourceRow, now: number): Promise<Observed>;
}

/** What an observation found. */
export interface Observed {
  /** The collection that its changes belong to, as it was and as it is from now on. */
  readonly before: CollectionRow | undefined;
  readonly row: CollectionState;
  /** What the site is called, where that was asked now. */
  readonly title: string | undefined;
  /** What is reported. */
  readonly changes: readonly IdentifiedChange[];
  /** The harvester's own words on each entry. */
  readonly note: string;
  /** What is said of the site once: that it is followed so from now on. */
  readonly announcement: string | undefined;
  /** What followers should know. */
  readonly notes: readonly string[];
  /** More than half of the pages are missing, and a person has to decide. */
  readonly awaitsConfirmation: boolean;
  readonly isUnchanged: boolean;
  /** There is more than one check reports. */
  readonly hasMore: boolean;
}

/** What a Change List takes over from another reader. */
export interface HandOver {
  /** The collection that ends while there is a Change List. */
  readonly ends: CollectionRow;
  /**
   * Those of the changes in a Change List that followers do not know from it.
   *
   * @param isFirst its lists are not read wholly yet
   */
  newIn(changes: readonly IdentifiedChange[], isFirst: boolean): readonly IdentifiedChange[];
}

/** How a source is followed by another reader. */
export interface Overview {
  /** The addresses that are read. */
  readonly addresses: readonly string[];
  readonly pages: number;
  /** What followers should know. */
  readonly notes: readonly string[];
  /** How many pages are missing, and some of them, where a person has to decide whether they are gone. */
  readonly missing: { readonly pages: number; readonly some: readonly string[] } | undefined;
}

/** What a site without a Change List publishes besides. */
export interface Besides {
  readonly publishes: Published;
  /** The address of its feed, where it publishes no list of its pages. */
  readonly feed?: string | undefined;
}

/** A site without a Change List, and without anything that another reader could read. */
export class NothingToReadError extends HarvestError {
  readonly besides: Besides;

  constructor(fault: ConstructorParameters<typeof HarvestError>[0], besides: Besides) {
    super(fault);
    this.besides = besides;
  }
}
