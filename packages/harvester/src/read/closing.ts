import type { Reference } from "./references.ts";

/** Seconds that a deploy may take from the index to its last list, whatever holds it up: a week. */
const SETTLING = 7 * 86_400;

/** What is known of a list besides what its index says. */
export interface Evidence {
  /** Up to when it says itself that it tells of changes. */
  readonly until: number | undefined;
  /** It was held against the hash that its index states. */
  readonly isHeld: boolean;
  /** It is as it was at the check before. */
  readonly isAsBefore: boolean;
}

/**
 * Whether a list will not grow any more, so that it need not be asked for again (ResourceSync 1.1, section
 * 12.1, `until`).
 *
 * It is closed by what it says itself. That its index says so may be ahead of it, as the two are
 * published one after the other: the index is believed where it states the hash that the list has, or a
 * week later, where both have stayed as they were since the check before. Nothing is closed by a time
 * that is still to come.
 *
 * @param now UTC seconds
 */
export function isClosed(reference: Reference, evidence: Evidence, now: number): boolean {
  if (isOver(evidence.until, now)) return true;
  if (evidence.isHeld) return isOver(reference.until, now);
  const isSettled = reference.isSettled && evidence.isAsBefore;
  return isSettled && isOver(reference.until, now - SETTLING);
}

function isOver(until: number | undefined, now: number): boolean {
  return until !== undefined && until <= now;
}
