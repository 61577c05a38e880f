import { numeral, secondsOf } from "@rs-emit/documents";
import type { UrlError } from "../errors.ts";
import type { Authority } from "./authority.ts";
import { type ListedDigest, listedDigest } from "./digest.ts";
import { unreadableError } from "./errors.ts";
import type { DocumentSummary } from "./reading-result.ts";

export interface Reference {
  readonly url: string;
  readonly from: number | undefined;
  /** UTC seconds. A closed list has it. */
  readonly until: number | undefined;
  readonly listed: ListedDigest | undefined;
  readonly depth: number;
  /** The index is unchanged since the last check, so it is not ahead of its lists. */
  readonly isSettled: boolean;
}

export function plainReference(url: string): Reference {
  return { url, from: undefined, until: undefined, listed: undefined, depth: 0, isSettled: false };
}

export function referencesIn(
  { entries }: DocumentSummary,
  { depth, isSettled }: Pick<Reference, "depth" | "isSettled">,
): Reference[] {
  return entries.map(({ loc, metadata = {} }) => ({
    url: loc,
    from: secondsOf(metadata.from),
    until: secondsOf(metadata.until),
    listed: listedDigest(metadata.hash),
    depth,
    isSettled,
  }));
}

/**
 * The newest list, then unread ones, then the others; each newest first. In every other check
 * (`turn` from 0.5) a newest list that was read waits too, so that no list of a large source waits
 * forever.
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

  /** Throws {@link HarvestError}. */
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
   * Returns the new lists. Throws {@link HarvestError}.
   *
   * @param refuse takes lists of other hosts, which are left out
   */
  replace(
    index: string,
    references: readonly Reference[],
    refuse: (problem: UrlError) => void,
  ): Reference[] {
    const others = new Set(this.#urls);
    const added = new Map<string, Reference>();
    for (const reference of references) {
      if (others.has(reference.url) || added.has(reference.url)) continue;
      const problem = this.#authority.problemOf(reference.url);
      if (problem === undefined) added.set(reference.url, reference);
      else refuse(problem);
    }
    this.#urls.splice(this.#urls.indexOf(index), 1, ...added.keys());
    if (this.#urls.length <= this.#most) return [...added.values()];
    throw unreadableError(index, `names more than ${numeral(this.#most)} lists`);
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
  readonly isAsBefore: boolean;
}

/**
 * ResourceSync 1.1, section 12.1, `until`. The list's own closes it. Its index's may be ahead of
 * the list: it counts a week later, if both are unchanged.
 */
export function isClosed(reference: Reference, evidence: Evidence, now: number): boolean {
  if (isOver(evidence.until, now)) return true;
  const isSettled = reference.isSettled && evidence.isAsBefore;
  return isSettled && isOver(reference.until, now - SETTLING);
}

function isOver(until: number | undefined, now: number): boolean {
  return until !== undefined && until <= now;
}
