import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import type { DatabaseSync, DatabaseSyncOptions, StatementSync } from "node:sqlite";

/** Opens a database of SQLite. The caller sets it up. */
export function openDatabase(path: string, options: DatabaseSyncOptions): DatabaseSync {
  const { DatabaseSync } = withoutWarning(() => loadSqlite());
  return new DatabaseSync(path, options);
}

/** Statements that stay prepared: some are written anew for each number of rows. */
const STATEMENTS = 200;

/** The statements of a connection, each prepared once. */
export class PreparedStatements<Statement = StatementSync> {
  readonly #prepare: (query: string) => Statement;
  readonly #statements = new Map<string, Statement>();

  constructor(prepare: (query: string) => Statement) {
    this.#prepare = prepare;
  }

  of(query: string): Statement {
    const known = this.#statements.get(query);
    if (known !== undefined) return known;
    const statement = this.#prepare(query);
    if (this.#statements.size >= STATEMENTS) this.#statements.clear();
    this.#statements.set(query, statement);
    return statement;
  }

  clear(): void {
    this.#statements.clear();
  }
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

/** Milliseconds for which a process that was just killed may still end. */
const PATIENCE = 1_000;

const BUSY = 5;

/** `alone`: nobody else has the database meanwhile; `shared`: nobody has it alone. */
type LockMode = "alone" | "shared";

/**
 * Locks a database of SQLite by a file beside it, until it is disposed of or the process ends, however that ends. No
 * clock matters: a process that stands still keeps its lock.
 *
 * @returns `undefined` while another process, or another part of this one, has it
 * @throws {Error} if the file cannot be opened
 */
export function lockDatabase(path: string, mode: LockMode): Disposable | undefined {
  const file = `${path}.lock`;
  const readOnly = mode === "shared";
  // A reader may not be allowed to write there.
  if (readOnly && !existsSync(file)) return { [Symbol.dispose]: () => {} };
  const connection = openDatabase(file, { readOnly, timeout: PATIENCE });
  try {
    // The transaction never ends: the system gives its lock back with the process. Without a journal it is one file.
    connection.exec(
      readOnly
        ? "BEGIN; SELECT * FROM sqlite_schema"
        : "PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE",
    );
  } catch (error) {
    connection.close();
    if (error instanceof Error && "errcode" in error && error.errcode === BUSY) return undefined;
    throw error;
  }
  return { [Symbol.dispose]: () => connection.close() };
}
