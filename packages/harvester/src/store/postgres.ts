import { Kysely, PostgresDialect, PostgresDriver } from "kysely";
import { Pool, types } from "pg";
import { DatabaseServerError } from "./errors.ts";
import { migrate } from "./migrate.ts";
import type { Schema } from "./schema.ts";
import type { Store } from "./store.ts";

/** Type `bigint`, parsed as a number: all values here are exact. */
const BIGINT = 20;

/**
 * @param url such as `postgres://name:password@host/database`
 * @throws {DatabaseServerError} if it cannot be used; the message holds no password
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

export function connectPostgres(url: string, connections: number): Store {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    types: {
      getTypeParser: (oid: number) =>
        oid === BIGINT ? (value: string) => Number(value) : types.getTypeParser(oid),
    },
  });
  // The next query replaces a connection that the server closed.
  pool.on("error", () => {});
  const dialect = new PostgresDialect({ pool });
  dialect.createDriver = () => new Driver({ pool });
  const database = new Kysely<Schema>({ dialect });
  const store: Store = { database, reader: () => store, close: () => database.destroy() };
  return store;
}

type Rollback = Parameters<PostgresDriver["rollbackTransaction"]>;

class Driver extends PostgresDriver {
  /** Its failure would hide the error that ended the transaction. The connection is discarded then. */
  override async rollbackTransaction(...[connection]: Rollback): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => {});
  }
}
