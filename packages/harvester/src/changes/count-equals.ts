import { identityOf } from "@rs-emit/feeds";
import { digestsIn } from "@rs-emit/reader";
import type { IdentifiedChange } from "./identified.ts";
import { ListOverlap, type SeenChanges } from "./list-overlap.ts";

export interface Counted<Change> {
  /** With the identities that they have in the collection. */
  readonly changes: readonly Change[];
  /** Identities that are to be looked up first; nothing counts before. */
  readonly unknown: readonly string[];
}

/**
 * Counts equal changes over the lists of a collection: those of one page, kind and instant. A list counts its own. Only a
 * date without a time says little of which change it is: there two lists have two changes, unless the lists overlap. And
 * a change with another digest than its equals is another change.
 *
 * @param listed identified within their lists
 * @param isPartial whether a list has later changes, which wait for their day
 */
export function countEquals<Change extends IdentifiedChange>(
  listed: readonly Change[],
  seen: SeenChanges,
  isPartial: (list: string) => boolean,
): Counted<Change> {
  const reading = new ListOverlap(listed, seen, isPartial);
  const equals = [...Map.groupBy(listed, nameOfEquals).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const isOpen = reading.isDated(first) || [first, ...others].some((one) => reading.isOther(one));
    return isOpen ? [new Equals([first, ...others], reading, seen)] : [];
  });
  const unknown = equals.flatMap((one) => one.unknown);
  if (unknown.length > 0 || equals.length === 0) return { changes: listed, unknown };
  for (const one of equals) one.keepOwn();
  for (const one of equals) one.countRest();
  return { changes: listed.map((change) => reading.counted(change)), unknown };
}

/** Names a change and its equals. */
function nameOfEquals(change: IdentifiedChange): string {
  return change.count === 1 ? change.identity : identityOf(change, 1);
}

/** One of equal changes. */
interface Equal {
  readonly count: number;
  /** As the source writes it. */
  readonly hash: string | null | undefined;
  /** The lists that had it before. */
  readonly before: ReadonlySet<string>;
  /** The lists that have it, as far as is known. */
  readonly now: Set<string>;
}

/** The changes of a page, kind and instant. */
class Equals {
  /** Identities that are to be looked up. */
  readonly unknown: readonly string[];
  readonly #lists: readonly (readonly [string, readonly IdentifiedChange[]])[];
  readonly #reading: ListOverlap;
  readonly #isDated: boolean;
  readonly #equals: Equal[] = [];

  constructor(
    changes: readonly [IdentifiedChange, ...IdentifiedChange[]],
    reading: ListOverlap,
    seen: SeenChanges,
  ) {
    this.#lists = [...Map.groupBy(changes, ({ list }) => list)];
    this.#reading = reading;
    this.#isDated = reading.isDated(changes[0]);
    const identity = (count: number) => identityOf(changes[0], count);
    let count = 1;
    for (; ; count += 1) {
      const known = seen.get(identity(count));
      if (known === undefined) break;
      const now = new Set([...known.lists].filter((list) => !reading.lists.has(list)));
      this.#equals.push({ count, hash: known.hash, before: known.lists, now });
    }
    // Twice as many each time: there may be many.
    const most = seen.isLookedUp(identity(count)) ? 0 : 2 * count + changes.length;
    this.unknown = Array.from({ length: Math.max(most - count, 0) }, (_, at) =>
      identity(count + at),
    );
  }

  /** What a list had before stays as it was counted. */
  keepOwn(): void {
    for (const [list, changes] of this.#lists) {
      this.#match(list, changes, ({ before }) => before.has(list));
    }
  }

  countRest(): void {
    for (const [list, changes] of this.#lists) {
      const isSame = (other: string) => !this.#isDated || this.#reading.overlap(list, other);
      const left = this.#match(list, changes, ({ now }) => [...now].every(isSame));
      for (const change of left) {
        const count = this.#equals.length + 1;
        this.#equals.push({ count, hash: change.hash, before: new Set(), now: new Set() });
        this.#keep(list, change, this.#equals.at(-1));
      }
    }
  }

  /** Returns the changes of a list that are none of those equals that they may be. */
  #match(
    list: string,
    changes: readonly IdentifiedChange[],
    mayBe: (equal: Equal) => boolean,
  ): IdentifiedChange[] {
    const free = new FreeEquals(this.#equals.filter((one) => !one.now.has(list) && mayBe(one)));
    const left = changes.filter((change) => !this.#reading.isCounted(change));
    const others = left.filter((change) => !this.#keep(list, change, free.takeSame(change.hash)));
    return others.filter((change) => {
      const found = free.take(({ hash }) => !this.#reading.contradicts(change, hash));
      return !this.#keep(list, change, found);
    });
  }

  #keep(list: string, change: IdentifiedChange, equal: Equal | undefined): boolean {
    if (equal === undefined) return false;
    equal.now.add(list);
    this.#reading.count(change, equal.count);
    return true;
  }
}

/** Equals that are looked at for one change. A list with more of them is none that a site needs. */
const MOST = 100;

class FreeEquals {
  readonly #free: Set<Equal>;
  /** The last ones first. */
  readonly #byDigest: ReadonlyMap<string, { readonly digest: string; readonly one: Equal }[]>;

  constructor(equals: readonly Equal[]) {
    this.#free = new Set(equals);
    const named = equals
      .toReversed()
      .flatMap((one) => digestsIn(one.hash).map((digest) => ({ digest, one })));
    this.#byDigest = Map.groupBy(named, ({ digest }) => digest);
  }

  takeSame(hash: string | undefined): Equal | undefined {
    for (const digest of digestsIn(hash)) {
      const same = this.#byDigest.get(digest) ?? [];
      for (let next = same.pop(); next !== undefined; next = same.pop()) {
        if (this.#free.delete(next.one)) return next.one;
      }
    }
    return undefined;
  }

  take(mayBe: (equal: Equal) => boolean): Equal | undefined {
    let looked = 0;
    for (const one of this.#free) {
      looked += 1;
      if (looked > MOST) return undefined;
      if (!mayBe(one)) continue;
      this.#free.delete(one);
      return one;
    }
    return undefined;
  }
}
