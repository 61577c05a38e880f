import { Kysely, PostgresDialect } from "kysely";
import { Pool, types } from "pg";
import { DatabaseServerError } from "./errors.ts";
import { migrate } from "./migrate.ts";
import type { Schema } from "./schema.ts";
import type { Store } from "./store.ts";

/** The type `bigint`: counts and ids here are far below what a number holds exactly. */
const BIGINT = 20;

/**
 * Opens a database on a PostgreSQL server.
 *
 * @param url such as `postgres://name:password@host/database`
 * @throws {DatabaseServerError} when it cannot be reached or used; the message holds no password
 */
export async function openPostgres(url: string, connections = 10): Promise<Store> {
  const store = connectPostgres(url, connections);
  try {
    await migrate(store.database);
    return store;
  } catch (error) {
    await store.close();
    throw error instanceof Error ? new DatabaseServerError(url, error) : error;
  }
}

/** Connects to a database whose tables are up to date. */
export function connectPostgres(url: string, connections: number): Store {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    types: {
      getTypeParser: (oid: number) =>
        oid === BIGINT ? (value: string) => Number(value) : types.getTypeParser(oid),
    },
  });
  // A connection that the server ends while it is idle is replaced by the next query.
  pool.on("error", () => {});
  const database = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  const store: Store = { database, reader: () => store, close: () => database.destroy() };
  return store;
}
