import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { Kysely, PGliteDialect } from "kysely";
import { fromPglite } from "pg-boss";
import { lock } from "proper-lockfile";
import type { Store } from "./database.ts";
import { DatabaseFolderError, DatabaseInUseError } from "./errors.ts";
import { migrate } from "./migrate.ts";
import type { Schema } from "./schema.ts";
import { NO_LEASE } from "./values.ts";

/** Milliseconds after which a lock that nobody renews is that of a process that was killed. */
const STALE = 5000;

/**
 * Opens the database in a folder, or one in memory that ends with the process.
 *
 * PGlite lets a second process open the same folder and ruin it: a lock keeps that one out.
 *
 * @throws {DatabaseInUseError} while another process has it open
 * @throws {DatabaseFolderError} when it cannot be made there, or is damaged
 */
export async function openEmbedded(folder: string | undefined): Promise<Store> {
  const release = folder === undefined ? async () => {} : await take(folder);
  try {
    const pglite = await PGlite.create(folder === undefined ? undefined : join(folder, "postgres"));
    const database = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite }) });
    await migrate(database);
    await endLeases(database);
    return {
      database,
      jobs: { db: fromPglite(pglite), backend: "pglite" },
      close: async () => {
        if (!pglite.closed) await pglite.close();
        await release();
      },
    };
  } catch (error) {
    await release();
    if (folder === undefined || !(error instanceof Error)) throw error;
    throw new DatabaseFolderError(folder, error);
  }
}

/** Nobody else is at work here: what is held was held by a process that was killed. */
async function endLeases(database: Kysely<Schema>): Promise<void> {
  for (const table of ["source", "host"] as const) {
    await database.updateTable(table).set(NO_LEASE).execute();
  }
}

async function take(folder: string): Promise<() => Promise<void>> {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw error instanceof Error ? new DatabaseFolderError(folder, error) : error;
  }
  try {
    // Who was killed a moment ago has left a lock behind: it is waited for.
    const patience = { retries: 12, factor: 1, minTimeout: 500, maxTimeout: 500 };
    return await lock(folder, { stale: STALE, update: STALE / 2, retries: patience });
  } catch (error) {
    throw error instanceof Error && "code" in error && error.code === "ELOCKED"
      ? new DatabaseInUseError(folder)
      : error;
  }
}
