import { sql } from "kysely";
import { isSqlite } from "../../src/store/dialects.ts";
import type { Database } from "../../src/store/schema.ts";

/** Empties a database. */
export async function forgetAll(database: Database): Promise<void> {
  // On PostgreSQL a deletion visits what each row is referenced by, with plans made when the tables were empty.
  if (!isSqlite(database)) {
    await sql`TRUNCATE feed, source, host CASCADE`.execute(database);
    return;
  }
  for (const table of ["feed", "source", "host"] as const) {
    await database.deleteFrom(table).execute();
  }
}
