import type { Kysely } from "kysely";
import type { Schema } from "../store/schema.ts";
import type { Lease } from "./lease.ts";

/**
 * Keeps where the Source Description of a source is. Two addresses may lead to one site: the newer source
 * ends then.
 *
 * @returns the source that has it already
 */
export async function adoptDescription(
  database: Kysely<Schema>,
  { source }: Lease,
  descriptionUrl: string,
): Promise<number | undefined> {
  return database.transaction().execute(async (transaction) => {
    const other = await transaction
      .selectFrom("source")
      .select("id")
      .where("description_url", "=", descriptionUrl)
      .where("id", "!=", source.id)
      .executeTakeFirst();
    const { id } = source;
    if (other === undefined) {
      const update = transaction.updateTable("source").set({ description_url: descriptionUrl });
      await update.where("id", "=", id).execute();
    } else await transaction.deleteFrom("source").where("id", "=", id).execute();
    return other?.id;
  });
}
