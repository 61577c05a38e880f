import type { Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import * as tables from "./migrations/001-tables.ts";

const MIGRATIONS: Record<string, Migration> = { "001-tables": tables };

/**
 * Brings the tables to this version's form. Kysely keeps processes that start at once from doing it twice.
 *
 * @throws when the database refuses, or was made by a later version
 */
export async function migrate<Tables>(database: Kysely<Tables>): Promise<void> {
  const provider = { getMigrations: async () => MIGRATIONS };
  const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
  if (error !== undefined) throw error;
}
