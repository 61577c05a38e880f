import type { KnownRobots, Validators } from "@rs-emit/reader";
import {
  type CopyDatabase,
  numberOrNull,
  type StoredRow,
  text,
  textOrNull,
} from "./copy-database.ts";
import { foldedPath, type TakenName } from "./file-name.ts";

/** A file of a copy, as sync knows it. */
export interface KnownFile {
  readonly key: string;
  readonly url: string;
  readonly file: string;
  /** SHA-256 in hex of what sync wrote. */
  readonly hash: string;
  /** What it may still hold while `isPending`: sync was ended between saying so and writing. */
  readonly before: string | null;
  readonly isPending: boolean;
  readonly length: number | null;
  /** What the source said of it when it was written: digests, and times as they stood there. */
  readonly listedHash: string | null;
  readonly lastmod: string | null;
  /** The last change that it reflects: UTC seconds. */
  readonly datetime: number | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** The site has no such resource any more, and the file was kept. */
  readonly isGone: boolean;
}

type Announced = Omit<KnownFile, "isPending" | "isGone">;

/** How far the log of a collection was taken. */
export interface CopyMark {
  /** Since when everything in the Resource List is in place (its `at`): UTC seconds. */
  readonly at: number | null;
  /** The newest change that is in place: UTC seconds. */
  readonly through: number | null;
  /** The `--include` and `--exclude` that it was taken with. */
  readonly filter: string;
}

/** A document as a run read it. */
export interface ReadDocument {
  readonly url: string;
  /** After redirects. */
  readonly base: string;
  readonly validators: Validators;
}

/** What a run leaves to the next one, where all that the site lists is in place. */
export interface LastRun {
  /** What was asked for. A run that is asked for something else reads everything. */
  readonly asked: string;
  /** UTC seconds. */
  readonly time: number;
  /** At least one of them changes whenever there is something new. */
  readonly documents: readonly ReadDocument[];
  readonly robots: readonly KnownRobots[];
  readonly notes: readonly string[];
}

/** What a copy remembers: which file holds which URL, with its hash, and how far each log was taken. */
export class CopyState {
  readonly #database: CopyDatabase;

  /** @param database with `COPY_TABLES` */
  constructor(database: CopyDatabase) {
    this.#database = database;
  }

  get site(): string | undefined {
    const row = this.#database.get("SELECT site FROM copy");
    return row === undefined ? undefined : text(row.site);
  }

  set site(url: string) {
    this.#database.run("INSERT INTO copy (site) VALUES (?)", url);
  }

  get files(): number {
    return this.#database.number("SELECT count(*) FROM file");
  }

  /** Files of resources that the site has, as far as is known. */
  *present(): Generator<KnownFile> {
    const query = "SELECT * FROM file WHERE key > ? AND isGone = 0 ORDER BY key";
    for (const row of this.#database.byKey(query)) yield fileIn(row);
  }

  get presentCount(): number {
    return this.#database.number("SELECT count(*) FROM file WHERE isGone = 0");
  }

  /** How many files of resources stay that the site has no more. */
  get keptCount(): number {
    return this.#database.number("SELECT count(*) FROM file WHERE isGone = 1");
  }

  /** What the last run left, where it left everything in place. */
  get lastRun(): LastRun | undefined {
    const row = this.#database.get("SELECT left FROM lastRun");
    return row === undefined ? undefined : JSON.parse(text(row.left));
  }

  set lastRun(run: LastRun | undefined) {
    this.#database.run("DELETE FROM lastRun");
    if (run !== undefined)
      this.#database.run("INSERT INTO lastRun (left) VALUES (?)", JSON.stringify(run));
  }

  file(key: string): KnownFile | undefined {
    const row = this.#database.get("SELECT * FROM file WHERE key = ?", key);
    return row === undefined ? undefined : fileIn(row);
  }

  /** Which name is taken; see `fileOf`. */
  taken(folded: string): TakenName | undefined {
    const query =
      "SELECT file, folded FROM file WHERE folded = ? UNION ALL " +
      "SELECT file, folded FROM file WHERE folded >= ? AND folded < ? LIMIT 1";
    const row = this.#database.get(query, folded, `${folded}/`, `${folded}0`);
    if (row === undefined) return undefined;
    const path = text(row.file);
    if (row.folded === folded) return { kind: "file", path };
    const depth = folded.split("/").length;
    return { kind: "folder", path: path.split("/").slice(0, depth).join("/") };
  }

  /** Files of a collection's resources, as far as it has them still. */
  *filesOf(collection: string): Generator<KnownFile> {
    const query =
      "SELECT * FROM file WHERE key > ? AND isGone = 0 AND " +
      "EXISTS (SELECT 1 FROM member WHERE member.key = file.key AND collection = ?) ORDER BY key";
    for (const row of this.#database.byKey(query, collection)) yield fileIn(row);
  }

  unknownAmong(files: Iterable<string>): readonly string[] {
    const unknown: string[] = [];
    for (const file of files) {
      const taken = this.taken(foldedPath(file));
      if (taken?.kind !== "file" || taken.path !== file) unknown.push(file);
    }
    return unknown.sort();
  }

  /**
   * Records what a file is about to hold, and takes its name. It is committed before the file is written, so that the
   * next run can resolve a kill.
   */
  announce(announced: Announced): void {
    const { key, url, file, hash, before, length, listedHash, lastmod, datetime } = announced;
    const { etag, lastModified } = announced;
    this.#database.run(
      "INSERT INTO file VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, 0) ON CONFLICT (key) DO UPDATE SET " +
        "hash = excluded.hash, before = excluded.before, length = excluded.length, listedHash = excluded.listedHash, " +
        "lastmod = excluded.lastmod, datetime = excluded.datetime, etag = excluded.etag, " +
        "lastModified = excluded.lastModified, isPending = 1, isGone = 0",
      ...[key, url, file, foldedPath(file), hash, before, length, listedHash, lastmod, datetime],
      ...[etag, lastModified],
    );
  }

  confirm(key: string, said: Pick<Announced, "listedHash" | "lastmod" | "datetime">): void {
    this.#database.run(
      "UPDATE file SET listedHash = coalesce(?, listedHash), lastmod = coalesce(?, lastmod), " +
        "datetime = max(coalesce(?, 0), coalesce(datetime, 0)), isGone = 0 WHERE key = ?",
      ...[said.listedHash, said.lastmod, said.datetime, key],
    );
  }

  settle(key: string): void {
    this.#database.run("UPDATE file SET before = NULL, isPending = 0 WHERE key = ?", key);
  }

  settleAll(): void {
    this.#database.run("UPDATE file SET before = NULL, isPending = 0 WHERE isPending = 1");
  }

  /** A file does not hold what was announced: it is as it was before, or was never written. */
  revert({ key, before }: Pick<KnownFile, "key" | "before">): void {
    if (before === null) this.forget(key);
    else {
      this.#database.run(
        "UPDATE file SET hash = before, before = NULL, isPending = 0, length = NULL, listedHash = NULL, " +
          "lastmod = NULL, datetime = NULL, etag = NULL, lastModified = NULL WHERE key = ?",
        key,
      );
    }
  }

  /** Notes that the site has a resource no more, and that its file is kept. */
  keep(key: string): void {
    this.#database.run("UPDATE file SET isGone = 1 WHERE key = ?", key);
  }

  forget(key: string): void {
    this.#database.run("DELETE FROM file WHERE key = ?", key);
    this.#database.run("DELETE FROM member WHERE key = ?", key);
  }

  /** Files that a run which was ended may have written, or not. */
  *pending(): Generator<KnownFile> {
    const query = "SELECT * FROM file WHERE isPending = 1 AND key > ? ORDER BY key";
    for (const row of this.#database.byKey(query)) yield fileIn(row);
  }

  mark(collection: string): CopyMark | undefined {
    const query = "SELECT at, through, filter FROM mark WHERE collection = ?";
    const row = this.#database.get(query, collection);
    if (row === undefined) return undefined;
    const { at, through, filter } = row;
    return { at: numberOrNull(at), through: numberOrNull(through), filter: text(filter) };
  }

  get collections(): readonly string[] {
    const query =
      "SELECT collection AS key FROM member WHERE collection > ? GROUP BY collection ORDER BY key";
    return [...this.#database.byKey(query)].map((row) => text(row.key));
  }

  forgetMark(collection: string): void {
    this.#database.run("DELETE FROM mark WHERE collection = ?", collection);
  }

  /** Moves the mark of a collection: all that was wanted is in place. */
  moveMark(collection: string, { at, through, filter }: CopyMark): void {
    this.#database.run("REPLACE INTO mark VALUES (?, ?, ?, ?)", collection, at, through, filter);
  }

  commit(): void {
    this.#database.commit();
  }
}

export function fileIn(row: StoredRow): KnownFile {
  return {
    key: text(row.key),
    url: text(row.url),
    file: text(row.file),
    hash: text(row.hash),
    before: textOrNull(row.before),
    isPending: row.isPending === 1,
    length: numberOrNull(row.length),
    listedHash: textOrNull(row.listedHash),
    lastmod: textOrNull(row.lastmod),
    datetime: numberOrNull(row.datetime),
    etag: textOrNull(row.etag),
    lastModified: textOrNull(row.lastModified),
    isGone: row.isGone === 1,
  };
}

export const COPY_TABLES = `
CREATE TABLE copy (site TEXT NOT NULL) STRICT;
CREATE TABLE lastRun (left TEXT NOT NULL) STRICT;
CREATE TABLE mark (
  collection TEXT PRIMARY KEY, at REAL, through REAL, filter TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE file (
  key TEXT PRIMARY KEY, url TEXT NOT NULL, file TEXT NOT NULL, folded TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL, before TEXT, isPending INTEGER NOT NULL, length INTEGER, listedHash TEXT, lastmod TEXT,
  datetime REAL, etag TEXT, lastModified TEXT, isGone INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pending ON file (key) WHERE isPending = 1;
CREATE TABLE member (
  key TEXT NOT NULL, collection TEXT NOT NULL, PRIMARY KEY (key, collection)
) STRICT, WITHOUT ROWID;
CREATE INDEX members ON member (collection);
`;
