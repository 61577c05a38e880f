import type { IdentifiedChange } from "./identified.ts";
import { type GoneChanges, replacements } from "./redated.ts";

/** What is known of the changes that a reading of a collection states. */
export interface KnownChanges extends GoneChanges {
  /** In the lists that were read. */
  readonly listed: readonly IdentifiedChange[];
  /** Those of them that were never seen before, each once, the oldest first. */
  readonly unseen: readonly IdentifiedChange[];
  /** Whether a change is from before the first reading, and is not reported. */
  readonly isPast: (change: IdentifiedChange) => boolean;
}

export interface Selection {
  /** To be reported, the oldest first. */
  readonly changes: readonly IdentifiedChange[];
  /** Where the log was re-dated: the gone changes, by the identities of those that replace them, which are not reported. */
  readonly replaced: ReadonlyMap<string, string>;
}

/**
 * Selects the changes of a reading that no entry has. Whatever was never seen is reported, however late. Only where a log
 * was re-dated, its changes with new dates are not.
 */
export function selectNew(known: KnownChanges): Selection {
  const { listed, unseen, isPast } = known;
  const unknown = new Set(unseen.map(({ identity }) => identity));
  const standing = listed.filter(({ identity }) => !unknown.has(identity));
  const replaced = replacements(unseen, standing, known);
  const changes = unseen.filter((change) => !isPast(change) && !replaced.has(change.identity));
  return { changes, replaced };
}

/** Changes that were never seen before: each once, though two lists have it; the oldest first. */
export function unseenIn(
  listed: readonly IdentifiedChange[],
  seen: Pick<ReadonlySet<string>, "has">,
): IdentifiedChange[] {
  const unseen = new Map(
    listed.filter(({ identity }) => !seen.has(identity)).map((one) => [one.identity, one]),
  );
  return [...unseen.values()].sort((one, other) => one.datetime - other.datetime);
}
