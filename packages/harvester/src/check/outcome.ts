import { NotFoundError } from "../discover/discover.ts";
import type { HarvestError } from "../errors.ts";
import type { Descriptions } from "../read/description/descriptions.ts";
import type { Reading } from "../read/reading.ts";
import type { StoredDocuments } from "../store/document.ts";
import type { SourceEnd, SourceRow } from "../store/source.ts";
import type { ListsFinding } from "./check-lists.ts";

export interface Finding {
  readonly descriptionUrl: string | undefined;
  /** Absent if nothing could be read. */
  readonly read: { readonly reading: Reading; readonly descriptions: Descriptions } | undefined;
  readonly error: HarvestError | undefined;
  readonly remembered: StoredDocuments;
  /** What came of its lists of pages, where they are compared. */
  readonly lists?: ListsFinding | undefined;
  /** UTC seconds by host, from `Retry-After`. */
  readonly busy: ReadonlyMap<string, number>;
}

export interface Outcome {
  /** As it was when the lease began. */
  readonly source: SourceRow;
  readonly token: string;
  readonly finding: Finding;
}

export interface SourceReading {
  readonly source: SourceEnd;
  readonly remembered: StoredDocuments;
  readonly reading: Reading;
  readonly descriptions: Descriptions;
}

/** A check that compared lists of pages. What followers should know is in its notes. */
export interface Compared {
  /** More than half of the pages are missing, and a person has to decide. */
  readonly isHeld: boolean;
}

/** A check that found a re-dated log. */
export interface Redated {
  /** Changes that are not told, since they look like changes with other dates that were told before. */
  readonly changes: number;
  /** For followers. */
  readonly notice: string;
}

export type CheckResult =
  | {
      readonly kind: "checked";
      /** Changes in new entries. */
      readonly told: number;
      /** Every document is as remembered. */
      readonly isUnchanged: boolean;
      readonly hasUnread: boolean;
      /** For the source's author; present where lists were read. */
      readonly notes: readonly string[];
      readonly redated?: Redated;
      readonly compared?: Compared;
      readonly nextCheck: number;
    }
  | {
      readonly kind: "failed";
      readonly error: HarvestError;
      readonly told: number;
      readonly notes: readonly string[];
      readonly redated?: Redated;
      readonly compared?: Compared;
      readonly nextCheck: number | undefined;
    }
  /** Another worker checks it, its host asked to wait, or the harvester stops. */
  | { readonly kind: "postponed"; readonly until: number }
  /** The site is already followed as another source. */
  | { readonly kind: "merged"; readonly into: number };

/** Whether a source publishes a Change List, as far as a check knows; `undefined` if it was never read. */
export function tellsChanges(
  source: Pick<SourceRow, "tells_changes">,
  { read, error, lists }: Pick<Finding, "read" | "error" | "lists">,
): boolean | undefined {
  if (error instanceof NotFoundError || lists !== undefined) return false;
  if (read?.reading.collections.some(({ listUrls }) => listUrls.length > 0)) return true;
  if (read !== undefined && error === undefined) return false;
  return source.tells_changes === null ? undefined : source.tells_changes === 1;
}
