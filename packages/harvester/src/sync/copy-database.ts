import { dirname } from "node:path";
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import { HarvestError, reasonOf } from "@rs-emit/reader";
import { refusalOf } from "../folders.ts";
import { lockDatabase, openDatabase, PreparedStatements } from "../store/sqlite-file.ts";
import { copyError } from "./errors.ts";

/** Of the tables, and of the rules by which files are named: raise it with each change of either. It is SQLite's `user_version`. */
const FORMAT = 1;

/** A row, by the names of its columns. */
export type StoredRow = Readonly<Record<string, SQLOutputValue>>;

/**
 * The SQLite file of a copy. One process may write, or several may read. What is written counts from `commit` on;
 * without it, the file stays as it was.
 */
export class CopyDatabase implements Disposable {
  readonly #lock: Disposable | undefined;
  readonly #connection: DatabaseSync;
  readonly #statements = new PreparedStatements((query) => this.#connection.prepare(query));
  readonly #readOnly: boolean;

  /**
   * @param path of the database, or `:memory:`
   * @param tables statements that make its tables, where it is new
   * @throws {HarvestError} while another process uses it, where it is damaged, or has another format
   */
  constructor(path: string, tables: string, { readOnly }: { readonly readOnly: boolean }) {
    this.#lock = lockOf(path, readOnly);
    this.#connection = openDatabase(path, { readOnly });
    this.#readOnly = readOnly;
    try {
      this.exec("PRAGMA cache_size = -16000; PRAGMA temp_store = FILE");
      if (!readOnly) this.exec("PRAGMA locking_mode = EXCLUSIVE");
      const format = this.#statements.of("PRAGMA user_version").get()?.user_version;
      if (format !== 0 && format !== FORMAT) throw otherFormat(path, format);
      if (!readOnly) this.exec(WRITING);
      this.exec(readOnly ? "BEGIN; SELECT 1 FROM copy" : "BEGIN");
      // At once: a run that is killed leaves all of it or none.
      if (format === 0) this.exec(`${tables}; PRAGMA user_version = ${FORMAT}`);
      if (!readOnly) this.commit();
    } catch (error) {
      this.#connection.close();
      this.#lock?.[Symbol.dispose]();
      throw error instanceof HarvestError ? error : unusable(path, error);
    }
  }

  /** Forgets what was not committed. */
  [Symbol.dispose](): void {
    this.#statements.clear();
    try {
      // At rest it is one file, which can be read where nothing can be written.
      if (!this.#readOnly) this.exec("ROLLBACK; PRAGMA journal_mode = DELETE");
    } catch {
      // A full disk, for example: the next run reads the log.
    }
    this.#connection.close();
    this.#lock?.[Symbol.dispose]();
  }

  commit(): void {
    this.#connection.exec("COMMIT; BEGIN");
  }

  exec(statements: string): void {
    this.#connection.exec(statements);
  }

  /** Returns whether it changed any row. */
  run(query: string, ...values: SQLInputValue[]): boolean {
    return this.#statements.of(query).run(...values).changes > 0;
  }

  get(query: string, ...values: SQLInputValue[]): StoredRow | undefined {
    return this.#statements.of(query).get(...values);
  }

  /** A number that a query gives; 0 where it gives none. */
  number(query: string, ...values: SQLInputValue[]): number {
    const [value] = Object.values(this.get(query, ...values) ?? {});
    return typeof value === "number" ? value : 0;
  }

  /**
   * Rows by their column `key`, some at a time: what is done with them may change them.
   *
   * @param query with `key > ?`, then what takes the values, and `ORDER BY key`
   */
  *byKey(query: string, ...values: SQLInputValue[]): Generator<StoredRow> {
    for (let last = ""; ; ) {
      const page = this.#statements.of(`${query} LIMIT 500`).all(last, ...values);
      yield* page;
      const end = page.at(-1);
      if (end === undefined) return;
      last = text(end.key);
    }
  }
}

/** @throws {HarvestError} */
function lockOf(path: string, readOnly: boolean): Disposable | undefined {
  if (path === ":memory:") return undefined;
  let lock: Disposable | undefined;
  try {
    lock = lockDatabase(path, readOnly ? "shared" : "alone");
  } catch (error) {
    throw unusable(path, error);
  }
  if (lock !== undefined) return lock;
  const copy = dirname(dirname(path));
  throw copyError(`Another rs-harvest is at work in ${copy}.`, "Wait until it is done.");
}

function unusable(path: string, error: unknown): HarvestError {
  const copy = dirname(dirname(path));
  const refusal = refusalOf(copy, [dirname(path), path, `${path}.lock`]);
  if (refusal !== undefined) {
    return copyError(`${copy} cannot hold a copy: ${refusal.problem}.`, refusal.cure, error);
  }
  return copyError(
    `${path} cannot be used (${reasonOf(error)}).`,
    `If the file is damaged, remove it: ${ANEW}`,
    error,
  );
}

function otherFormat(path: string, format: SQLOutputValue | undefined): HarvestError {
  return copyError(
    `${path} was written by another version of rs-harvest: it has format ${String(format)}, and this version knows ${FORMAT}.`,
    `Use that version; or remove the file: ${ANEW}`,
  );
}

const ANEW = "the next sync makes it anew, of the files that are in place.";

/**
 * Transactions go into a log beside the file, which reaches the disk when that is full. Nobody else reads that log, so its
 * index needs no file.
 */
const WRITING =
  "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8000";

/** @throws {TypeError} for a value that the table's schema does not allow */
export function text(value: SQLOutputValue | undefined): string {
  if (typeof value === "string") return value;
  throw new TypeError("a column of the copy's database holds no text");
}

/** @throws {TypeError} for a value that the table's schema does not allow */
export function textOrNull(value: SQLOutputValue | undefined): string | null {
  return value === null ? null : text(value);
}

/** @throws {TypeError} for a value that the table's schema does not allow */
export function numberOrNull(value: SQLOutputValue | undefined): number | null {
  if (value === null || typeof value === "number") return value;
  throw new TypeError("a column of the copy's database holds no number");
}
