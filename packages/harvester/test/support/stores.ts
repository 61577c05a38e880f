import { beforeAll, describe } from "vitest";
import { openPostgres, openSqlite, type Store } from "../../src/store/open-store.ts";
import { NO_SERVER, TestDatabase, WITHOUT_SERVER } from "./postgres.ts";

/** An empty database that goes with the test. */
export interface TestStore extends AsyncDisposable {
  readonly store: Store;
}

/** Databases: in this process, and on a server where there is one. */
const STORES = [
  { name: "SQLite", isMissing: false, open: openInMemory },
  { name: "PostgreSQL", isMissing: NO_SERVER, open: openOnServer },
] as const;

let current: (typeof STORES)[number] = STORES[0];

/**
 * A suite that runs on each database. Without a server, PostgreSQL's is skipped, its hooks too.
 * @param title with `$name` for the database
 * @param tests opens the database, or has `openStore` open it
 */
export function describeStores(
  title: string,
  tests: (database: { readonly open: () => Promise<TestStore> }) => void,
): void {
  for (const database of STORES) {
    const { name, isMissing, open } = database;
    const reason = isMissing ? WITHOUT_SERVER : "";
    describe.skipIf(isMissing)(title.replace("$name", name) + reason, () => {
      beforeAll(() => {
        current = database;
      });
      tests({ open });
    });
  }
}

/** An empty database of the suite's kind, in memory outside of `describeStores`. It goes when it is closed. */
export async function openStore(): Promise<Store> {
  const opened = await current.open();
  return { ...opened.store, close: async () => opened[Symbol.asyncDispose]() };
}

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
