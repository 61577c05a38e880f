import { entryTag } from "@rs-emit/feeds";
import { type Kysely, sql } from "kysely";
import type { IdentifiedChange } from "../changes/identified.ts";
import type { Schema } from "../store/schema.ts";
import { texts } from "../store/values.ts";
import type { Addition, FeedOwner } from "./places.ts";

/** Rows that are sent at once: a source may tell very many changes. */
const ROWS = 10_000;

/** A change, and the entry that tells of it; `null` for one that none tells of, such as a minor one. */
export interface PlacedChange {
  readonly change: IdentifiedChange;
  readonly entryId: number | null;
}

/** A feed entry that is to be made. */
export interface NewEntry {
  /** The group's name within the collection. */
  readonly name: string;
  readonly time: number;
  readonly changes: readonly IdentifiedChange[];
}

/**
 * Keeps entries with their changes. An entry never grows: where its name was used before, it is another part.
 *
 * @returns what is to be added to the feeds they belong to
 */
export async function recordEntries(
  database: Kysely<Schema>,
  collection: FeedOwner & { readonly first_url: string },
  entries: readonly NewEntry[],
  now: number,
): Promise<Addition[]> {
  if (entries.length === 0) return [];
  const tagged = await tag(database, collection, entries);
  const ids = await insertEntries(database, collection.id, tagged);
  const changes = tagged.flatMap(({ tag, changes }) =>
    changes.map((change) => ({ change, entryId: ids.get(tag) ?? null })),
  );
  await recordChanges(database, collection.id, changes, now);
  const added = tagged.flatMap(({ tag }) => ids.get(tag) ?? []);
  const updated = tagged.reduce((time, entry) => Math.max(time, entry.time), 0);
  return [{ collection, entries: added, updated }];
}

type TaggedEntry = NewEntry & { readonly tag: string };

async function tag(
  database: Kysely<Schema>,
  { id, first_url }: FeedOwner & { readonly first_url: string },
  entries: readonly NewEntry[],
): Promise<TaggedEntry[]> {
  const tagged: TaggedEntry[] = [];
  for (let part = 1, left = entries; left.length > 0; part += 1) {
    const named = left.map((entry) => ({ ...entry, tag: entryTag(first_url, entry.name, part) }));
    const known = await knownTags(database, id, named);
    tagged.push(...named.filter(({ tag }) => !known.has(tag)));
    left = named.filter(({ tag }) => known.has(tag));
  }
  return tagged.sort((one, other) => one.time - other.time);
}

/** Keeps changes. */
export async function recordChanges(
  database: Kysely<Schema>,
  collectionId: number,
  changes: readonly PlacedChange[],
  now: number,
): Promise<void> {
  for (const some of chunksOf(changes)) {
    const rows = some.map(({ change, entryId }, place) => ({
      place,
      entry_id: entryId,
      url: change.url,
      kind: change.kind,
      datetime: change.datetime,
      lastmod: change.lastmod ?? null,
      title: change.title ?? null,
      words: change.words ?? null,
      is_minor: change.isMinor,
    }));
    await sql`INSERT INTO change
        (collection_id, entry_id, url, kind, datetime, lastmod, title, words, is_minor, taken_at)
      SELECT ${collectionId}, entry_id, url, kind, datetime, lastmod, title, words, is_minor, ${now}
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row (place integer, entry_id bigint, url text,
        kind text, datetime double precision, lastmod double precision, title text, words text, is_minor boolean)
      ORDER BY place`.execute(database);
  }
}

async function knownTags(
  database: Kysely<Schema>,
  collectionId: number,
  entries: readonly TaggedEntry[],
): Promise<ReadonlySet<string>> {
  const rows = await database
    .selectFrom("entry")
    .select("tag")
    .where("collection_id", "=", collectionId)
    .where("tag", "in", texts(entries.map(({ tag }) => tag)))
    .execute();
  return new Set(rows.map(({ tag }) => tag));
}

/** Keeps entries; gives their ids by tag. */
async function insertEntries(
  database: Kysely<Schema>,
  collectionId: number,
  entries: readonly TaggedEntry[],
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const some of chunksOf(entries)) {
    const rows = some.map(({ tag, time }, place) => ({ place, tag, time }));
    const stored = await sql<{ id: number; tag: string }>`
      INSERT INTO entry (collection_id, tag, published, updated)
      SELECT ${collectionId}, tag, time, time
      FROM json_to_recordset(${JSON.stringify(rows)}::json)
        AS row (place integer, tag text, time double precision)
      ORDER BY place
      RETURNING id, tag`.execute(database);
    for (const { id, tag } of stored.rows) ids.set(tag, id);
  }
  return ids;
}

function chunksOf<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / ROWS);
  return Array.from({ length: count }, (_, at) => items.slice(at * ROWS, (at + 1) * ROWS));
}
