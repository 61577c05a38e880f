import { type RawBuilder, sql } from "kysely";
import type { GoneChange } from "../../changes/redated.ts";
import { insertMany, isAmong, isAmongIds, texts } from "../dialects.ts";
import { inParts } from "../in-parts.ts";
import type { Database, SeenTable } from "../schema.ts";

/** What is remembered of the changes of one collection, by their identities. */

/** A seen change, once for each list that had it at its last reading. */
export interface SeenBefore extends Omit<SeenTable, "collection_id"> {
  readonly document_id: number | null;
}

/** Which of these changes, each given once, were seen before. */
export async function seenBefore(
  database: Database,
  collection: number,
  identities: readonly string[],
): Promise<SeenBefore[]> {
  const seen: SeenBefore[] = [];
  for (const some of inParts(identities)) {
    const { rows } = await sql<SeenBefore>`
      SELECT seen.identity, resource, kind, datetime, hash, document_id FROM seen
      LEFT JOIN listing ON listing.collection_id = seen.collection_id AND listing.identity = seen.identity
      WHERE seen.collection_id = ${collection} AND ${isAmong(database, "seen.identity", some)}`.execute(
      database,
    );
    for (const row of rows) seen.push(row);
  }
  return seen;
}

/** How many changes these lists had at their last reading. */
export async function countListings(
  database: Database,
  collection: number,
  lists: readonly number[],
): Promise<number> {
  if (lists.length === 0) return 0;
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM listing WHERE ${inLists(database, collection, lists)}`.execute(
    database,
  );
  return rows[0]?.count ?? 0;
}

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
  const found = (await seenBefore(database, collection, missing)).filter(
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

const ONCE = sql`ON CONFLICT DO NOTHING`;

/** Adds changes that were not seen yet. */
export async function rememberSeen(
  database: Database,
  changes: readonly SeenTable[],
): Promise<void> {
  await insertMany(database, "seen", changes, ONCE);
}

/** Adds what lists did not state yet. */
export async function rememberListings(
  database: Database,
  collection_id: number,
  listed: readonly { readonly identity: string; readonly document_id: number }[],
): Promise<void> {
  const rows = listed.map(({ identity, document_id }) => ({
    collection_id,
    identity,
    document_id,
  }));
  await insertMany(database, "listing", rows, ONCE);
}
