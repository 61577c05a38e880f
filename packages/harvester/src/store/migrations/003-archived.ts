import { type Kysely, sql } from "kysely";

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE change ADD COLUMN archived text`.execute(database);
}
