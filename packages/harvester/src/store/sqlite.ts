import { join } from "node:path";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { Kysely, type SqliteDatabase, SqliteDialect } from "kysely";
import { makeFolder } from "../make-folder.ts";
import { DiskFullError, databaseErrorOf } from "./database-error.ts";
import { lockDatabase } from "./database-lock.ts";
import { DatabaseFolderError, DatabaseInUseError } from "./errors.ts";
import { endLeases } from "./host.ts";
import { migrate } from "./migrate.ts";
import type { Schema } from "./schema.ts";
import { openDatabase } from "./sqlite-file.ts";
import type { Store } from "./store.ts";

const FILE = "harvest.sqlite";

const STATEMENTS = 200;

/**
 * Opens the database in a folder, or a temporary one in memory.
 * @throws {DatabaseInUseError} {@link DatabaseFolderError} if it cannot be created, or is damaged
 */
export async function openSqlite(folder: string | undefined): Promise<Store> {
  if (folder === undefined) return openFile(":memory:", undefined);
  let lock: Disposable | undefined;
  try {
    makeFolder(folder);
    lock = lockDatabase(join(folder, FILE), "alone");
    if (lock === undefined) throw new DatabaseInUseError(folder);
    return await openFile(join(folder, FILE), lock);
  } catch (error) {
    lock?.[Symbol.dispose]();
    const isNamed = error instanceof DatabaseInUseError || !(error instanceof Error);
    if (isNamed || databaseErrorOf(error) instanceof DiskFullError) throw error;
    throw new DatabaseFolderError(folder, error);
  }
}

/** Opens a database of another thread, read-only. */
export function readSqlite(folder: string): Store {
  const database = connect(join(folder, FILE), true);
  const store: Store = { database, reader: () => store, close: () => database.destroy() };
  return store;
}

async function openFile(path: string, lock: Disposable | undefined): Promise<Store> {
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
      lock?.[Symbol.dispose]();
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
      const statement = prepared(inSqlite(text, connection.isTransaction));
      return {
        reader: statement.columns().length > 0,
        all: (values) => statement.all(...values.map(toInput)),
        run: (values) => statement.run(...values.map(toInput)),
        iterate: (values) => statement.iterate(...values.map(toInput)),
      };
    },
  };
}

function inSqlite(text: string, isTransaction: boolean): string {
  // A transaction that reads first would fail at its first write after another connection's.
  if (text === "begin") return "BEGIN IMMEDIATE";
  // A full disk, say, has ended the transaction: an error here would hide that one.
  if (text === "rollback" && !isTransaction) return "SELECT 1";
  return text;
}

function toInput(value: unknown): SQLInputValue {
  if (typeof value === "boolean") return Number(value);
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "bigint") return value;
  throw new TypeError(`SQLite takes no ${typeof value}`);
}
