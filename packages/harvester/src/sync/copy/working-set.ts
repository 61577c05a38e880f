import {
  type CopyDatabase,
  numberOrNull,
  type StoredRow,
  text,
  textOrNull,
} from "./copy-database.ts";
import { fileIn, type KnownFile } from "./copy-state.ts";

export interface Wanted {
  readonly key: string;
  readonly url: string;
  readonly hash: string | null;
  readonly length: number | null;
  readonly lastmod: string | null;
  /** When it changed, of a change that says so; `null` in a Resource List. UTC seconds. */
  readonly datetime: number | null;
  /** Where its bytes can be had too, the preferred place first; none unless mirrors are asked for. */
  readonly mirrors: readonly string[];
}

export interface Claim extends Pick<Wanted, "hash"> {
  readonly presence: Presence;
  readonly since: number;
}

/** What a source says of a resource, as far as it is copied: `left-out` exists, and the command line omits it. */
export type Presence = "present" | "gone" | "left-out";

/** As they are stored: where several collections have a resource, the least counts. */
const PRESENCES = ["present", "gone", "left-out"] as const;
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

  /**
   * Adds what a source says of a resource, unless something newer was said.
   *
   * @param since from when on it holds; of what is as old, the last counts. UTC seconds
   * @returns whether it counts
   */
  want(
    collection: string,
    presence: Presence,
    { since, mirrors, ...wanted }: Wanted & { readonly since: number },
  ): boolean {
    const { key, url, hash, length, lastmod, datetime } = wanted;
    return this.#database.run(
      "INSERT INTO wanted VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?) ON CONFLICT DO UPDATE SET url = excluded.url, " +
        "state = excluded.state, hash = excluded.hash, length = excluded.length, lastmod = excluded.lastmod, " +
        "datetime = excluded.datetime, since = excluded.since, doubt = NULL, " +
        "mirrors = excluded.mirrors WHERE excluded.since >= wanted.since",
      ...[key, collection, url, CODES[presence], hash, length, lastmod, datetime, since],
      textOf(mirrors),
    );
  }

  /** What counts so far of what a collection says of a resource. */
  claim(collection: string, key: string): Claim | undefined {
    const query = "SELECT state, hash, since FROM wanted WHERE collection = ? AND key = ?";
    const row = this.#database.get(query, collection, key);
    if (row === undefined) return undefined;
    const presence = PRESENCES.find((one) => CODES[one] === row.state) ?? "left-out";
    return { presence, hash: textOrNull(row.hash), since: numberOrNull(row.since) ?? 0 };
  }

  /**
   * Notes that a change contradicts what a list states of a resource, and that either may be the newer one: its host
   * is asked.
   */
  contradict(collection: string, key: string, change: "updated" | "deleted"): void {
    this.#database.run(
      "UPDATE wanted SET hash = NULL, length = NULL, lastmod = NULL, doubt = ? WHERE collection = ? AND key = ?",
      ...[change, collection, key],
    );
  }

  /** Notes that a change of a resource cannot be understood, unless a newer one can be. */
  misunderstand(collection: string, { key, url }: Pick<Wanted, "key" | "url">): void {
    this.#database.run(
      `INSERT INTO wanted VALUES (?, ?, ?, ${CODES["left-out"]}, NULL, NULL, NULL, NULL, ?, 'unclear', NULL) ` +
        "ON CONFLICT DO UPDATE SET doubt = excluded.doubt",
      ...[key, collection, url, Number.NEGATIVE_INFINITY],
    );
  }

  /** Whether, in every collection that lists a resource, a change says that it was deleted, before or after that. */
  isSaidDeleted(key: string): boolean {
    const query = "SELECT min(doubt IS 'deleted') FROM wanted WHERE key = ? AND state = 0";
    return this.#database.number(query, key) === 1;
  }

  /** A resource that a change calls deleted is: its host does not have it. */
  giveUp(key: string): void {
    this.#database.run("UPDATE wanted SET state = 1 WHERE key = ?", key);
  }

  *unclear(): Generator<string> {
    const query =
      "SELECT key, url FROM wanted WHERE key > ? AND doubt = 'unclear' GROUP BY key ORDER BY key";
    for (const row of this.#database.byKey(query)) yield text(row.url);
  }

  /** Forgets what was added by something that then fails. */
  async allOrNone<Value>(add: () => Promise<Value>): Promise<Value> {
    this.#database.exec("SAVEPOINT added");
    try {
      return await add();
    } catch (error) {
      this.#database.exec("ROLLBACK TO added");
      throw error;
    } finally {
      this.#database.exec("RELEASE added");
    }
  }

  unwant(collection: string): void {
    this.#database.run("DELETE FROM wanted WHERE collection = ?", collection);
  }

  /** What a collection had, and its Resource List does not name, is gone. */
  wantGone(collection: string): void {
    this.#database.run(
      "INSERT OR IGNORE INTO wanted SELECT key, collection, url, 1, NULL, NULL, NULL, NULL, ?, NULL, NULL " +
        "FROM member JOIN file USING (key) WHERE collection = ?",
      ...[Number.NEGATIVE_INFINITY, collection],
    );
  }

  /** Files that no collection has, nor ever had, are gone: a run that was killed wrote them. */
  wantStraysGone(): void {
    this.#database.run(
      "INSERT INTO wanted SELECT key, '', url, 1, NULL, NULL, NULL, NULL, ?, NULL, NULL FROM file " +
        "WHERE key NOT IN (SELECT key FROM member) AND key NOT IN (SELECT key FROM wanted)",
      Number.NEGATIVE_INFINITY,
    );
  }

  /** What should be there, by its keys; in several collections it is wanted where one of them wants it. */
  *wanted(): Generator<Wanted> {
    const query = `${wantedWhere("key > ?")} ORDER BY key`;
    for (const row of this.#database.byKey(query)) yield wantedIn(row);
  }

  /** What of it the copy knows. */
  *wantedAndKnown(): Generator<Wanted> {
    const query = `${wantedWhere(`key > ? AND ${IS_KNOWN}`)} ORDER BY key`;
    for (const row of this.#database.byKey(query)) yield wantedIn(row);
  }

  /** Of what should be there, what the copy knows nothing of is needed. */
  needUnknown(): void {
    this.#database.run(
      "INSERT INTO needed SELECT key, url, 'fetch', hash, length, lastmod, datetime, mirrors FROM " +
        `(${wantedWhere(`NOT ${IS_KNOWN}`)})`,
    );
  }

  get wantedCount(): number {
    return this.#database.number("SELECT count(DISTINCT key) FROM wanted WHERE state = 0");
  }

  need(need: Need, { key, url, hash, length, lastmod, datetime, mirrors }: Wanted): void {
    this.#database.run(
      "INSERT INTO needed VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      ...[key, url, need, hash, length, lastmod, datetime, textOf(mirrors)],
    );
  }

  supplied(key: string): void {
    this.#database.run("DELETE FROM needed WHERE key = ?", key);
  }

  *needed(): Generator<Wanted & { readonly need: Need }> {
    const query = "SELECT * FROM needed WHERE key > ? ORDER BY key";
    for (const row of this.#database.byKey(query)) {
      yield { ...wantedIn(row), need: row.need === "ask" ? "ask" : "fetch" };
    }
  }

  /** What is needed of a resource, unless a change contradicts its list. */
  neededAt(key: string): Wanted | undefined {
    // A list of the doubtful ones would be made anew for each resource.
    const query =
      "SELECT * FROM needed WHERE key = ? AND NOT EXISTS (SELECT 1 FROM wanted WHERE wanted.key = needed.key AND doubt IS NOT NULL)";
    const row = this.#database.get(query, key);
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

  goneCountOf(collection: string): number {
    const query =
      `SELECT count(*) FROM file WHERE ${IS_GONE} AND ` +
      "key IN (SELECT key FROM wanted WHERE collection = ? AND state = 1)";
    return this.#database.number(query, collection);
  }

  /** Notes in the copy which collections want a resource whose file is about to be written. */
  noteMember(key: string): void {
    const query =
      "INSERT OR IGNORE INTO member SELECT key, collection FROM wanted WHERE key = ? AND state = 0";
    this.#database.run(query, key);
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

function wantedIn(row: StoredRow): Wanted {
  return {
    key: text(row.key),
    url: text(row.url),
    hash: textOrNull(row.hash),
    length: numberOrNull(row.length),
    lastmod: textOrNull(row.lastmod),
    datetime: numberOrNull(row.datetime),
    mirrors: textOrNull(row.mirrors)?.split("\n") ?? [],
  };
}

/** No URL holds a line end. */
function textOf(mirrors: readonly string[]): string | null {
  return mirrors.length === 0 ? null : mirrors.join("\n");
}

const TABLES = `
CREATE TEMP TABLE wanted (
  key TEXT NOT NULL, collection TEXT NOT NULL, url TEXT NOT NULL, state INTEGER NOT NULL,
  hash TEXT, length INTEGER, lastmod TEXT, datetime REAL, since REAL NOT NULL, doubt TEXT,
  mirrors TEXT,
  PRIMARY KEY (key, collection)
) STRICT, WITHOUT ROWID;
CREATE TEMP TABLE needed (
  key TEXT PRIMARY KEY, url TEXT NOT NULL, need TEXT NOT NULL,
  hash TEXT, length INTEGER, lastmod TEXT, datetime REAL, mirrors TEXT
) STRICT, WITHOUT ROWID;
`;

const IS_KNOWN = "EXISTS (SELECT 1 FROM file WHERE file.key = wanted.key)";

/** Where several collections have a resource, one row: of the one that wants it, if any does. */
function wantedWhere(condition: string): string {
  return (
    "SELECT key, url, min(state) AS state, hash, length, lastmod, datetime, mirrors FROM wanted " +
    `WHERE ${condition} GROUP BY key HAVING min(state) = 0`
  );
}

/** A collection says, or has said, that it is gone; none wants it, and no other one has it. */
const IS_GONE = `
(isGone = 1 OR EXISTS (SELECT 1 FROM wanted WHERE wanted.key = file.key AND state = 1))
AND NOT EXISTS (SELECT 1 FROM wanted WHERE wanted.key = file.key AND state <> 1)
AND NOT EXISTS (
  SELECT 1 FROM member WHERE member.key = file.key AND NOT EXISTS (
    SELECT 1 FROM wanted
    WHERE wanted.key = member.key AND wanted.collection = member.collection AND state = 1))`;
