import { type Selectable, sql } from "kysely";
import { compiledOnce, isAmongIds } from "./dialects.ts";
import type { CollectionTable, Database } from "./schema.ts";

export type CollectionRow = Selectable<CollectionTable>;

/** A collection as it is to be stored. A new one has no id yet. */
export type CollectionState = Omit<CollectionRow, "id"> & { readonly id: number | undefined };

/** The collections that a source publishes; those that it still lists come first. */
export async function collectionsOf(
  database: Database,
  source: number,
): Promise<readonly CollectionRow[]> {
  return (await COLLECTIONS(database, source)).rows;
}

const COLLECTIONS = compiledOnce<number, CollectionRow>(
  (given) => sql`
    SELECT * FROM collection WHERE source_id = ${given((source) => source)} AND is_compared = 0
    ORDER BY is_listed DESC, id`,
);

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
