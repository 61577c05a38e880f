import type { HarvestError } from "../errors.ts";
import type { Descriptions } from "../read/description/descriptions.ts";
import type { Reading } from "../read/reading.ts";
import type { StoredDocuments } from "../store/document.ts";
import type { SourceEnd, SourceRow } from "../store/source.ts";

/** What a check found out, before any of it counts. */
export interface Finding {
  /** Where the Source Description is; unknown where it was not found. */
  readonly descriptionUrl: string | undefined;
  /** What was read, unless something kept all of it from being read. */
  readonly read: { readonly reading: Reading; readonly descriptions: Descriptions } | undefined;
  /** What went wrong with the source, or with a part of it. */
  readonly error: HarvestError | undefined;
  /** What was remembered of its documents when the check began. */
  readonly remembered: StoredDocuments;
  /** The hosts that asked to be left alone, and until when. */
  readonly busy: ReadonlyMap<string, number>;
}

/** A check that was made and is to be recorded. */
export interface Outcome {
  /** The source as it was when its host was taken. */
  readonly source: SourceRow;
  /** Of the taking. */
  readonly token: string;
  readonly finding: Finding;
}

/** What a check read of a source. */
export interface SourceReading {
  readonly source: SourceEnd;
  readonly remembered: StoredDocuments;
  readonly reading: Reading;
  readonly descriptions: Descriptions;
}

/** What came of a check. */
export type CheckResult =
  | {
      readonly kind: "checked";
      /** Changes that entries tell now. */
      readonly told: number;
      /** No document was other than remembered. */
      readonly isUnchanged: boolean;
      /** It has many lists, and the next check goes on with them. */
      readonly hasUnread: boolean;
      /** What the source's author should know, where lists were read. */
      readonly notes: readonly string[];
      readonly nextCheck: number;
    }
  | {
      readonly kind: "failed";
      readonly error: HarvestError;
      /** Changes of the collections that could be read. */
      readonly told: number;
      readonly notes: readonly string[];
      readonly nextCheck: number | undefined;
    }
  /** Somebody else checks it, its host asked to be left alone, or the harvester stops. */
  | { readonly kind: "postponed"; readonly until: number }
  /** It is the same site as one that is followed already. */
  | { readonly kind: "merged"; readonly into: number };
