import { openPostgres } from "../../src/store/postgres.ts";
import { openSqlite } from "../../src/store/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { NO_SERVER, TestDatabase } from "./postgres.ts";

/** An empty database that goes with the test. */
export interface TestStore extends AsyncDisposable {
  readonly store: Store;
}

/** The databases that a suite runs on: in this process, and on a server where there is one. */
export const STORES = [
  { name: "SQLite", isMissing: false, open: openInMemory },
  { name: "PostgreSQL", isMissing: NO_SERVER, open: openOnServer },
] as const;

async function openInMemory(): Promise<TestStore> {
  const store = await openSqlite(undefined);
  return { store, [Symbol.asyncDispose]: () => store.close() };
}

async function openOnServer(): Promise<TestStore> {
  const database = await TestDatabase.create();
  const store = await openPostgres(database.url);
  return {
    store,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await database[Symbol.asyncDispose]();
    },
  };
}
