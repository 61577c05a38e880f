import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { DatabaseSync, DatabaseSyncOptions, SQLInputValue, StatementSync } from "node:sqlite";
import { Kysely, type SqliteDatabase, SqliteDialect } from "kysely";
import { lock } from "proper-lockfile";
import { DatabaseFolderError, DatabaseInUseError } from "./errors.ts";
import { endLeases } from "./host.ts";
import { migrate } from "./migrate.ts";
import type { Schema } from "./schema.ts";
import type { Store } from "./store.ts";

/** Milliseconds without renewal after which a lock's owner was killed. */
const STALE = 5000;

const STATEMENTS = 200;

/**
 * Opens the database in a folder, or a temporary one in memory.
 * @throws {DatabaseInUseError} {@link DatabaseFolderError} if it cannot be created, or is damaged
 */
export async function openSqlite(folder: string | undefined): Promise<Store> {
  if (folder === undefined) return openFile(":memory:", async () => {});
  const release = await takeFolder(folder);
  try {
    return await openFile(join(folder, "harvest.sqlite"), release);
  } catch (error) {
    await release();
    throw error instanceof Error ? new DatabaseFolderError(folder, error) : error;
  }
}

/** Opens a database of another thread, read-only. */
export function readSqlite(folder: string): Store {
  const database = connect(join(folder, "harvest.sqlite"), true);
  const store: Store = { database, reader: () => store, close: () => database.destroy() };
  return store;
}

async function openFile(path: string, release: () => Promise<void>): Promise<Store> {
  const database = connect(path, false);
  try {
    await migrate(database);
    await endLeases(database);
  } catch (error) {
    await database.destroy();
    throw error;
  }
  const store: Store = {
    database,
    reader: () => store,
    close: async () => {
      await database.destroy();
      await release();
    },
  };
  return store;
}

function connect(path: string, readOnly: boolean): Kysely<Schema> {
  const connection = openDatabase(path, { readOnly, timeout: 10_000 });
  if (!readOnly) {
    // NORMAL may lose the last transactions in a power failure: their documents are read again.
    connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    // Pages of 4 KiB: what many transactions change is written once.
    connection.exec("PRAGMA wal_autocheckpoint = 8000");
  }
  connection.exec(
    "PRAGMA foreign_keys = ON; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY",
  );
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database: adapt(connection) }) });
}

/** Opens a database of SQLite. Whoever opens it sets it up. */
export function openDatabase(path: string, options: DatabaseSyncOptions): DatabaseSync {
  const { DatabaseSync } = withoutWarning(() => loadSqlite());
  return new DatabaseSync(path, options);
}

function loadSqlite(): typeof import("node:sqlite") {
  return createRequire(import.meta.url)("node:sqlite");
}

/** Hides Node 22's warning that `node:sqlite` is experimental: operators cannot act on it. */
function withoutWarning<Value>(load: () => Value): Value {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function adapt(connection: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, StatementSync>();
  const prepared = (text: string): StatementSync => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    const statement = connection.prepare(text);
    if (statements.size >= STATEMENTS) statements.clear();
    statements.set(text, statement);
    return statement;
  };
  return {
    close: () => {
      statements.clear();
      connection.close();
    },
    prepare: (text) => {
      // A transaction that reads first would fail at its first write after another connection's.
      const statement = prepared(text === "begin" ? "BEGIN IMMEDIATE" : text);
      return {
        reader: statement.columns().length > 0,
        all: (values) => statement.all(...values.map(toInput)),
        run: (values) => statement.run(...values.map(toInput)),
        iterate: (values) => statement.iterate(...values.map(toInput)),
      };
    },
  };
}

function toInput(value: unknown): SQLInputValue {
  if (typeof value === "boolean") return Number(value);
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "bigint") return value;
  throw new TypeError(`SQLite takes no ${typeof value}`);
}

async function takeFolder(folder: string): Promise<() => Promise<void>> {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw error instanceof Error ? new DatabaseFolderError(folder, error) : error;
  }
  try {
    // Waits for the lock of a process that was just killed.
    const patience = { retries: 12, factor: 1, minTimeout: 500, maxTimeout: 500 };
    return await lock(folder, { stale: STALE, update: STALE / 2, retries: patience });
  } catch (error) {
    throw error instanceof Error && "code" in error && error.code === "ELOCKED"
      ? new DatabaseInUseError(folder)
      : error;
  }
}
