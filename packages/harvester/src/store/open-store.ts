import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { HarvestError, hasCode } from "@rs-emit/reader";
import {
  Kysely,
  PostgresDialect,
  PostgresDriver,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from "kysely";
import { makeFolder } from "../folders.ts";
import { EachRow } from "./dialects.ts";
import {
  databaseErrorOf,
  databaseFolderError,
  databaseInUseError,
  databaseServerError,
  FILE,
  placed,
  withoutPassword,
} from "./errors.ts";
import { endLeases } from "./host-leases.ts";
import { migrate } from "./migrations.ts";
import type { Database, Schema } from "./schema.ts";
import { TurnsDriver } from "./sqlite-driver.ts";
import { lockDatabase, openDatabase, PreparedStatements } from "./sqlite-file.ts";

export interface Store {
  readonly database: Database;
  /** Whether its file is still where it was opened: a deleted one answers, and is lost with the process. */
  readonly isInPlace: () => boolean;
  close(): Promise<void>;
}

/** The folder of a database of SQLite, or none for one in memory; or the URL of a PostgreSQL database. */
type StorePlace = { readonly folder: string | undefined } | { readonly url: string };

/**
 * Opens a database, and makes its tables where they are missing.
 * @throws {HarvestError}
 */
export function openStore(place: StorePlace): Promise<Store> {
  return "url" in place ? openPostgres(place.url) : openSqlite(place.folder);
}

/** Opens a database that another thread of this process has opened, and keeps open for as long. */
export async function joinStore(place: StorePlace): Promise<Store> {
  if ("url" in place) return connectPostgres(place.url);
  const path = place.folder === undefined ? ":memory:" : join(place.folder, FILE);
  const database = connect(path, false);
  return { database, isInPlace: watchPlace(path), close: () => database.destroy() };
}

/** Connections to PostgreSQL for those who write. */
const CONNECTIONS = 10;

/** Milliseconds in which a database must be free for a reader: it waits for none but its recovery. */
const READING = 10_000;

/**
 * Opens the database in a folder, or a temporary one in memory.
 * @throws {HarvestError} if it cannot be created, or is damaged
 */
export async function openSqlite(folder: string | undefined): Promise<Store> {
  if (folder === undefined) return openFile(":memory:", undefined);
  let lock: Disposable | undefined;
  try {
    makeFolder(folder);
    lock = lockDatabase(join(folder, FILE), "alone");
    if (lock === undefined) throw databaseInUseError(folder);
    return await openFile(join(folder, FILE), lock);
  } catch (error) {
    lock?.[Symbol.dispose]();
    const isNamed = error instanceof HarvestError || !(error instanceof Error);
    if (isNamed || hasCode(databaseErrorOf(error), "DISK_FULL")) throw placed(error, folder);
    throw databaseFolderError(folder, error);
  }
}

/** Opens a database of another thread, read-only. */
export function readSqlite(folder: string): Store {
  const path = join(folder, FILE);
  const database = connect(path, true);
  return { database, isInPlace: watchPlace(path), close: () => database.destroy() };
}

async function openFile(path: string, lock: Disposable | undefined): Promise<Store> {
  const database = connect(path, false);
  try {
    await migrate(database, `in ${dirname(path)}`);
    await endLeases(database);
  } catch (error) {
    await database.destroy();
    throw error;
  }
  const close = async () => {
    await database.destroy();
    lock?.[Symbol.dispose]();
  };
  return { database, isInPlace: watchPlace(path), close };
}

function watchPlace(path: string): Store["isInPlace"] {
  const opened = statSync(path, { throwIfNoEntry: false });
  return () => {
    const now = statSync(path, { throwIfNoEntry: false });
    return now?.ino === opened?.ino && now?.dev === opened?.dev;
  };
}

function connect(path: string, readOnly: boolean): Database {
  const connection = openDatabase(path, { readOnly, timeout: READING });
  if (!readOnly) {
    // NORMAL may lose the last transactions in a power failure: their documents are read again.
    connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    // Pages of 4 KiB: what many transactions change is written once.
    connection.exec("PRAGMA wal_autocheckpoint = 20000");
    // A writer waits by its driver: here its thread would stand still.
    connection.exec("PRAGMA busy_timeout = 0");
  }
  connection.exec(
    "PRAGMA foreign_keys = ON; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY",
  );
  const config = { database: adapt(connection) };
  const dialect = new SqliteDialect(config);
  dialect.createDriver = () => new TurnsDriver(config, path);
  dialect.createAdapter = () => new Adapter();
  return new Kysely<Schema>({ dialect });
}

/** SQLite undoes changes of tables, too: a killed migration leaves nothing. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function adapt(connection: DatabaseSync): SqliteDatabase {
  const statements = new PreparedStatements((text) => adapted(connection.prepare(text)));
  return {
    close: () => {
      statements.clear();
      connection.close();
    },
    prepare: (text) => statements.of(inSqlite(text, connection.isTransaction)),
  };
}

function adapted(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (values) => statement.all(...values.map(toInput)),
    run: (values) => runEach(statement, values),
    iterate: (values) => statement.iterate(...values.map(toInput)),
  };
}

/** Runs a statement once; or for each row, where each parameter has a value for each. */
function runEach(statement: StatementSync, parameters: readonly unknown[]) {
  const columns = parameters.flatMap((one) => (one instanceof EachRow ? [one.values] : []));
  const [first = []] = columns;
  if (first.length === 0) return statement.run(...parameters.map(toInput));
  const run = (at: number) => statement.run(...columns.map((values) => toInput(values[at])));
  let result = run(0);
  for (let at = 1; at < first.length; at += 1) result = run(at);
  return result;
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
  if (Array.isArray(value)) return JSON.stringify(value);
  throw new TypeError(`SQLite takes no ${typeof value}`);
}

/** Type `bigint`, parsed as a number: all values here are exact. */
const BIGINT = 20;

/**
 * @param url such as `postgres://name:password@host/database`
 * @throws {HarvestError} if it cannot be used; the message holds no password
 */
export async function openPostgres(url: string): Promise<Store> {
  const store = await connectPostgres(url);
  try {
    await migrate(store.database, `at ${withoutPassword(url)}`);
    return store;
  } catch (error) {
    await store.close();
    const isNamed = error instanceof HarvestError || !(error instanceof Error);
    throw isNamed ? error : databaseServerError(url, error);
  }
}

async function connectPostgres(url: string): Promise<Store> {
  // Loaded where it is needed: most keep SQLite.
  const { Pool, types } = await import("pg");
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS,
    types: {
      getTypeParser: (oid: number) =>
        oid === BIGINT ? (value: string) => Number(value) : types.getTypeParser(oid),
    },
  });
  // The next query replaces a connection that the server closed.
  pool.on("error", () => {});
  // One that ends while it is in use fails its query too. Without a listener, it would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  const dialect = new PostgresDialect({ pool });
  dialect.createDriver = () => new Driver({ pool });
  const database = new Kysely<Schema>({ dialect });
  return { database, isInPlace: () => true, close: () => database.destroy() };
}

type Rollback = Parameters<PostgresDriver["rollbackTransaction"]>;

class Driver extends PostgresDriver {
  /** Its failure would hide the error that ended the transaction. The connection is discarded then. */
  override async rollbackTransaction(...[connection]: Rollback): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => {});
  }
}
