import type { Kysely } from "kysely";
import type { Schema } from "../store/schema.ts";
import { NO_LEASE } from "../store/values.ts";
import type { Lease } from "./lease.ts";

/** Gives a source back unchecked: it is as due as before, and anybody may check it. */
export async function giveBack(database: Kysely<Schema>, { id, source }: Lease): Promise<void> {
  await database
    .updateTable("source")
    .set(NO_LEASE)
    .where("id", "=", source.id)
    .where("lease", "=", id)
    .execute();
}
