import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { openDatabase } from "../store/sqlite.ts";
import { CopyError } from "./errors.ts";
import type { TakenName } from "./file-name.ts";
import { foldedPath } from "./file-name.ts";

/** A file of a copy, as sync knows it. */
export interface KnownFile {
  readonly key: string;
  readonly url: string;
  /** Below the copy's folder. */
  readonly file: string;
  /** SHA-256 in hex of what sync wrote; `null` while it was never written. */
  readonly hash: string | null;
  /** What it may still hold while `isPending`: sync was ended between saying so and writing. */
  readonly before: string | null;
  readonly isPending: number;
  /** Bytes. */
  readonly length: number | null;
  /** What the source said of it when it was written: digests, and times as they stood there. */
  readonly stated: string | null;
  readonly lastmod: string | null;
  /** The last change that it reflects: UTC seconds. */
  readonly datetime: number | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** The site has no such resource any more, and the file was kept. */
  readonly isGone: number;
}

/** How far the log of a collection was taken. */
export interface Mark {
  /** Since when everything in the Resource List is in place (its `at`): UTC seconds. */
  readonly at: number | null;
  /** The newest change that is in place: UTC seconds. */
  readonly through: number | null;
  /** The `--include` and `--exclude` that it was taken with. */
  readonly filter: string;
}

/** What a resource should be like, by what a source says. */
export interface Wanted {
  readonly key: string;
  readonly url: string;
  /** One of `PRESENT`, `GONE`, `LEFT_OUT`. */
  readonly state: number;
  readonly hash: string | null;
  readonly length: number | null;
  readonly lastmod: string | null;
  /** When it changed, of a change; `null` in a Resource List. UTC seconds. */
  readonly datetime: number | null;
}

export const PRESENT = 0;
export const GONE = 1;
/** It exists, and the command line leaves it out. */
export const LEFT_OUT = 2;

/**
 * What a copy remembers: which file holds which URL, with its hash, and how far each log was taken. Beside it
 * the working set of one run, which ends with it. Nothing of either is held in memory.
 */
export class CopyState implements Disposable {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /**
   * @param path of the database, or `:memory:`
   * @throws {CopyError} while another process uses it
   */
  constructor(path: string) {
    this.#database = openDatabase(path, { timeout: 1000 });
    try {
      // One process at a time: the lock ends with the process, however that ends.
      this.#database.exec(
        "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; " +
          "PRAGMA cache_size = -16000; PRAGMA temp_store = FILE; BEGIN EXCLUSIVE; COMMIT",
      );
      this.#database.exec(TABLES);
    } catch (error) {
      this.#database.close();
      throw new CopyError(
        `${path} cannot be used (${error instanceof Error ? error.message : error}). ` +
          "If another rs-harvest is at work in this folder, wait until it is done.",
        { cause: error },
      );
    }
  }

  [Symbol.dispose](): void {
    this.#statements.clear();
    this.#database.close();
  }

  /** The site that this is a copy of; ends with a slash. */
  get site(): string | undefined {
    return this.#get<{ site: string }>("SELECT site FROM copy")?.site;
  }

  set site(url: string) {
    this.#run("INSERT INTO copy (site) VALUES (?)", url);
  }

  /** How many files it has. */
  get files(): number {
    return this.#count("SELECT count(*) AS count FROM file WHERE hash IS NOT NULL");
  }

  file(key: string): KnownFile | undefined {
    return this.#get<KnownFile>("SELECT * FROM file WHERE key = ?", key);
  }

  /** Which name is taken; see `fileOf`. */
  taken(folded: string): TakenName | undefined {
    const same = this.#get<{ file: string }>("SELECT file FROM file WHERE folded = ?", folded);
    if (same !== undefined) return { kind: "file", path: same.file };
    const below = this.#get<{ file: string }>(
      "SELECT file FROM file WHERE folded >= ? AND folded < ? LIMIT 1",
      `${folded}/`,
      `${folded}0`,
    );
    if (below === undefined) return undefined;
    const depth = folded.split("/").length;
    return { kind: "folder", path: below.file.split("/").slice(0, depth).join("/") };
  }

  /** Takes a name for a resource that has none yet. */
  reserve(key: string, url: string, file: string): void {
    const columns = "key, url, file, folded, isPending, isGone";
    const values = [key, url, file, foldedPath(file)];
    this.#run(`INSERT INTO file (${columns}) VALUES (?, ?, ?, ?, 1, 0)`, ...values);
  }

  /** Says what a file is about to hold: before it does, so that a kill between the two is no riddle. */
  announce(key: string, file: Omit<KnownFile, "key" | "url" | "file" | "isPending" | "isGone">) {
    const { before, hash, length, stated, lastmod, datetime, etag, lastModified } = file;
    this.#run(
      "UPDATE file SET before = ?, hash = ?, length = ?, stated = ?, lastmod = ?, datetime = ?, etag = ?, " +
        "lastModified = ?, isPending = 1, isGone = 0 WHERE key = ?",
      ...[before, hash, length, stated, lastmod, datetime, etag, lastModified, key],
    );
  }

  /** Notes what a source says of a file that holds it already. */
  confirm(key: string, { hash, lastmod, datetime }: Wanted): void {
    this.#run(
      "UPDATE file SET stated = coalesce(?, stated), lastmod = coalesce(?, lastmod), " +
        "datetime = max(coalesce(?, 0), coalesce(datetime, 0)), isGone = 0 WHERE key = ?",
      ...[hash, lastmod, datetime, key],
    );
  }

  /** A file holds what was announced. */
  settle(key: string): void {
    this.#run("UPDATE file SET before = NULL, isPending = 0 WHERE key = ?", key);
  }

  /** A file still holds what it held before: what was said of the other bytes counts no more. */
  revert(key: string): void {
    this.#run(
      "UPDATE file SET hash = before, before = NULL, isPending = 0, length = NULL, stated = NULL, " +
        "lastmod = NULL, datetime = NULL, etag = NULL, lastModified = NULL WHERE key = ?",
      key,
    );
  }

  /** Everything that was announced is written. */
  settleAll(): void {
    this.#run("UPDATE file SET before = NULL, isPending = 0 WHERE isPending = 1");
  }

  keep(key: string): void {
    this.#run("UPDATE file SET isGone = 1 WHERE key = ?", key);
  }

  forget(key: string): void {
    this.#run("DELETE FROM file WHERE key = ?", key);
    this.#run("DELETE FROM member WHERE key = ?", key);
  }

  /** Files that a run which was ended may have written, or not. */
  *pending(): Generator<KnownFile> {
    yield* this.#pages<KnownFile>(
      "SELECT * FROM file WHERE isPending = 1 AND key > ? ORDER BY key",
    );
  }

  mark(collection: string): Mark | undefined {
    return this.#get<Mark>("SELECT at, through, filter FROM mark WHERE collection = ?", collection);
  }

  /** Moves the mark of a collection, and notes what is in it now: all that was wanted is in place. */
  move(collection: string, { at, through, filter }: Mark): void {
    this.#run("REPLACE INTO mark VALUES (?, ?, ?, ?)", collection, at, through, filter);
  }

  /** Notes which resources are in which collection. */
  noteMembers(): void {
    this.#run(
      "DELETE FROM member WHERE (key, collection) IN (SELECT key, collection FROM wanted WHERE state = 1)",
    );
    this.#run(
      "INSERT OR IGNORE INTO member SELECT key, collection FROM wanted WHERE state = 0 AND key IN (SELECT key FROM file)",
    );
  }

  /** Adds what a source says of a resource; of several changes, the newest counts. */
  want(collection: string, { key, url, state, hash, length, lastmod, datetime }: Wanted): void {
    this.#run(
      "INSERT INTO wanted VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET url = excluded.url, " +
        "state = excluded.state, hash = excluded.hash, length = excluded.length, lastmod = excluded.lastmod, " +
        "datetime = excluded.datetime WHERE coalesce(excluded.datetime, 0) >= coalesce(wanted.datetime, 0)",
      ...[key, collection, url, state, hash, length, lastmod, datetime],
    );
  }

  /** Begins anew with what a collection wants. */
  unwant(collection: string): void {
    this.#run("DELETE FROM wanted WHERE collection = ?", collection);
  }

  /** What a collection had, and its Resource List does not name, is gone. */
  wantGone(collection: string): void {
    this.#run(
      "INSERT OR IGNORE INTO wanted SELECT key, collection, url, 1, NULL, NULL, NULL, NULL " +
        "FROM member JOIN file USING (key) WHERE collection = ?",
      collection,
    );
  }

  /** Begins the working set; all of it is written in one go. */
  async fill(write: () => Promise<void>): Promise<void> {
    this.#database.exec(`DROP TABLE IF EXISTS wanted; ${WANTED}`);
    this.#database.exec("BEGIN");
    try {
      await write();
      this.#database.exec("COMMIT");
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  /** What should be there, by its keys; in several collections it is wanted where one of them wants it. */
  *wanted(): Generator<Wanted> {
    yield* this.#pages<Wanted>(
      "SELECT key, url, min(state) AS state, hash, length, lastmod, datetime FROM wanted " +
        "WHERE key > ? GROUP BY key HAVING min(state) = 0 ORDER BY key",
    );
  }

  /** What should be there under one key, if anything. */
  wantedAt(key: string): Wanted | undefined {
    return this.#get<Wanted>(
      "SELECT key, url, min(state) AS state, hash, length, lastmod, datetime FROM wanted " +
        "WHERE key = ? GROUP BY key HAVING min(state) = 0",
      key,
    );
  }

  get wantedCount(): number {
    return this.#count("SELECT count(DISTINCT key) AS count FROM wanted WHERE state = 0");
  }

  /** How many files nothing was said of in this run: they are as they were. */
  get untouchedCount(): number {
    return this.#count(
      "SELECT count(*) AS count FROM file WHERE isGone = 0 AND key NOT IN (SELECT key FROM wanted)",
    );
  }

  /** Files of resources that no collection has any more. */
  *gone(): Generator<KnownFile> {
    yield* this.#pages<KnownFile>(`SELECT * FROM file WHERE key > ? AND ${IS_GONE} ORDER BY key`);
  }

  get goneCount(): number {
    return this.#count(`SELECT count(*) AS count FROM file WHERE ${IS_GONE}`);
  }

  /** Rows by their keys, some at a time: what is done with them may change them. */
  *#pages<Row extends { readonly key: string }>(query: string): Generator<Row> {
    for (let last = ""; ; ) {
      const page = this.#all<Row>(`${query} LIMIT 500`, last);
      yield* page;
      const end = page.at(-1);
      if (end === undefined) return;
      last = end.key;
    }
  }

  #count(query: string): number {
    return this.#get<{ count: number }>(query)?.count ?? 0;
  }

  #run(query: string, ...values: SQLInputValue[]): void {
    this.#prepared(query).run(...values);
  }

  #get<Row>(query: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepared(query).get(...values) as Row | undefined;
  }

  #all<Row>(query: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepared(query).all(...values) as Row[];
  }

  #prepared(query: string): StatementSync {
    const known = this.#statements.get(query);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(query);
    this.#statements.set(query, statement);
    return statement;
  }
}

const TABLES = `
CREATE TABLE IF NOT EXISTS copy (site TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS mark (
  collection TEXT PRIMARY KEY, at REAL, through REAL, filter TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS file (
  key TEXT PRIMARY KEY, url TEXT NOT NULL, file TEXT NOT NULL, folded TEXT NOT NULL UNIQUE,
  hash TEXT, before TEXT, isPending INTEGER NOT NULL, length INTEGER, stated TEXT, lastmod TEXT,
  datetime REAL, etag TEXT, lastModified TEXT, isGone INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS pending ON file (key) WHERE isPending = 1;
CREATE TABLE IF NOT EXISTS member (
  key TEXT NOT NULL, collection TEXT NOT NULL, PRIMARY KEY (key, collection)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS members ON member (collection);
`;

const WANTED = `
CREATE TEMP TABLE wanted (
  key TEXT NOT NULL, collection TEXT NOT NULL, url TEXT NOT NULL, state INTEGER NOT NULL,
  hash TEXT, length INTEGER, lastmod TEXT, datetime REAL, PRIMARY KEY (key, collection)
) STRICT, WITHOUT ROWID`;

/** Somebody says that it is gone, or said so before; nobody wants it, and no other collection has it. */
const IS_GONE = `
(isGone = 1 OR EXISTS (SELECT 1 FROM wanted WHERE wanted.key = file.key AND state = 1))
AND NOT EXISTS (SELECT 1 FROM wanted WHERE wanted.key = file.key AND state <> 1)
AND NOT EXISTS (
  SELECT 1 FROM member WHERE member.key = file.key AND NOT EXISTS (
    SELECT 1 FROM wanted
    WHERE wanted.key = member.key AND wanted.collection = member.collection AND state = 1))`;
