import type { Entry, Head } from "@rs-emit/documents";
import type { HarvestError } from "../errors.ts";
import type { FetchError } from "../http/errors.ts";
import type { ListedChange, Validators } from "../model.ts";

export interface RememberedDocument {
  readonly url: string;
  readonly validators: Validators;
  /** SHA-256 in hex. */
  readonly hash: string;
  /** Without the entries of a change list. Absent for other documents, such as descriptions. */
  readonly summary: DocumentSummary | undefined;
  /** A closed list that was read whole: it is never requested again. */
  readonly isClosed: boolean;
}

/** A document of bounded size, reduced to what is used, with absolute URLs. */
export interface DocumentSummary extends Pick<Head, "root" | "metadata" | "links"> {
  /** After redirects. */
  readonly base: string;
  /** UTC seconds: when the first future change of a list may be reported. */
  readonly reportableAt?: number;
  readonly entries: readonly Entry[];
  /** Entries without `loc`, which were left out. */
  readonly missingLocs?: number;
}

/** A collection as a Source Description lists it. */
export interface ListedCollection {
  readonly capabilityListUrl: string;
  readonly describes: readonly string[];
  readonly describedBy: readonly string[];
  /** The Source Description names no other. */
  readonly isOnly: boolean;
}

/** Record it in one transaction: what `documents` holds is not read again while unchanged. */
export interface Reading {
  readonly descriptionUrl: string;
  readonly movedTo: string | undefined;
  readonly describedBy: readonly string[];
  readonly collections: readonly CollectionReading[];
  readonly documents: readonly RememberedDocument[];
  /**
   * What was read counts. Other lists are in `unreadLists`; unread collections have a `problem`.
   */
  readonly interruption?: FetchError;
}

export interface CollectionReading {
  /** Its URL, relative to the site's folder if below it. */
  readonly key: string;
  readonly url: string;
  readonly capabilityListUrl: string;
  readonly describedBy: readonly string[];
  /** Where changes are pushed (Change Notification 1.0.1). */
  readonly notification: NotificationChannel | undefined;
  readonly lists: readonly ListReading[];
  readonly listUrls: readonly string[];
  /** Its Resource List, or the index of that. */
  readonly resourceListUrl?: string | undefined;
  readonly unreadLists: number;
  readonly ignored: IgnoredCounts;
  /** None of the collection's documents is in `Reading.documents`: it must be read again. */
  readonly problem?: HarvestError;
  /** Why a list below its index could not be read. What was read counts. */
  readonly listProblem?: HarvestError;
  /** For its author, in plain words. */
  readonly notes?: readonly string[];
}

export type IgnoredCounts = Readonly<Partial<Record<Ignored, number>>>;

export interface ListReading {
  readonly url: string;
  /** It says what a publication is: its changes of one datetime. */
  readonly hasPublications?: boolean;
  /** It has changes that are dated beyond tomorrow, which wait for their day. */
  readonly isPartial?: boolean;
  readonly changes: readonly ListedChange[];
}

export interface NotificationChannel {
  readonly topic: string;
  readonly hub: string;
}

/** Why changes are left out. A time that is there and cannot be read is "misdated". */
export const IGNORED = ["undated", "misdated", "unknown", "foreign", "future"] as const;

export type Ignored = (typeof IGNORED)[number];
