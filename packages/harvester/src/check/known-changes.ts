import { eventOf } from "@rs-emit/feeds";
import { AHEAD } from "@rs-emit/reader";
import type { Transaction } from "kysely";
import { countEquals } from "../changes/count-equals.ts";
import { type IdentifiedChange, resourceKey } from "../changes/identified.ts";
import type { SeenChanges } from "../changes/list-overlap.ts";
import { type KnownChanges, unseenIn } from "../changes/select-new.ts";
import { reportedEvents } from "../store/check/entry.ts";
import {
  addedListings,
  addedSeen,
  areLog,
  forgetListings,
  forgetLists,
  forgetReplaced,
  goneChanges,
  type SeenBefore,
  seenBefore,
} from "../store/check/seen-changes.ts";
import type { ManyRows } from "../store/dialects.ts";
import type { Schema } from "../store/schema.ts";
import type { FoundCollection } from "./collections.ts";

/** A collection, and what is known of the changes that were found in it. */
export interface KnownCollection extends FoundCollection, KnownChanges {
  /** The changes in the lists of the reading that they had at their last reading, too: each by its name. */
  readonly listings: Pick<ReadonlySet<string>, "has">;
  /** A list that was read or dropped had what no list has now. Most logs only grow. */
  readonly isShrunk: boolean;
}

/** Looks up what is known of the changes that were found in a collection. */
export async function recallChanges(
  transaction: Transaction<Schema>,
  found: FoundCollection,
  now: number,
): Promise<KnownCollection> {
  const isPast = pastOf(found);
  const { id, has_changes } = found.row;
  if (id === undefined || has_changes === 0) {
    const { listed } = await countedIn(transaction, found);
    return { ...found, ...NOTHING_KNOWN, listed, unseen: unseenIn(listed, new Set()), isPast };
  }
  if (found.listed.length + found.lists.size + found.dropped.length === 0) {
    return { ...found, ...NOTHING_KNOWN, isPast };
  }
  const lists = [...idsIn(found.lists), ...found.dropped];
  const { listed, rows, listedBefore } = await countedIn(transaction, found, lists);
  const seen = new Set(rows.map(({ identity }) => identity));
  const unseen = unseenIn(listed, seen);
  const listings = new Set(
    rows.flatMap(({ identity, document_id }) =>
      document_id === null ? [] : [nameOfListing({ identity, document_id })],
    ),
  );
  const kept = listingsOf(listed, found.lists).filter((one) => listings.has(nameOfListing(one)));
  const isShrunk = listedBefore > kept.length;
  const gone = isShrunk
    ? await goneChanges(transaction, id, {
        lists,
        identities: [...new Set(listed.map(({ identity }) => identity))],
        resources: new Set(unseen.map(resourceKey)),
        until: now + AHEAD,
      })
    : [];
  const isLog = gone.length > 0 && (await areLog(transaction, id, lists));
  return { ...found, listed, unseen, isPast, listings, isShrunk, gone, listedBefore, isLog };
}

const NOTHING_KNOWN = {
  unseen: [],
  listings: new Set<string>(),
  isShrunk: false,
  gone: [],
  listedBefore: 0,
  isLog: false,
} as const;

interface Counted {
  readonly listed: readonly IdentifiedChange[];
  /** What is known of the changes that were found, and of their equals. */
  readonly rows: readonly SeenBefore[];
  /** How many changes its lists had at their last reading. */
  readonly listedBefore: number;
}

/** Counts equal changes over the lists of a collection. What is known of more equals is looked up as it is needed. */
async function countedIn(
  transaction: Transaction<Schema>,
  found: FoundCollection,
  lists: readonly number[] = [],
): Promise<Counted> {
  const { row, listed } = found;
  const seen = new SeenInLists(found);
  const rows: SeenBefore[] = [];
  let listedBefore = 0;
  let wanted: readonly string[] =
    row.has_changes === 0 ? [] : [...new Set(listed.map(({ identity }) => identity))];
  for (let asked = lists; ; asked = []) {
    for (const identity of wanted) seen.noteLookup(identity);
    if (row.id !== undefined) {
      const known = await seenBefore(transaction, row.id, wanted, asked);
      listedBefore += known.listedBefore;
      for (const one of known.seen) {
        rows.push(one);
        seen.add(one);
      }
    }
    const { changes, unknown } = countEquals(listed, seen, seen.isPartial);
    if (unknown.length === 0) return { listed: changes, rows, listedBefore };
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
    return this.#of.row.has_changes === 0 || this.#lookedUp.has(identity);
  }

  readonly isPartial = (list: string): boolean => this.#partial.has(list);
}

/** Whatever comes after the first reading of a list is news, even if a clock was wrong then. */
function pastOf({ row, lists }: FoundCollection): KnownChanges["isPast"] {
  if (row.is_whole === 1) return () => false;
  return ({ list, datetime }) => lists.get(list) === undefined && datetime < row.known_from;
}

/** Those of the events of new changes that entries of their source report already, whichever collection does. */
export async function recallReported(
  transaction: Transaction<Schema>,
  collections: readonly KnownCollection[],
): Promise<Set<string>> {
  const events = collections.flatMap(({ row, unseen, isPast }) =>
    unseen.filter((change) => !isPast(change)).map((change) => eventIn(row.source_id, change)),
  );
  return reportedEvents(transaction, new Set(events));
}

/** What a change reports, whichever collection of its source does. */
export function eventIn(source: number, change: IdentifiedChange): string {
  return `${source} ${eventOf(change)}`;
}

/** A collection after a check, whose id and whose lists' ids are known. */
interface StoredMemory
  extends Pick<
    KnownCollection,
    "listed" | "unseen" | "listings" | "isShrunk" | "isComplete" | "dropped"
  > {
  readonly id: number;
  readonly lists: ReadonlyMap<string, number | undefined>;
  /** The gone changes that new ones replace, by the identities of these. */
  readonly replaced: ReadonlyMap<string, string>;
}

/** Forgets what the lists of a collection have no more. Returns what is to be remembered of it: what was seen, and in which lists. */
export async function rememberChanges(
  transaction: Transaction<Schema>,
  { id, lists, listed, unseen, replaced, ...known }: StoredMemory,
  now: number,
): Promise<readonly ManyRows[]> {
  await forgetReplaced(transaction, id, [...replaced.values()]);
  const listings = listingsOf(listed, lists);
  if (known.isShrunk) {
    const byList = Map.groupBy(listings, ({ document_id }) => document_id);
    for (const list of idsIn(lists)) {
      const identities = (byList.get(list) ?? []).map(({ identity }) => identity);
      await forgetListings(transaction, id, list, { identities, until: now + AHEAD });
    }
    // Until all lists were read, unread ones may replace what dropped ones had.
    if (known.isComplete) await forgetLists(transaction, id, known.dropped);
  }
  const added = listings.filter((one) => !known.listings.has(nameOfListing(one)));
  return [addedSeen(seenRows(id, unseen)), addedListings(id, added)];
}

function* seenRows(collection_id: number, unseen: StoredMemory["unseen"]) {
  for (const change of unseen) {
    const { identity, kind, datetime, hash = null } = change;
    yield { collection_id, identity, resource: resourceKey(change), kind, datetime, hash };
  }
}

function idsIn(lists: FoundCollection["lists"]): number[] {
  return [...lists.values()].flatMap((id) => id ?? []);
}

/** A list has a change. */
interface Listing {
  readonly identity: string;
  readonly document_id: number;
}

function nameOfListing({ document_id, identity }: Listing): string {
  return `${document_id} ${identity}`;
}

function listingsOf(
  listed: readonly IdentifiedChange[],
  lists: FoundCollection["lists"],
): Listing[] {
  return listed.flatMap(({ list, identity }): Listing[] => {
    const document_id = lists.get(list);
    return document_id === undefined ? [] : [{ identity, document_id }];
  });
}
