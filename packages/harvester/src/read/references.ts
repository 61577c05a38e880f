import { type StatedDigest, statedDigest } from "./digest.ts";
import type { Outline } from "./reading.ts";
import { timeOf } from "./time.ts";

/** A Change List, or an index of some, as an index names it (ResourceSync 1.1, section 12.2). */
export interface Reference {
  readonly url: string;
  readonly from: number | undefined;
  /** Up to when it tells of changes; one that will not grow any more has it. */
  readonly until: number | undefined;
  readonly stated: StatedDigest | undefined;
  /** How many indexes stand above it. */
  readonly depth: number;
  /** The index is as it was at the last check: it does not run ahead of its lists. */
  readonly isSettled: boolean;
}

/** A document that nothing is known of but its address. */
export function plainReference(url: string): Reference {
  return { url, from: undefined, until: undefined, stated: undefined, depth: 0, isSettled: false };
}

/** What an index names, in its order. */
export function referencesIn(
  { entries }: Outline,
  { depth, isSettled }: Pick<Reference, "depth" | "isSettled">,
): Reference[] {
  return entries.map(({ loc, metadata = {} }) => ({
    url: loc,
    from: timeOf(metadata.from),
    until: timeOf(metadata.until),
    stated: statedDigest(metadata.hash),
    depth,
    isSettled,
  }));
}

/**
 * The order in which lists are read: the newest, which tells what is new, then those that were never
 * read, then the others; each from the newest to the oldest. In every other check the newest, once it was
 * read, waits among the others: no list of a source that is larger than a check must wait for ever.
 *
 * @param turn from 0 up to 1: in the lower half the newest comes first; where to begin with the others
 */
export function inReadingOrder(
  references: readonly Reference[],
  isKnown: (url: string) => boolean,
  turn: number,
): Reference[] {
  const inOrder = newestFirst(references);
  const [newest] = inOrder;
  const isFirst = newest !== undefined && turn < 0.5;
  const others = isFirst ? inOrder.slice(1) : inOrder;
  const known = others.filter(({ url }) => isKnown(url));
  return [
    ...(isFirst ? [newest] : []),
    ...others.filter(({ url }) => !isKnown(url)),
    ...rotated(known, (turn * 2) % 1),
  ];
}

/** The same in a circle, from elsewhere. */
export function rotated<Item>(items: readonly Item[], turn: number): Item[] {
  const start = Math.floor(turn * items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}

/** Indexes are chronological; what they say of their lists counts more than their order. */
export function newestFirst(references: readonly Reference[]): Reference[] {
  const reversed = references.toReversed();
  const areDated = reversed.every(({ from }) => from !== undefined);
  return areDated ? reversed.sort((one, other) => (other.from ?? 0) - (one.from ?? 0)) : reversed;
}
