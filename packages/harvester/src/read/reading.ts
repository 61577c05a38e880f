import type { Entry, Head } from "@rs-emit/documents";
import type { HarvestError } from "../errors.ts";
import type { FetchError } from "../http/errors.ts";
import type { StatedChange, Validators } from "../model.ts";
import type { Ignored } from "./change.ts";

/** What is remembered of a document that was read before. */
export interface RememberedDocument {
  /** The address it is named by. */
  readonly url: string;
  readonly validators: Validators;
  /** SHA-256 of its bytes, in hex. */
  readonly hash: string;
  /**
   * What it said; of a list of changes, which may be long, without its entries. None where it is no
   * ResourceSync document.
   */
  readonly outline: Outline | undefined;
  /** A list of changes that was read whole and was closed: it is never asked for again. */
  readonly isClosed: boolean;
}

/** A document of bounded size, without what nobody asks for. Its addresses are absolute. */
export interface Outline extends Pick<Head, "root" | "metadata" | "links"> {
  /** Where it came from, after all redirects. */
  readonly base: string;
  /** Of a list with changes that are still to come: when the first of them may be told. UTC seconds. */
  readonly ripe?: number;
  readonly entries: readonly Entry[];
}

/**
 * What a check found out about a source, before any of it counts.
 *
 * What `documents` holds is remembered, and is not told again while it stays as it is. So all of
 * it must be taken in one transaction, and all that these documents told is in this reading.
 */
export interface Reading {
  /** Where its Source Description is; permanent redirects lead to `movedTo`. */
  readonly descriptionUrl: string;
  readonly movedTo: string | undefined;
  /** The URLs of all documents that tell of the source as a whole (`describedby`). */
  readonly describedBy: readonly string[];
  readonly collections: readonly CollectionReading[];
  /** Documents that were read anew, and how they will be known. */
  readonly documents: readonly RememberedDocument[];
  /**
   * A failure of the host amid the reading: it asked to be left alone, or did not answer. What was read
   * counts, and the lists that were not are among `unreadLists`; collections of which nothing could be
   * asked have it as their `problem`.
   */
  readonly interruption?: FetchError;
}

/** What a check found out about a collection (IFCC-0001: what a Capability List describes). */
export interface CollectionReading {
  /** Its name within the source: its URL, relative to the folder of the site where it is below that. */
  readonly key: string;
  /** The URL that identifies it (`describes`). */
  readonly url: string;
  readonly capabilityListUrl: string;
  readonly describedBy: readonly string[];
  /** Where its changes are pushed from (Change Notification 1.0.1). */
  readonly notification: NotificationChannel | undefined;
  /** The lists that were read this time. */
  readonly lists: readonly ListReading[];
  /** Every list that the collection names now, whether it was read or not. */
  readonly listUrls: readonly string[];
  /** Since when the log claims to be whole; unknown where nothing says so. */
  readonly from: number | undefined;
  /** Lists that wait for the next check, since this one has read enough. */
  readonly unreadLists: number;
  /** How many entries of the lists that were read are no changes. */
  readonly ignored: IgnoredCounts;
  /**
   * What kept it from being read. Nothing of it counts then: it has no lists, and no document of its own
   * is in `Reading.documents`, or what that document told would never be asked for again.
   */
  readonly problem?: HarvestError;
  /** What its author should know although it could be read, in plain words. */
  readonly notes?: readonly string[];
}

/** How many entries were ignored, by the reason. */
export type IgnoredCounts = Readonly<Partial<Record<Ignored, number>>>;

/** A Change List that was read whole. */
export interface ListReading {
  readonly url: string;
  readonly from: number | undefined;
  readonly changes: readonly StatedChange[];
}

/** A channel of pushed changes. */
export interface NotificationChannel {
  /** The topic (`self`). */
  readonly topic: string;
  readonly hub: string;
}
