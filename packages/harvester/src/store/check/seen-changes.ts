import { type RawBuilder, sql } from "kysely";
import type { GoneChange } from "../../changes/redated.ts";
import { compiledOnce, isAmong, isAmongIds, type ManyRows, texts } from "../dialects.ts";
import { inParts } from "../in-parts.ts";
import type { Database, SeenTable } from "../schema.ts";

/** What is remembered of the changes of one collection, by their identities. */

/** A seen change, once for each list that had it at its last reading. */
export interface SeenBefore extends Omit<SeenTable, "collection_id"> {
  readonly document_id: number | null;
}

/** What is known of some changes of a collection, and of some of its lists. */
interface Remembered {
  readonly seen: readonly SeenBefore[];
  /** How many changes these lists had at their last reading. */
  readonly listedBefore: number;
}

/**
 * Which changes were seen before, and what lists had.
 *
 * @param identities of changes, each given once
 */
export async function seenBefore(
  database: Database,
  collection: number,
  identities: readonly string[],
  lists: readonly number[] = [],
): Promise<Remembered> {
  const seen: SeenBefore[] = [];
  let left = lists;
  let listedBefore = 0;
  for (const some of identities.length === 0 && lists.length > 0 ? [[]] : inParts(identities)) {
    const { rows } = await SEEN_BEFORE(database, { collection, identities: some, lists: left });
    listedBefore += rows[0]?.listed ?? 0;
    left = [];
    for (const row of rows) if (row.identity !== null) seen.push(row);
  }
  return { seen, listedBefore };
}

interface Asked {
  readonly collection: number;
  readonly identities: readonly string[];
  readonly lists: readonly number[];
}

/** A row for each change and list, or one without a change: what lists had is known by all. */
type SeenRow = { readonly listed: number } & (SeenBefore | { readonly identity: null });

const SEEN_BEFORE = compiledOnce<Asked, SeenRow>((given, database) => {
  const collection = given(({ collection }) => collection);
  const lists = given(({ lists }) => lists);
  const isIn = isAmongIds(database, "document_id", lists);
  const identities = given(({ identities }) => identities);
  const isGiven = isAmong(database, "seen.identity", identities);
  return sql`SELECT listed, seen.identity, resource, kind, datetime, hash, document_id
    FROM (SELECT count(*) AS listed FROM listing WHERE collection_id = ${collection} AND ${isIn}) AS counted
    LEFT JOIN seen ON seen.collection_id = ${collection} AND ${isGiven}
    LEFT JOIN listing ON listing.collection_id = seen.collection_id AND listing.identity = seen.identity`;
});

interface Reread {
  /** Lists that were read, or are no longer named. */
  readonly lists: readonly number[];
  /** What was read. */
  readonly identities: readonly string[];
  /** Of unseen changes. */
  readonly resources: ReadonlySet<string>;
  /** UTC seconds. A later change is not gone: a list is read without those that are dated beyond tomorrow. */
  readonly until: number;
}

/** Gone changes that are looked at in one reading. */
const MOST_GONE = 50_000;

/** The seen changes of these resources that no list has any more, the oldest first. */
export async function goneChanges(
  database: Database,
  collection: number,
  { lists, identities, resources, until }: Reread,
): Promise<GoneChange[]> {
  if (lists.length === 0 || resources.size === 0) return [];
  const missing = await missingIn(database, collection, lists, identities);
  const { seen } = await seenBefore(database, collection, missing);
  const found = seen.filter(
    ({ resource, datetime }) => datetime <= until && resources.has(resource),
  );
  if (found.length === 0) return [];
  const newest = await newestChanges(database, collection, lists);
  const gone: GoneChange[] = [];
  for (const listings of Map.groupBy(found, ({ identity }) => identity).values()) {
    const [first] = listings;
    const times = listings.map(({ document_id }) => newest.get(document_id ?? 0));
    // A list that was not read has it, as far as is known.
    if (first === undefined || times.includes(undefined)) continue;
    const { document_id: _, ...change } = first;
    gone.push({ ...change, newestOfList: Math.max(...times.map((time) => time ?? -Infinity)) });
  }
  return gone.sort((one, other) => one.datetime - other.datetime);
}

/**
 * What these lists had at their last reading, and what was read has no more. `EXCEPT` is linear on both databases,
 * whatever they know of their tables; `NOT IN` and joins may compare each row with all others.
 */
async function missingIn(
  database: Database,
  collection: number,
  lists: readonly number[],
  identities: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ identity: string }>`
    SELECT identity FROM listing WHERE ${inLists(database, collection, lists)}
    EXCEPT ${texts(database, identities)} LIMIT ${sql.lit(MOST_GONE)}`.execute(database);
  return rows.map(({ identity }) => identity);
}

/** The newest changes that lists had at their last reading. */
async function newestChanges(
  database: Database,
  collection: number,
  lists: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ document_id: number; newest: number }>`
    SELECT document_id, max(datetime) AS newest FROM listing NATURAL JOIN seen
    WHERE ${inLists(database, collection, lists)} GROUP BY document_id`.execute(database);
  return new Map(rows.map((row) => [row.document_id, row.newest]));
}

/** Whether these lists, all together, named a page twice at the last reading. */
export async function areLog(
  database: Database,
  collection: number,
  lists: readonly number[],
): Promise<boolean> {
  const { rows } = await sql<{ changes: number; pages: number }>`
    SELECT count(DISTINCT identity) AS changes, count(DISTINCT resource) AS pages
    FROM listing NATURAL JOIN seen WHERE ${inLists(database, collection, lists)}`.execute(database);
  return rows.some(({ changes, pages }) => changes > pages);
}

/** Deletes what a list had and no longer has. Changes dated after `until` are kept. */
export async function forgetListings(
  database: Database,
  collection: number,
  list: number,
  { identities, until }: { readonly identities: readonly string[]; readonly until: number },
): Promise<void> {
  const ofList = inLists(database, collection, [list]);
  await sql`DELETE FROM listing WHERE ${ofList}
    AND identity IN (SELECT identity FROM listing WHERE ${ofList} EXCEPT ${texts(database, identities)})
    AND NOT EXISTS (SELECT 1 FROM seen WHERE seen.collection_id = listing.collection_id
      AND seen.identity = listing.identity AND seen.datetime > ${until})`.execute(database);
}

/** Deletes all that these lists had. */
export async function forgetLists(
  database: Database,
  collection: number,
  lists: readonly number[],
): Promise<void> {
  if (lists.length === 0) return;
  await sql`DELETE FROM listing WHERE ${inLists(database, collection, lists)}`.execute(database);
}

function inLists(
  database: Database,
  collection: number,
  lists: readonly number[],
): RawBuilder<boolean> {
  return sql`collection_id = ${collection} AND ${isAmongIds(database, "document_id", lists)}`;
}

/** Forgets which lists had these changes. */
export async function forgetReplaced(
  database: Database,
  collection: number,
  identities: readonly string[],
): Promise<void> {
  for (const some of inParts(identities)) {
    await sql`DELETE FROM listing
      WHERE collection_id = ${collection} AND ${isAmong(database, "identity", some)}`.execute(
      database,
    );
  }
}

/** Adds changes that were not seen yet. */
export function addedSeen(changes: Iterable<Pick<SeenTable, keyof SeenTable>>): ManyRows {
  return { table: "seen", rows: changes, conflict: "keep" };
}

/** Adds what lists did not state yet. */
export function addedListings(
  collection_id: number,
  listed: readonly { readonly identity: string; readonly document_id: number }[],
): ManyRows {
  return { table: "listing", rows: listingRows(collection_id, listed), conflict: "keep" };
}

function* listingRows(collection_id: number, listed: Parameters<typeof addedListings>[1]) {
  for (const { identity, document_id } of listed) yield { collection_id, identity, document_id };
}
