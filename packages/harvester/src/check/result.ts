import type { HarvestError } from "../errors.ts";

/** A check that compared lists of pages. What followers should know is in its notes. */
export interface Compared {
  /** More than half of the pages are missing, and a person has to decide. */
  readonly awaitsConfirmation: boolean;
}

/** A check that found a re-dated log. */
export interface Redated {
  /** Changes that are not reported, since they look like changes with other dates that were reported before. */
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
