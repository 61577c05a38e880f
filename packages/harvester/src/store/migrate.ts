import type { Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import * as tables from "./migrations/001-tables.ts";

const MIGRATIONS: Record<string, Migration> = { "001-tables": tables };

/** Throws for tables of a later version. Kysely locks, so that processes migrate once. */
export async function migrate<Tables>(database: Kysely<Tables>): Promise<void> {
  const provider = { getMigrations: async () => MIGRATIONS };
  const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
  if (error !== undefined) throw error;
}
