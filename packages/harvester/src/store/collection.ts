import { isOfHost } from "@rs-emit/reader";
import { type Selectable, sql } from "kysely";
import { columnsOf, ids, insertion, update } from "./portable.ts";
import type { CollectionTable, Database } from "./schema.ts";

export type CollectionRow = Selectable<CollectionTable>;

/** A collection as it is to be stored. A new one has no id yet. */
export type CollectionState = Omit<CollectionRow, "id"> & { readonly id: number | undefined };

/** By source id; collections that their sources still list come first. Those found by comparing lists are left out. */
export async function collectionsOf(
  database: Database,
  sources: readonly number[],
): Promise<ReadonlyMap<number, readonly CollectionRow[]>> {
  if (sources.length === 0) return new Map();
  const found = await database
    .selectFrom("collection")
    .selectAll()
    .where("source_id", "in", ids(database, sources))
    .where("is_compared", "=", 0)
    .orderBy("is_listed", "desc")
    .orderBy("id")
    .execute();
  return Map.groupBy(found, ({ source_id }) => source_id);
}

/** The collections of sources whose changes are found by comparing lists: by source id, one each. */
export async function comparedCollections(
  database: Database,
  sources: readonly number[],
): Promise<ReadonlyMap<number, CollectionRow>> {
  if (sources.length === 0) return new Map();
  const found = await database
    .selectFrom("collection")
    .selectAll()
    .where("source_id", "in", ids(database, sources))
    .where("is_compared", "=", 1)
    .execute();
  return new Map(found.map((row) => [row.source_id, row]));
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

export async function addCollections(
  database: Database,
  added: readonly Omit<CollectionState, "id">[],
): Promise<readonly CollectionRow[]> {
  if (added.length === 0) return [];
  const { rows } = await sql<CollectionRow>`
    ${insertion(database, "collection", added)} RETURNING *`.execute(database);
  return rows;
}

/** Writes known collections that differ from what they were `before`. */
export async function updateCollections(
  database: Database,
  updated: readonly {
    readonly before: CollectionRow | undefined;
    readonly row: CollectionState;
  }[],
): Promise<void> {
  const changed = updated.flatMap(({ before, row }) => {
    if (before === undefined) return [];
    const isOther = columnsOf([before]).some((name) => before[name] !== row[name]);
    return isOther ? [{ before, row: { ...row, id: before.id } }] : [];
  });
  if (changed.length === 0) return;
  const rekeyed = changed.flatMap(({ before, row }) => (before.key === row.key ? [] : [before.id]));
  const collections = changed.map(({ row }) => row);
  if (rekeyed.length > 0) {
    // Two may have swapped their keys. No other key begins like this.
    await database
      .updateTable("collection")
      .set({ key: sql<string>`'? ' || id` })
      .where("id", "in", ids(database, rekeyed))
      .execute();
  }
  await update(database, "collection", collections).execute(database);
}
