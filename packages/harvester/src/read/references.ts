import type { Authority } from "./authority.ts";
import { type StatedDigest, statedDigest } from "./digest.ts";
import { UnreadableError } from "./errors.ts";
import type { Outline } from "./reading.ts";
import { timeOf } from "./values.ts";

/** A Change List or nested index in an index (ResourceSync 1.1, section 12.2). */
export interface Reference {
  readonly url: string;
  readonly from: number | undefined;
  /** UTC seconds. A closed list has it. */
  readonly until: number | undefined;
  readonly stated: StatedDigest | undefined;
  /** Indexes above it. */
  readonly depth: number;
  /** The index is unchanged since the last check, so it is not ahead of its lists. */
  readonly isSettled: boolean;
}

export function plainReference(url: string): Reference {
  return { url, from: undefined, until: undefined, stated: undefined, depth: 0, isSettled: false };
}

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
 * The order of reading: the newest list, then unread ones, then the others; each newest first. In
 * every other check a newest list that was read waits among the others, so that no list of a large
 * source waits forever.
 * @param turn from 0 up to 1: below 0.5 the newest comes first; also where to start among the
 * others
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

export function rotated<Item>(items: readonly Item[], turn: number): Item[] {
  const start = Math.floor(turn * items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}

/** An index is chronological, but the times it states count more. */
export function newestFirst(references: readonly Reference[]): Reference[] {
  const reversed = references.toReversed();
  const areDated = reversed.every(({ from }) => from !== undefined);
  return areDated ? reversed.sort((one, other) => (other.from ?? 0) - (one.from ?? 0)) : reversed;
}

export class NamedLists {
  readonly #urls: string[];
  readonly #authority: Authority;
  readonly #most: number;

  /**
   * @param most lists
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
   * Replaces an index by its lists, and returns the new ones.
   * @throws {OtherHostError} {@link UnreadableError} if there are too many
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

  sorted<Item extends { readonly url: string }>(items: readonly Item[]): Item[] {
    const places = new Map(this.#urls.map((url, place) => [url, place]));
    const place = ({ url }: Item) => places.get(url) ?? 0;
    return items.toSorted((one, other) => place(one) - place(other));
  }
}

/** Seconds a deploy may take from the index to its last list: a week. */
const SETTLING = 7 * 86_400;

export interface Evidence {
  /** The list's own closing time. */
  readonly until: number | undefined;
  /** It matched the digest in its index. */
  readonly isHeld: boolean;
  /** It is unchanged since the last check. */
  readonly isAsBefore: boolean;
}

/**
 * Whether a list is closed, and need not be requested again (ResourceSync 1.1, section 12.1,
 * `until`): by its own `until`; or by its index's, which may be ahead of the list, if the digest
 * matches, or a week later if both are unchanged. A time in the future closes nothing.
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
