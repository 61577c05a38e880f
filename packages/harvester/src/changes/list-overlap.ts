import { identityOf } from "@rs-emit/feeds";
import { compareDigests } from "@rs-emit/reader";
import type { IdentifiedChange } from "./identified.ts";

/** A change that was seen before. */
interface SeenChange {
  /** As the source writes it. */
  readonly hash: string | null;
  /** The lists that had it at their last reading, as far as they are still named. */
  readonly lists: ReadonlySet<string>;
}

/** The seen changes of a collection, by identity, as far as they were looked up. */
export interface SeenChanges {
  get(identity: string): SeenChange | undefined;
  isLookedUp(identity: string): boolean;
}

const DAY = 86_400;

/** Changes on one day that two lists share by chance, though the one goes on where the other ends. */
const FEW = 4;

/** The lists that were read, and what is known of them. */
export class ListOverlap {
  readonly lists: ReadonlyMap<string, readonly IdentifiedChange[]>;
  readonly #seen: SeenChanges;
  readonly #isPartial: (list: string) => boolean;
  /** The newest change of each page. */
  readonly #newest = new Map<string, IdentifiedChange>();
  readonly #counts = new Map<IdentifiedChange, number>();
  readonly #shares = new Map<string, ReadonlyMap<string, Share>>();
  #named: ReadonlyMap<string, ReadonlySet<string>> | undefined;

  constructor(
    listed: readonly IdentifiedChange[],
    seen: SeenChanges,
    isPartial: (list: string) => boolean,
  ) {
    this.#isPartial = isPartial;
    this.lists = Map.groupBy(listed, ({ list }) => list);
    this.#seen = seen;
    for (const change of listed) {
      const newest = this.#newest.get(change.relativeUrl);
      if (newest === undefined || change.datetime >= newest.datetime) {
        this.#newest.set(change.relativeUrl, change);
      }
    }
  }

  isDated({ datetime }: IdentifiedChange): boolean {
    return datetime % DAY === 0;
  }

  /** Another change than the seen one of its identity. */
  isOther(change: IdentifiedChange): boolean {
    return this.contradicts(change, this.#seen.get(change.identity)?.hash);
  }

  /** Digests differ. Where lists are made from a database, each entry of a page states what its newest one does. */
  contradicts(change: IdentifiedChange, hash: string | null | undefined): boolean {
    if (this.#isPartial(change.list)) return false;
    const newest = this.#newest.get(change.relativeUrl);
    const isPresent =
      newest !== undefined &&
      newest.datetime > change.datetime &&
      compareDigests(change.hash, newest.hash) === "agree";
    return !isPresent && compareDigests(change.hash, hash) === "contradict";
  }

  count(change: IdentifiedChange, count: number): void {
    this.#counts.set(change, count);
  }

  isCounted(change: IdentifiedChange): boolean {
    return this.#counts.has(change);
  }

  counted<Change extends IdentifiedChange>(change: Change): Change {
    const count = this.#counts.get(change) ?? change.count;
    return count === change.count
      ? change
      : { ...change, count, identity: identityOf(change, count) };
  }

  /** Whether two lists have the same changes: of more than one instant, or most of what the shorter one has. */
  overlap(list: string, other: string): boolean {
    const share = this.#sharesOf(list).get(other);
    if (share === undefined) return false;
    const size = ({ length }: readonly unknown[] = []) => length || Number.POSITIVE_INFINITY;
    const shorter = Math.min(size(this.lists.get(list)), size(this.lists.get(other)));
    return share.instants.size > 1 || (share.changes > FEW && share.changes * 2 >= shorter);
  }

  #sharesOf(list: string): ReadonlyMap<string, Share> {
    const known = this.#shares.get(list);
    if (known !== undefined) return known;
    const shares = new Map<string, Share>();
    for (const change of this.lists.get(list) ?? []) {
      for (const other of this.#listsOf(this.counted(change).identity)) {
        const share = shares.get(other) ?? { changes: 0, instants: new Set<number>() };
        share.changes += 1;
        share.instants.add(change.datetime);
        shares.set(other, share);
      }
    }
    this.#shares.set(list, shares);
    return shares;
  }

  /** The lists that have a change, as it is counted so far. */
  #listsOf(identity: string): Iterable<string> {
    this.#named ??= this.#listsByIdentity();
    const unread = [...(this.#seen.get(identity)?.lists ?? [])].filter(
      (list) => !this.lists.has(list),
    );
    return [...(this.#named.get(identity) ?? []), ...unread];
  }

  #listsByIdentity(): ReadonlyMap<string, ReadonlySet<string>> {
    const named = new Map<string, Set<string>>();
    for (const [list, changes] of this.lists) {
      for (const change of changes) {
        const { identity } = this.counted(change);
        named.set(identity, (named.get(identity) ?? new Set()).add(list));
      }
    }
    return named;
  }
}

interface Share {
  changes: number;
  readonly instants: Set<number>;
}
