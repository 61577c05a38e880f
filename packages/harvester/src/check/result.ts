import type { HarvestError } from "../errors.ts";

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
      readonly nextCheck: number;
    }
  | {
      readonly kind: "failed";
      readonly error: HarvestError;
      /** Changes of the collections that could be read. */
      readonly told: number;
      readonly nextCheck: number | undefined;
    }
  /** Somebody else checks it, its host asked to be left alone, or the harvester stops. */
  | { readonly kind: "postponed"; readonly until: number }
  /** It is the same site as one that is followed already. */
  | { readonly kind: "merged"; readonly into: number };
