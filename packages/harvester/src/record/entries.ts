import { type Kysely, sql } from "kysely";
import type { NewEntry } from "../enter/entries.ts";
import type { Schema } from "../store/schema.ts";
import { texts } from "../store/values.ts";
import type { IdentifiedChange } from "../take/identity.ts";
import { type Addition, type FeedOwner, tagsInArchives } from "./places.ts";

/** Rows that are sent at once: a source may tell very many changes. */
const ROWS = 10_000;

/** A change, and the entry that tells of it; `null` for one that none tells of, such as a minor one. */
export interface PlacedChange {
  readonly change: IdentifiedChange;
  readonly entryId: number | null;
}

/**
 * Keeps entries with their changes. An entry whose tag is known tells of more from now on; where it stands in
 * an archive, which never changes, another one does.
 *
 * @returns what is to be added to the feeds they belong to
 */
export async function recordEntries(
  database: Kysely<Schema>,
  collection: FeedOwner,
  entries: readonly NewEntry[],
  now: number,
): Promise<Addition[]> {
  if (entries.length === 0) return [];
  const known = await knownTags(database, collection.id, entries);
  const archived = await tagsInArchives(database, collection, [...known]);
  const kept = entries.map((entry) => (archived.has(entry.tag) ? continued(entry) : entry));
  const ids = await upsertEntries(database, collection.id, kept);
  const changes = kept.flatMap(({ tag, changes }) =>
    changes.map((change) => ({ change, entryId: ids.get(tag) ?? null })),
  );
  await recordChanges(database, collection.id, changes, now);
  const added = kept.flatMap(({ tag }) => (known.has(tag) ? [] : (ids.get(tag) ?? [])));
  const updated = kept.reduce((time, entry) => Math.max(time, entry.updated), 0);
  return [{ collection, entries: added, updated }];
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
  entries: readonly NewEntry[],
): Promise<ReadonlySet<string>> {
  const tags = entries.map(({ tag }) => tag);
  const rows = await database
    .selectFrom("entry")
    .select("tag")
    .where("collection_id", "=", collectionId)
    .where("tag", "in", texts(tags))
    .execute();
  return new Set(rows.map(({ tag }) => tag));
}

/** A change is told once, so that its identity names what begins with it. */
function continued(entry: NewEntry): NewEntry {
  const [first] = entry.changes;
  return first === undefined ? entry : { ...entry, tag: `${entry.tag}/${first.identity}` };
}

/** Keeps entries; gives their ids by tag. */
async function upsertEntries(
  database: Kysely<Schema>,
  collectionId: number,
  entries: readonly NewEntry[],
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const some of chunksOf(entries)) {
    const rows = some.map(({ tag, published, updated }, place) => ({
      place,
      tag,
      published,
      updated,
    }));
    const stored = await sql<{ id: number; tag: string }>`
      INSERT INTO entry (collection_id, tag, published, updated)
      SELECT ${collectionId}, tag, published, updated
      FROM json_to_recordset(${JSON.stringify(rows)}::json)
        AS row (place integer, tag text, published double precision, updated double precision)
      ORDER BY place
      ON CONFLICT (collection_id, tag) DO UPDATE SET updated = greatest(entry.updated, excluded.updated)
      RETURNING id, tag`.execute(database);
    for (const { id, tag } of stored.rows) ids.set(tag, id);
  }
  return ids;
}

function chunksOf<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / ROWS);
  return Array.from({ length: count }, (_, at) => items.slice(at * ROWS, (at + 1) * ROWS));
}
