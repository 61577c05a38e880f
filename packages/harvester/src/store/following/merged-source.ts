import { type Selectable, sql } from "kysely";
import type { Database, MergedSourceTable } from "../schema.ts";
import { endFollowing, nameUnnamed } from "./following.ts";
import { addLabels, labelsOf } from "./label.ts";

/** An address that was followed by itself. */
export type MergedAddress = Pick<Selectable<MergedSourceTable>, "address" | "merged_at">;

/** Ends a source that is the same site as another one, and remembers which. Its name and labels are handed on. */
export async function mergeInto(
  database: Database,
  { id, into }: { readonly id: number; readonly into: number },
  now: number,
): Promise<void> {
  await sql`INSERT INTO merged_source (source_id, into_id, address, merged_at)
    SELECT id, ${into}, address, ${now} FROM source WHERE id = ${id} AND address IS NOT NULL`.execute(
    database,
  );
  await database
    .updateTable("merged_source")
    .set({ into_id: into })
    .where("into_id", "=", id)
    .execute();
  await handOn(database, id, into);
  await endFollowing(database, id);
}

/** What followers said of a source is said of the other one, too. */
async function handOn(database: Database, id: number, into: number): Promise<void> {
  const { name, listed_at } = await database
    .selectFrom("source")
    .select(["name", "listed_at"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  if (name !== null) await nameUnnamed(database, into, name);
  const labels = (await labelsOf(database, [id])).get(id) ?? [];
  await addLabels(
    database,
    labels.map((label) => ({ source_id: into, label })),
  );
  if (listed_at === null) return;
  await database
    .updateTable("source")
    .set({ listed_at })
    .where("id", "=", into)
    .where(({ or, eb }) => or([eb("listed_at", "is", null), eb("listed_at", "<", listed_at)]))
    .execute();
}

/** The source that an ended one was merged into. */
export async function mergedInto(database: Database, id: number): Promise<number | undefined> {
  const row = await database
    .selectFrom("merged_source")
    .innerJoin("source", "source.id", "merged_source.into_id")
    .select("source.id")
    .where("merged_source.source_id", "=", id)
    .where("source.state", "!=", "unfollowed")
    .executeTakeFirst();
  return row?.id;
}

/** The addresses that were merged into a source, the newest first. */
export async function addressesMergedInto(
  database: Database,
  id: number,
): Promise<readonly MergedAddress[]> {
  return database
    .selectFrom("merged_source")
    .select(["address", "merged_at"])
    .where("into_id", "=", id)
    .orderBy("merged_at", "desc")
    .orderBy("source_id", "desc")
    .execute();
}
