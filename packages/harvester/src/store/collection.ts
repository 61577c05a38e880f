import { isOfHost } from "@rs-emit/reader";
import { type Selectable, sql } from "kysely";
import { differences } from "./differences.ts";
import { isAmongIds } from "./portable.ts";
import type { CollectionTable, Database } from "./schema.ts";

export type CollectionRow = Selectable<CollectionTable>;

/** A collection as it is to be stored. A new one has no id yet. */
export type CollectionState = Omit<CollectionRow, "id"> & { readonly id: number | undefined };

/** The collections that a source publishes; those that it still lists come first. */
export async function collectionsOf(
  database: Database,
  source: number,
): Promise<readonly CollectionRow[]> {
  return database
    .selectFrom("collection")
    .selectAll()
    .where("source_id", "=", source)
    .where("is_compared", "=", 0)
    .orderBy("is_listed", "desc")
    .orderBy("id")
    .execute();
}

/** The collection of a source whose changes are found by comparing lists. */
export async function comparedCollection(
  database: Database,
  source: number,
): Promise<CollectionRow | undefined> {
  return database
    .selectFrom("collection")
    .selectAll()
    .where("source_id", "=", source)
    .where("is_compared", "=", 1)
    .executeTakeFirst();
}

/** The oldest other source on the host of a list that compares it: a site may be followed at several addresses. */
export async function sourceComparing(
  database: Database,
  list: string,
  source: number,
): Promise<number | undefined> {
  const found = await database
    .selectFrom("collection")
    .innerJoin("source", "source.id", "collection.source_id")
    .select(["source.id", "source.address"])
    .where("collection.capability_list_url", "=", list)
    .where("collection.is_compared", "=", 1)
    .where("source.id", "<>", source)
    .where("source.state", "in", ["followed", "paused"])
    .orderBy("source.id")
    .execute();
  return found.find(({ address }) => isOfHost(address, list))?.id;
}

/** Returns the id of a new collection. */
export async function addCollection(
  database: Database,
  { id: _, ...values }: CollectionState,
): Promise<number> {
  const { id } = await database
    .insertInto("collection")
    .values(values)
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Frees the keys of collections that get others: two may swap theirs. No other key begins like this. */
export async function freeKeys(database: Database, collections: readonly number[]): Promise<void> {
  if (collections.length === 0) return;
  await database
    .updateTable("collection")
    .set({ key: sql<string>`'? ' || id` })
    .where(isAmongIds(database, "id", collections))
    .execute();
}

/** Writes what differs from a known collection as it was. */
export async function updateCollection(
  database: Database,
  before: CollectionRow,
  row: CollectionState,
): Promise<void> {
  const changed = differences(before, { ...row, id: before.id });
  if (changed === undefined) return;
  await database.updateTable("collection").set(changed).where("id", "=", before.id).execute();
}
