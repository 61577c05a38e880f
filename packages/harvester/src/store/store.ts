import type { Kysely, Transaction } from "kysely";
import type { Schema } from "./schema.ts";

/** The harvester's memory: SQLite in a file, or PostgreSQL. */
export interface Store {
  readonly database: Kysely<Schema>;
  /** Opens a connection of its own for reading; of a database in memory, the same one. */
  readonly reader: () => Store;
  close(): Promise<void>;
}

/**
 * Does something in one transaction; once more, where others were in its way: a deadlock, a lost connection,
 * or a row that somebody else has added at the same moment.
 */
export async function inTransaction<Result>(
  database: Kysely<Schema>,
  work: (transaction: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  try {
    return await database.transaction().execute(work);
  } catch (error) {
    if (!isPassing(error)) throw error;
    return database.transaction().execute(work);
  }
}

/** By PostgreSQL's codes (appendix A of its manual) and those of the system. */
function isPassing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^(?:40P01|40001|23505|08\w{3}|57P01|ECONN\w+|EPIPE)$/.test(code);
}
