import type { Authority } from "./authority.ts";
import { type StatedDigest, statedDigest } from "./digest.ts";
import { UnreadableError } from "./errors.ts";
import type { Outline } from "./reading.ts";
import { timeOf } from "./values.ts";

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

/** The lists that a collection names, in its order; an index is replaced by what it names. */
export class NamedLists {
  readonly #urls: string[];
  readonly #authority: Authority;
  readonly #most: number;

  /**
   * @param top the only document that is named at first
   * @param most lists that may be named
   * @throws {OtherHostError}
   */
  constructor(top: string, authority: Authority, most: number) {
    authority.require(top);
    this.#urls = [top];
    this.#authority = authority;
    this.#most = most;
  }

  get urls(): readonly string[] {
    return this.#urls;
  }

  /**
   * Puts what an index names in its place.
   *
   * @returns what was not named before, each once
   * @throws {OtherHostError} where it is on another host than the source
   * @throws {UnreadableError} where it is too much
   */
  replace(index: string, references: readonly Reference[]): Reference[] {
    const others = new Set(this.#urls);
    const added = new Map<string, Reference>();
    for (const reference of references) {
      if (others.has(reference.url) || added.has(reference.url)) continue;
      this.#authority.require(reference.url);
      added.set(reference.url, reference);
    }
    this.#urls.splice(this.#urls.indexOf(index), 1, ...added.keys());
    if (this.#urls.length <= this.#most) return [...added.values()];
    throw new UnreadableError(index, `names more than ${this.#most.toLocaleString("en")} lists`);
  }

  /** Things that have the address of a list, in the order in which those are named. */
  sorted<Item extends { readonly url: string }>(items: readonly Item[]): Item[] {
    const places = new Map(this.#urls.map((url, place) => [url, place]));
    const place = ({ url }: Item) => places.get(url) ?? 0;
    return items.toSorted((one, other) => place(one) - place(other));
  }
}

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
