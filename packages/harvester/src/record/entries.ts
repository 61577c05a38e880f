import { type Kysely, sql } from "kysely";
import type { NewEntry } from "../enter/entries.ts";
import type { Schema } from "../store/schema.ts";
import type { IdentifiedChange } from "../take/identity.ts";

/** Keeps entries with their changes, and gives them places in the feeds they belong to. */
export async function recordEntries(
  database: Kysely<Schema>,
  collection: { readonly id: number; readonly source_id: number },
  entries: readonly NewEntry[],
  now: number,
): Promise<void> {
  const added: number[] = [];
  for (const entry of entries) {
    const { id, isNew } = await recordEntry(database, collection.id, entry);
    await recordChanges(database, collection.id, id, entry.changes, now);
    if (isNew) added.push(id);
  }
  if (entries.length === 0) return;
  const updated = Math.max(...entries.map((entry) => entry.updated));
  await append(database, feedsOf(collection), added, updated);
}

/** Keeps changes that no entry tells of, such as minor ones. */
export async function recordChanges(
  database: Kysely<Schema>,
  collectionId: number,
  entryId: number | null,
  changes: readonly IdentifiedChange[],
  now: number,
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map((change) => ({
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
    SELECT ${collectionId}, ${entryId}, url, kind, datetime, lastmod, title, words, is_minor, ${now}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row (url text, kind text,
      datetime double precision, lastmod double precision, title text, words text, is_minor boolean)`.execute(
    database,
  );
}

/** The feeds that a collection's entries stand in; the one that all share comes last. */
export function feedsOf({ id, source_id }: { id: number; source_id: number }): string[] {
  return [`collection/${id}`, `source/${source_id}`, "all"];
}

/** An entry whose tag is known tells of more from now on. */
async function recordEntry(
  database: Kysely<Schema>,
  collectionId: number,
  { tag, published, updated }: NewEntry,
): Promise<{ id: number; isNew: boolean }> {
  const known = await database
    .updateTable("entry")
    .set(({ fn, ref, val }) => ({
      updated: fn<number>("greatest", [ref("updated"), val(updated)]),
    }))
    .where("collection_id", "=", collectionId)
    .where("tag", "=", tag)
    .returning("id")
    .executeTakeFirst();
  if (known !== undefined) return { id: known.id, isNew: false };
  const { id } = await database
    .insertInto("entry")
    .values({ collection_id: collectionId, tag, published, updated })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { id, isNew: true };
}

/** Every transaction takes feeds in the order given: none waits for one that waits for it. */
async function append(
  database: Kysely<Schema>,
  feeds: readonly string[],
  entries: readonly number[],
  updated: number,
): Promise<void> {
  const stored = await database
    .insertInto("feed")
    .values(feeds.map((key) => ({ key, entries: entries.length, updated })))
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({
        entries: sql`feed.entries + excluded.entries`,
        updated: sql`greatest(feed.updated, excluded.updated)`,
      }),
    )
    .returning(["key", "entries"])
    .execute();
  if (entries.length === 0) return;
  const rows = stored.flatMap(({ key, entries: count }) =>
    entries.map((entry_id, at) => ({
      feed: key,
      number: count - entries.length + at + 1,
      entry_id,
    })),
  );
  await database.insertInto("feed_entry").values(rows).execute();
}
