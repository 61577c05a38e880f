import type { Transaction } from "kysely";
import { countEquals } from "../changes/equals.ts";
import type { SeenChanges } from "../changes/read-lists.ts";
import { type Key, type SeenBefore, seenBefore } from "../store/memory.ts";
import type { Schema } from "../store/schema.ts";
import type { Found } from "./collections.ts";

interface Counted {
  readonly found: readonly Found[];
  /** What is known of the changes that were found, and of their equals. */
  readonly rows: readonly SeenBefore[];
}

/** Counts equal changes over the lists of each collection. What is known of more equals is looked up as it is needed. */
export async function countedIn(
  transaction: Transaction<Schema>,
  found: readonly Found[],
): Promise<Counted> {
  const known = found.map((one) => ({ one, seen: new SeenInLists(one) }));
  const bySeen = new Map(known.map(({ one, seen }) => [idOf(one), seen]));
  const rows: SeenBefore[] = [];
  let wanted = keysOf(found.filter(({ row }) => row.newest !== null));
  for (;;) {
    for (const [id, identity] of wanted) bySeen.get(id)?.noteLookup(identity);
    for (const row of await seenBefore(transaction, wanted)) {
      rows.push(row);
      bySeen.get(row.collection_id)?.add(row);
    }
    const counted = known.map(({ one, seen }) => countEquals(one.stated, seen, seen.isPartial));
    wanted = counted.flatMap(({ unknown }, at) => {
      const one = found[at];
      return one === undefined ? [] : unknown.map((identity): Key => [idOf(one), identity]);
    });
    if (wanted.length > 0) continue;
    const after = found.map((one, at) => ({ ...one, stated: counted[at]?.changes ?? one.stated }));
    return { found: after, rows };
  }
}

/** What is known of the changes of a collection, and which of its lists stated them. */
class SeenInLists implements SeenChanges {
  readonly #of: Found;
  /** The names of lists, by the ids of their documents. */
  readonly #names: ReadonlyMap<number, string>;
  readonly #seen = new Map<string, { readonly hash: string | null; readonly lists: Set<string> }>();
  readonly #lookedUp = new Set<string>();
  readonly #partial: ReadonlySet<string>;

  constructor(of: Found) {
    this.#of = of;
    this.#names = new Map(
      [...of.lists].flatMap(([url, id]) => (id === undefined ? [] : [[id, url]])),
    );
    const lists = of.reading?.lists ?? [];
    this.#partial = new Set(lists.flatMap(({ url, isPartial }) => (isPartial ? [url] : [])));
  }

  add({ identity, hash, document_id }: SeenBefore): void {
    const known = this.#seen.get(identity) ?? { hash, lists: new Set() };
    this.#seen.set(identity, known);
    // What is no longer named does not count.
    if (document_id === null || this.#of.dropped.includes(document_id)) return;
    known.lists.add(this.#names.get(document_id) ?? `document ${document_id}`);
  }

  noteLookup(identity: string): void {
    this.#lookedUp.add(identity);
  }

  get(identity: string) {
    return this.#seen.get(identity);
  }

  /** Of a collection that was never read nothing is known. */
  isLookedUp(identity: string): boolean {
    return this.#of.row.newest === null || this.#lookedUp.has(identity);
  }

  readonly isPartial = (list: string): boolean => this.#partial.has(list);
}

/** The id of a collection; 0 for a new one, of which nothing is known. */
export function idOf({ row }: Found): number {
  return row.id ?? 0;
}

/** Each once, though many lists state it. */
export function keysOf(found: readonly Found[]): Key[] {
  return found.flatMap((one) => {
    const identities = new Set(one.stated.map(({ identity }) => identity));
    return [...identities].map((identity) => [idOf(one), identity] as const);
  });
}
