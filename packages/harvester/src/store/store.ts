import type { Kysely, Transaction } from "kysely";
import type { Schema } from "./schema.ts";

export interface Store {
  readonly database: Kysely<Schema>;
  /** A separate connection for reading; the same one for a database in memory. */
  readonly reader: () => Store;
  close(): Promise<void>;
}

/** Repeats the transaction once after a deadlock, a lost connection, or a concurrent insert. */
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

/** PostgreSQL's codes (appendix A of its manual) and the system's. */
function isPassing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^(?:40P01|40001|23505|08\w{3}|57P01|ECONN\w+|EPIPE)$/.test(code);
}
