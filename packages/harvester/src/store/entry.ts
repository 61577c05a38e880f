import type { PageCounts } from "@rs-emit/feeds";
import { type Kysely, sql } from "kysely";
import type { StatedChange } from "../model.ts";
import { inParts, pairs, rows as rowsOf } from "./portable.ts";
import type { Schema } from "./schema.ts";

export interface NewEntry {
  readonly collectionId: number;
  /** The group's name in the collection. */
  readonly name: string;
  /** UTC seconds. */
  readonly time: number;
  readonly counts: PageCounts;
  readonly changes: readonly StatedChange[];
  /** The harvester's own words on it. */
  readonly note: string | undefined;
  /** The changes that feeds and pages show. */
  readonly shown: ReadonlySet<StatedChange>;
}

/** Returns ids in order. An entry never grows: a repeated name starts another part. */
export async function addEntries(
  database: Kysely<Schema>,
  entries: readonly NewEntry[],
  takenAt: number,
): Promise<readonly number[]> {
  if (entries.length === 0) return [];
  const parts = await lastParts(database, entries);
  const values = entries.map(({ collectionId, name, time, counts, note }) => ({
    collection_id: collectionId,
    name,
    part: (parts.get(`${collectionId} ${name}`) ?? 0) + 1,
    time,
    counts: JSON.stringify(counts),
    note: note ?? null,
  }));
  const given = rowsOf(
    database,
    "given",
    {
      collection_id: "integer",
      name: "text",
      part: "integer",
      time: "number",
      counts: "text",
      note: "text",
    },
    values,
  );
  const { rows } = await sql<{ id: number; collection_id: number; name: string }>`
    INSERT INTO entry (collection_id, name, part, time, taken_at, counts, note)
    SELECT collection_id, name, part, time, ${takenAt}, counts, note FROM ${given} ORDER BY time, name
    RETURNING id, collection_id, name`.execute(database);
  const ids = new Map(rows.map(({ id, collection_id, name }) => [`${collection_id} ${name}`, id]));
  const added = entries.map(
    ({ collectionId, name }) => ids.get(`${collectionId} ${name}`) ?? Number.NaN,
  );
  await addChanges(database, entries, added);
  return added;
}

/** By collection and name. */
async function lastParts(
  database: Kysely<Schema>,
  entries: readonly NewEntry[],
): Promise<ReadonlyMap<string, number>> {
  const named = entries.map(({ collectionId, name }) => [collectionId, name] as const);
  const { rows } = await sql<{ collection_id: number; name: string; part: number }>`
    SELECT collection_id, name, max(part) AS part FROM entry
    WHERE (collection_id, name) IN ${pairs(database, named)} GROUP BY collection_id, name`.execute(
    database,
  );
  return new Map(rows.map(({ collection_id, name, part }) => [`${collection_id} ${name}`, part]));
}

/** Changes in one answer of the database. */
const AT_ONCE = 5_000;

/** A change that an author told. */
export interface ToldChange {
  readonly url: string;
  readonly kind: StatedChange["kind"];
  /** When it was told: UTC seconds. */
  readonly taken_at: number;
}

/**
 * The changes that a source's author told, the oldest first. Those seen by comparing lists are left out.
 *
 * @param since when they were told at the earliest, UTC seconds
 */
export async function* toldByAuthor(
  database: Kysely<Schema>,
  source: number,
  since: number,
): AsyncGenerator<readonly ToldChange[]> {
  for (let last = 0; ; ) {
    const { rows } = await sql<ToldChange & { id: number }>`
      SELECT change.id, change.url, change.kind, entry.taken_at FROM collection
        JOIN entry ON entry.collection_id = collection.id JOIN change ON change.entry_id = entry.id
      WHERE collection.source_id = ${source} AND collection.is_compared = 0
        AND entry.taken_at >= ${since} AND change.id > ${last}
      ORDER BY change.id LIMIT ${AT_ONCE}`.execute(database);
    yield rows;
    last = rows.at(-1)?.id ?? 0;
    if (rows.length < AT_ONCE) return;
  }
}

const CHANGE = {
  place: "integer",
  entry_id: "integer",
  url: "text",
  kind: "text",
  datetime: "number",
  lastmod: "number",
  title: "text",
  words: "text",
  archived: "text",
  is_minor: "integer",
  is_shown: "integer",
} as const;

async function addChanges(
  database: Kysely<Schema>,
  entries: readonly NewEntry[],
  ids: readonly number[],
): Promise<void> {
  const values = entries.flatMap(({ changes, shown }, at) =>
    changes.map((change, place) => ({
      place,
      entry_id: ids[at] ?? Number.NaN,
      url: change.url,
      kind: change.kind,
      datetime: change.datetime,
      lastmod: change.lastmod ?? null,
      title: change.title ?? null,
      words: change.words ?? null,
      archived: change.archived ?? null,
      is_minor: Number(change.isMinor),
      is_shown: Number(shown.has(change)),
    })),
  );
  for (const some of inParts(values)) {
    await sql`INSERT INTO change (entry_id, url, kind, datetime, lastmod, title, words, archived, is_minor, is_shown)
      SELECT entry_id, url, kind, datetime, lastmod, title, words, archived, is_minor, is_shown
      FROM ${rowsOf(database, "given", CHANGE, some)} ORDER BY entry_id, place`.execute(database);
  }
}
