import type { Kysely } from "kysely";
import { HarvestError } from "../errors.ts";
import type { Schema } from "../store/schema.ts";

/** A site that whoever runs the harvester does not want to be followed. */
export class BlockedError extends HarvestError {
  readonly code = "BLOCKED";
  constructor(host: string) {
    super(`${host} is not followed here: whoever runs this harvester has blocked it.`);
  }
}

/** Whether nothing on a host is to be followed. */
export async function isBlocked(database: Kysely<Schema>, host: string): Promise<boolean> {
  const row = await database
    .selectFrom("source")
    .select("id")
    .where("host", "=", host)
    .where("state", "=", "blocked")
    .executeTakeFirst();
  return row !== undefined;
}
