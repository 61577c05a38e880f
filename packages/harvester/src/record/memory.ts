import { type Kysely, sql } from "kysely";
import type { IdentifiedChange } from "../changes/identified.ts";
import type { Memory, ResourceState, Selection } from "../changes/select-new.ts";
import type { Schema } from "../store/schema.ts";
import { texts } from "../store/values.ts";

/** A list in the database, and whether it may hold other changes one day. */
export interface StoredList {
  readonly documentId: number;
  readonly isClosed: boolean;
}

/** Stands for a list where a change is in none any more. */
const NOWHERE = 0;

/** Which of some changes were seen before, and in which lists. */
export async function seenBefore(
  database: Kysely<Schema>,
  collectionId: number,
  changes: readonly IdentifiedChange[],
): Promise<ReadonlyMap<string, number>> {
  if (changes.length === 0) return new Map();
  const rows = await database
    .selectFrom("seen")
    .select(["identity", "document_id"])
    .where("collection_id", "=", collectionId)
    .where("identity", "in", texts(changes.map(({ identity }) => identity)))
    .execute();
  return new Map(rows.map(({ identity, document_id }) => [identity, document_id]));
}

/**
 * Changes that were seen in lists which hold them no longer. They count as vanished only once.
 *
 * @param changed lists that were read again, and those that are named no longer
 * @returns their datetimes
 */
export async function vanishedFrom(
  database: Kysely<Schema>,
  collectionId: number,
  changed: readonly number[],
  changes: readonly IdentifiedChange[],
): Promise<number[]> {
  if (changed.length === 0) return [];
  const rows = await database
    .updateTable("seen")
    .set({ document_id: NOWHERE })
    // A list may have been another collection's before.
    .where("collection_id", "=", collectionId)
    .where("document_id", "in", changed)
    .where("identity", "not in", texts(changes.map(({ identity }) => identity)))
    .returning("datetime")
    .execute();
  return rows.map(({ datetime }) => datetime);
}

/** What was last seen of the resources that some changes are about. */
export async function resourcesOf(
  database: Kysely<Schema>,
  collectionId: number,
  changes: readonly IdentifiedChange[],
): Promise<Memory["resources"]> {
  if (changes.length === 0) return new Map();
  const rows = await database
    .selectFrom("resource")
    .select(["key", "hash", "datetime"])
    .where("collection_id", "=", collectionId)
    .where("key", "in", texts(changes.map(({ resource }) => resource)))
    .execute();
  return new Map(rows.map(({ key, ...state }) => [key, state]));
}

/** Remembers what was seen, and in which lists. */
export async function remember(
  database: Kysely<Schema>,
  collectionId: number,
  { unseen, resources }: Pick<Selection, "unseen" | "resources">,
  listOf: (change: IdentifiedChange) => StoredList | undefined,
): Promise<void> {
  const seen = unseen.map((change) => ({
    identity: change.identity,
    document_id: listOf(change)?.documentId ?? NOWHERE,
    datetime: change.datetime,
  }));
  if (seen.length > 0) await insertSeen(database, collectionId, seen);
  if (resources.size > 0) await upsertResources(database, collectionId, resources);
}

/**
 * Remembers in which list known changes stand now: what stands in a closed one will stay there; what stood
 * nowhere, or in a list that is named no longer, stands somewhere again.
 *
 * @param changes those of the list
 * @param seen where they were seen before
 * @param dropped lists that are named no longer
 */
export async function rehome(
  database: Kysely<Schema>,
  collectionId: number,
  changes: readonly IdentifiedChange[],
  { documentId, isClosed }: StoredList,
  { seen, dropped }: { seen: ReadonlyMap<string, number>; dropped: readonly number[] },
): Promise<void> {
  const left = new Set([NOWHERE, ...dropped]);
  const moved = changes.filter(({ identity }) => {
    const place = seen.get(identity);
    if (place === undefined || place === documentId) return false;
    return isClosed || left.has(place);
  });
  if (moved.length === 0) return;
  await database
    .updateTable("seen")
    .set({ document_id: documentId })
    .where("collection_id", "=", collectionId)
    .where("identity", "in", texts(moved.map(({ identity }) => identity)))
    .execute();
}

async function insertSeen(
  database: Kysely<Schema>,
  collectionId: number,
  rows: readonly object[],
): Promise<void> {
  await sql`INSERT INTO seen (collection_id, identity, document_id, datetime)
    SELECT ${collectionId}, identity, document_id, datetime
    FROM json_to_recordset(${JSON.stringify(rows)}::json)
      AS row (identity text, document_id integer, datetime double precision)`.execute(database);
}

async function upsertResources(
  database: Kysely<Schema>,
  collectionId: number,
  resources: ReadonlyMap<string, ResourceState>,
): Promise<void> {
  const rows = [...resources].map(([key, state]) => ({ key, ...state }));
  await sql`INSERT INTO resource (collection_id, key, hash, datetime)
    SELECT ${collectionId}, key, hash, datetime
    FROM json_to_recordset(${JSON.stringify(rows)}::json)
      AS row (key text, hash text, datetime double precision)
    ON CONFLICT (collection_id, key) DO UPDATE
      SET hash = excluded.hash, datetime = excluded.datetime`.execute(database);
}
