import { Kysely, PostgresDialect } from "kysely";
import { Pool, types } from "pg";
import type { Store } from "./database.ts";
import { DatabaseServerError } from "./errors.ts";
import { migrate } from "./migrate.ts";
import type { Schema } from "./schema.ts";

/** The type `bigint`: counts and ids here are far below what a number holds exactly. */
const BIGINT = 20;

/**
 * Opens a database on a PostgreSQL server.
 *
 * @param url such as `postgres://name:password@host/database`
 * @throws {DatabaseServerError} when it cannot be reached or used; the message holds no password
 */
export async function openServer(url: string, connections = 10): Promise<Store> {
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
  try {
    await migrate(database);
  } catch (error) {
    await database.destroy();
    throw error instanceof Error ? new DatabaseServerError(url, error) : error;
  }
  return {
    database,
    jobs: {
      db: { executeSql: (text: string, values?: unknown[]) => pool.query(text, values) },
      backend: "postgres",
    },
    close: () => database.destroy(),
  };
}
