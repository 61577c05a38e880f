import type { Transaction } from "kysely";
import { countEquals } from "../changes/count-equals.ts";
import type { IdentifiedChange } from "../changes/identified.ts";
import type { SeenChanges } from "../changes/list-overlap.ts";
import { type SeenBefore, seenBefore } from "../store/memory.ts";
import type { Schema } from "../store/schema.ts";
import type { FoundCollection } from "./collections.ts";

interface Counted {
  readonly listed: readonly IdentifiedChange[];
  /** What is known of the changes that were found, and of their equals. */
  readonly rows: readonly SeenBefore[];
}

/** Counts equal changes over the lists of a collection. What is known of more equals is looked up as it is needed. */
export async function countedIn(
  transaction: Transaction<Schema>,
  found: FoundCollection,
): Promise<Counted> {
  const { row, listed } = found;
  const seen = new SeenInLists(found);
  const rows: SeenBefore[] = [];
  let wanted: readonly string[] =
    row.newest === null ? [] : [...new Set(listed.map(({ identity }) => identity))];
  for (;;) {
    for (const identity of wanted) seen.noteLookup(identity);
    if (row.id !== undefined) {
      for (const one of await seenBefore(transaction, row.id, wanted)) {
        rows.push(one);
        seen.add(one);
      }
    }
    const { changes, unknown } = countEquals(listed, seen, seen.isPartial);
    if (unknown.length === 0) return { listed: changes, rows };
    wanted = unknown;
  }
}

/** What is known of the changes of a collection, and which of its lists had them. */
class SeenInLists implements SeenChanges {
  readonly #of: FoundCollection;
  /** The names of lists, by the ids of their documents. */
  readonly #names: ReadonlyMap<number, string>;
  readonly #seen = new Map<string, { readonly hash: string | null; readonly lists: Set<string> }>();
  readonly #lookedUp = new Set<string>();
  readonly #partial: ReadonlySet<string>;

  constructor(of: FoundCollection) {
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
