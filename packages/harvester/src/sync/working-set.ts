import { type CopyDatabase, numberOrNull, type Row, text, textOrNull } from "./copy-database.ts";
import { fileIn, type KnownFile } from "./copy-state.ts";

/** What a resource should be like, by what a source says. */
export interface Wanted {
  readonly key: string;
  readonly url: string;
  readonly hash: string | null;
  readonly length: number | null;
  readonly lastmod: string | null;
  /** When it changed, of a change; `null` in a Resource List. UTC seconds. */
  readonly datetime: number | null;
}

/** What a source says of a resource, as far as it is copied: `left-out` exists, and the command line omits it. */
export type Presence = "present" | "gone" | "left-out";

/** As they are stored: where several collections have a resource, the least counts. */
const CODES = { present: 0, gone: 1, "left-out": 2 } as const satisfies Record<Presence, number>;

/** Why a resource is fetched: other bytes are there, or its host must be asked whether they are. */
export type Need = "fetch" | "ask";

/**
 * What one run wants of a copy, and which bytes it needs for that. It stands in temporary tables beside the copy's
 * own, so that a site of any size takes no memory.
 */
export class WorkingSet {
  readonly #database: CopyDatabase;

  constructor(database: CopyDatabase) {
    this.#database = database;
    database.exec(TABLES);
  }

  /** Adds what a source says of a resource; of several changes, the newest counts. */
  want(collection: string, presence: Presence, wanted: Wanted): void {
    const { key, url, hash, length, lastmod, datetime } = wanted;
    this.#database.run(
      "INSERT INTO wanted VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET url = excluded.url, " +
        "state = excluded.state, hash = excluded.hash, length = excluded.length, lastmod = excluded.lastmod, " +
        "datetime = excluded.datetime WHERE coalesce(excluded.datetime, 0) >= coalesce(wanted.datetime, 0)",
      ...[key, collection, url, CODES[presence], hash, length, lastmod, datetime],
    );
  }

  /** Whether a resource should be there, with bytes of a stated digest. */
  isStated(collection: string, key: string): boolean {
    const query =
      "SELECT count(*) FROM wanted WHERE collection = ? AND key = ? AND state = 0 AND hash IS NOT NULL";
    return this.#database.number(query, collection, key) > 0;
  }

  /** Begins anew with what a collection wants. */
  unwant(collection: string): void {
    this.#database.run("DELETE FROM wanted WHERE collection = ?", collection);
  }

  /** What a collection had, and its Resource List does not name, is gone. */
  wantGone(collection: string): void {
    this.#database.run(
      "INSERT OR IGNORE INTO wanted SELECT key, collection, url, 1, NULL, NULL, NULL, NULL " +
        "FROM member JOIN file USING (key) WHERE collection = ?",
      collection,
    );
  }

  /** What should be there, by its keys; in several collections it is wanted where one of them wants it. */
  *wanted(): Generator<Wanted> {
    const query =
      "SELECT key, url, min(state) AS state, hash, length, lastmod, datetime FROM wanted " +
      "WHERE key > ? GROUP BY key HAVING min(state) = 0 ORDER BY key";
    for (const row of this.#database.byKey(query)) yield wantedIn(row);
  }

  get wantedCount(): number {
    return this.#database.number("SELECT count(DISTINCT key) FROM wanted WHERE state = 0");
  }

  /** Notes that the bytes of a resource are needed. */
  need(need: Need, { key, url, hash, length, lastmod, datetime }: Wanted): void {
    this.#database.run(
      "INSERT INTO needed VALUES (?, ?, ?, ?, ?, ?, ?)",
      ...[key, url, need, hash, length, lastmod, datetime],
    );
  }

  /** The bytes of a resource have come. */
  supplied(key: string): void {
    this.#database.run("DELETE FROM needed WHERE key = ?", key);
  }

  *needed(): Generator<Wanted & { readonly need: Need }> {
    const query = "SELECT * FROM needed WHERE key > ? ORDER BY key";
    for (const row of this.#database.byKey(query)) {
      yield { ...wantedIn(row), need: row.need === "ask" ? "ask" : "fetch" };
    }
  }

  neededAt(key: string): Wanted | undefined {
    const row = this.#database.get("SELECT * FROM needed WHERE key = ?", key);
    return row === undefined ? undefined : wantedIn(row);
  }

  get neededCount(): number {
    return this.#database.number("SELECT count(*) FROM needed");
  }

  /** Bytes that are needed, as far as lists state lengths. */
  get neededBytes(): number {
    return this.#database.number("SELECT sum(length) FROM needed");
  }

  /** How many files nothing was said of in this run: they are as they were. */
  get untouchedCount(): number {
    return this.#database.number(
      "SELECT count(*) FROM file WHERE isGone = 0 AND key NOT IN (SELECT key FROM wanted)",
    );
  }

  /** Files of resources that no collection has any more. */
  *gone(): Generator<KnownFile> {
    const query = `SELECT * FROM file WHERE key > ? AND ${IS_GONE} ORDER BY key`;
    for (const row of this.#database.byKey(query)) yield fileIn(row);
  }

  get goneCount(): number {
    return this.#database.number(`SELECT count(*) FROM file WHERE ${IS_GONE}`);
  }

  /** Notes in the copy which resources are in which collection. */
  noteMembers(): void {
    this.#database.run(
      "DELETE FROM member WHERE (key, collection) IN (SELECT key, collection FROM wanted WHERE state = 1)",
    );
    this.#database.run(
      "INSERT OR IGNORE INTO member SELECT key, collection FROM wanted WHERE state = 0 AND key IN (SELECT key FROM file)",
    );
  }
}

function wantedIn(row: Row): Wanted {
  return {
    key: text(row.key),
    url: text(row.url),
    hash: textOrNull(row.hash),
    length: numberOrNull(row.length),
    lastmod: textOrNull(row.lastmod),
    datetime: numberOrNull(row.datetime),
  };
}

const TABLES = `
CREATE TEMP TABLE wanted (
  key TEXT NOT NULL, collection TEXT NOT NULL, url TEXT NOT NULL, state INTEGER NOT NULL,
  hash TEXT, length INTEGER, lastmod TEXT, datetime REAL, PRIMARY KEY (key, collection)
) STRICT, WITHOUT ROWID;
CREATE TEMP TABLE needed (
  key TEXT PRIMARY KEY, url TEXT NOT NULL, need TEXT NOT NULL,
  hash TEXT, length INTEGER, lastmod TEXT, datetime REAL
) STRICT, WITHOUT ROWID;
`;

/** Somebody says that it is gone, or said so before; nobody wants it, and no other collection has it. */
const IS_GONE = `
(isGone = 1 OR EXISTS (SELECT 1 FROM wanted WHERE wanted.key = file.key AND state = 1))
AND NOT EXISTS (SELECT 1 FROM wanted WHERE wanted.key = file.key AND state <> 1)
AND NOT EXISTS (
  SELECT 1 FROM member WHERE member.key = file.key AND NOT EXISTS (
    SELECT 1 FROM wanted
    WHERE wanted.key = member.key AND wanted.collection = member.collection AND state = 1))`;
