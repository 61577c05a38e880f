import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { Entry } from "@rs-emit/documents";
import { openDatabase, PreparedStatements } from "../../store/sqlite-file.ts";
import type { KnownPage, PagePair } from "./compare-page.ts";
import { type PageRules, type PageTaker, pageOf, pageStem } from "./list-contents.ts";

/** New pages of lists of which most is new. */
export interface StrangePages {
  /** Some of them, by the numbers of their lists: as many as tell whether half are listed again. */
  readonly byList: ReadonlyMap<number, readonly string[]>;
  /** How many are left out. */
  readonly pages: number;
}

/** So many new pages of a list are never strange. */
const FEW = 5;

/** Strange pages of a list that are remembered. Their keys are digests, so that some stand for all. */
const SAMPLE = 200;

/**
 * The pages that a site's lists name during one check, joined with those that were known. They are in a temporary file of
 * SQLite, whichever database the harvester has: memory does not grow with the site, and a killed check leaves nothing.
 */
export class ListedPages implements PageTaker, Disposable {
  /** Opened when a page comes: most checks find no list changed. */
  #opened: DatabaseSync | undefined;
  readonly #statements = new PreparedStatements((query) => this.#connection.prepare(query));
  /** The list that is read: what it names is in a transaction. */
  #list: number | undefined;
  #newLists = 0;

  get #connection(): DatabaseSync {
    this.#opened ??= openTemporary();
    return this.#opened;
  }

  [Symbol.dispose](): void {
    this.#statements.clear();
    this.#opened?.close();
    this.#opened = undefined;
  }

  /** Returns a negative number: no stored list has it. */
  add(): number {
    this.#newLists += 1;
    return -this.#newLists;
  }

  /** Returns those entries of a list that name pages. */
  take(entries: readonly Entry[], rules: PageRules): readonly Entry[] {
    if (rules.list !== this.#list) this.#begin(rules.list);
    const adding = this.#statements.of(
      "INSERT INTO listed (key, url, list, lastmod, hash) VALUES (?, ?, ?, ?, ?)",
    );
    return entries.filter((entry) => {
      const page = pageOf(entry, rules);
      if (page === undefined) return false;
      adding.run(page.key, page.url, page.list, page.lastmod, page.hash);
      return true;
    });
  }

  /** Undoes what was taken of the list that was read last. */
  forget(list: number): void {
    if (list !== this.#list) return;
    this.#connection.exec("ROLLBACK");
    this.#list = undefined;
  }

  #begin(list: number | undefined): void {
    if (this.#list !== undefined) this.#connection.exec("COMMIT");
    if (list !== undefined) this.#connection.exec("BEGIN");
    this.#list = list;
  }

  /** @param pages known pages, as a JSON array of arrays of {@link KNOWN_COLUMNS} */
  know(pages: string): void {
    this.#begin(undefined);
    const columns = KNOWN_COLUMNS.map((_, at) => `value ->> ${at}`);
    this.#statements
      .of(`INSERT OR REPLACE INTO known SELECT ${columns.join(", ")} FROM json_each(?)`)
      .run(pages);
  }

  /**
   * Finds the pages that differ, and those that no list has any more.
   *
   * @param unread ids of lists that were not read: their pages stay
   * @returns how many are in no list
   */
  join(unread: readonly number[]): number {
    this.#begin(undefined);
    this.#connection.exec(DIFFERENCES);
    return Number(this.#statements.of(MISSING).run(JSON.stringify(unread)).changes);
  }

  /** Pages stay that no list has: one that could not be read may have them. */
  keepMissing(): void {
    this.#opened?.exec("DELETE FROM differing WHERE list IS NULL");
  }

  /**
   * Finds new pages that are known by other addresses, where a list was spelled anew: most of its pages vanished, and as many
   * came that differ only by a final slash, `.html` or `index.html`, or by a query that is new on each.
   */
  findSpelledAnew(): void {
    if (this.#opened === undefined) return;
    // Pages that differ by their queries alone are one page only where nothing else has that path.
    for (const [part, most] of [["all", Number.MAX_SAFE_INTEGER] as const, ["path", 1] as const]) {
      if (this.#statements.of(VANISHED).get() === undefined) return;
      this.#connection.exec("BEGIN");
      this.#statements.of(SPELLINGS).run({ part, most });
      this.#connection.exec(RESPELLING);
      this.#connection.exec("COMMIT");
    }
  }

  /**
   * Leaves out new pages of lists of which most is new: a site may give every page another address each time. They are no
   * longer strange when half of those that were left out are listed again.
   *
   * @param before some of the pages that were left out, by the lists of which pages may be
   * @returns the same from now on, and how many are left out now
   */
  leaveOutStrange(before: StrangePages["byList"]): StrangePages {
    const byList = new Map<number, string[]>();
    const count = this.#statements.of(`SELECT count(*) AS pages FROM (${NEW_KEYS})`).get();
    if (Number(count?.pages) <= FEW) return { byList, pages: 0 };
    for (const { list, key } of this.#statements.of(STRANGE).iterate({ few: FEW, most: SAMPLE })) {
      const number = Number(list);
      if (!before.has(number)) continue;
      byList.set(number, [...(byList.get(number) ?? []), String(key)]);
    }
    const left = [...byList.keys()].filter((list) => !this.#isListedAgain(before.get(list)));
    const { changes } = this.#statements.of(LEAVE_OUT).run(JSON.stringify(left));
    return { byList, pages: Number(changes) };
  }

  /** Whether half of some pages that were left out are listed again, and still new. */
  #isListedAgain(keys: readonly string[] = []): boolean {
    const count = this.#statements.of(LISTED_AGAIN).get(JSON.stringify(keys));
    return keys.length > 0 && Number(count?.pages) * 2 >= keys.length;
  }

  /** All pages that are compared, by their keys: those that differ, those that are missing, and those whose dates move. */
  pairs(): Generator<PagePair> {
    return this.#pairs(COMPARED);
  }

  /**
   * Remembers what becomes of pages, in place of what was remembered before. Those that are known by other addresses now change
   * at least by these.
   *
   * @param verdicts pages that change, as they are from now on, and the keys of those that are forgotten
   */
  remember(verdicts: Iterable<KnownPage | string>): void {
    if (this.#opened === undefined) return;
    this.#opened.exec(RESPELLED);
    const keeping = this.#statements.of(
      "INSERT OR REPLACE INTO verdict VALUES (?, ?, ?, ?, ?, ?, ?)",
    );
    const forgetting = this.#statements.of("INSERT OR REPLACE INTO verdict (key) VALUES (?)");
    for (const one of verdicts) {
      if (typeof one === "string") forgetting.run(one);
      else keeping.run(...KNOWN_COLUMNS.map((column) => one[column]));
    }
    this.#opened.exec("COMMIT");
  }

  /** The pages that change, as they are from now on. */
  *kept(): Generator<KnownPage> {
    for (const row of this.#verdicts("NOT NULL")) {
      yield {
        key: String(row.key),
        url: String(row.url),
        list: Number(row.list),
        lastmod: numberOf(row.lastmod),
        hash: row.hash === null ? null : String(row.hash),
        moves: Number(row.moves),
        missing_since: numberOf(row.missing_since),
      };
    }
  }

  /** The keys of the pages that are forgotten. */
  *forgotten(): Generator<string> {
    for (const { key } of this.#verdicts("NULL")) yield String(key);
  }

  #verdicts(url: "NULL" | "NOT NULL") {
    if (this.#opened === undefined) return [];
    return this.#statements.of(`SELECT * FROM verdict WHERE url IS ${url}`).iterate();
  }

  *#pairs(query: string): Generator<PagePair> {
    if (this.#opened === undefined) return;
    for (const { known, now } of this.#statements.of(query).iterate()) {
      yield { known: ofJson(known), now: now === "missing" ? now : ofJson(now) };
    }
  }
}

function openTemporary(): DatabaseSync {
  const connection = openDatabase("", {});
  connection.exec(TABLES);
  connection.function("stem", { deterministic: true }, (url, part) =>
    pageStem(String(url), part === "path"),
  );
  return connection;
}

function numberOf(value: SQLOutputValue | undefined): number | null {
  return value === null ? null : Number(value);
}

function ofJson(text: SQLOutputValue | undefined) {
  return typeof text === "string" ? JSON.parse(text) : undefined;
}

/** Of a known page, in their order. */
export const KNOWN_COLUMNS = [
  "key",
  "url",
  "list",
  "lastmod",
  "hash",
  "moves",
  "missing_since",
] as const satisfies readonly (keyof KnownPage)[];

const TABLES = `
PRAGMA journal_mode = MEMORY;
PRAGMA cache_size = -16000;
CREATE TABLE known (
  key TEXT PRIMARY KEY, url TEXT, list INTEGER, lastmod INTEGER, hash TEXT, moves INTEGER, missing_since REAL
) WITHOUT ROWID;
CREATE TABLE listed (
  place INTEGER PRIMARY KEY, key TEXT, url TEXT, list INTEGER, lastmod INTEGER, hash TEXT
);
CREATE TABLE differing (
  key TEXT PRIMARY KEY, place INTEGER, url TEXT, list INTEGER, lastmod INTEGER, hash TEXT
) WITHOUT ROWID;
CREATE TABLE spelling (key TEXT PRIMARY KEY, was TEXT UNIQUE, list INTEGER) WITHOUT ROWID;
CREATE TABLE verdict (
  key TEXT PRIMARY KEY, url TEXT, list INTEGER, lastmod INTEGER, hash TEXT, moves INTEGER, missing_since REAL
) WITHOUT ROWID;
`;

/** An entry that says what is known of its page. */
const IS_AS_KNOWN = `known.list IS listed.list AND known.lastmod IS listed.lastmod AND known.hash IS listed.hash
  AND missing_since IS NULL`;

/** Of a page with several entries the first counts; but where one of them is as known, the page is as it was. */
const DIFFERENCES = `
CREATE INDEX IF NOT EXISTS listed_by_key ON listed (key, place);
DELETE FROM differing;
INSERT INTO differing SELECT listed.key, min(place), listed.url, listed.list, listed.lastmod, listed.hash
FROM listed LEFT JOIN known USING (key) GROUP BY listed.key HAVING count(*) FILTER (WHERE ${IS_AS_KNOWN}) = 0;
`;

const MISSING = `
INSERT INTO differing (key) SELECT key FROM known WHERE missing_since IS NULL
AND list NOT IN (SELECT value FROM json_each(?))
AND NOT EXISTS (SELECT 1 FROM listed WHERE listed.key = known.key)`;

const IS_MISSING = "missing_since IS NULL AND differing.key IS NOT NULL AND differing.list IS NULL";

const VANISHED = `
SELECT 1 FROM known LEFT JOIN differing USING (key) WHERE missing_since IS NULL
GROUP BY known.list HAVING count(*) FILTER (WHERE ${IS_MISSING}) * 2 > count(*)`;

/** Of the pages with one stem that went, and of those that came, one each is the same page. */
const SPELLINGS = `
INSERT OR IGNORE INTO spelling SELECT came.key, went.key, went.list FROM (
  SELECT min(key) AS key, stem(differing.url, :part) AS stem FROM differing LEFT JOIN known USING (key)
  WHERE known.key IS NULL GROUP BY 2 HAVING count(*) <= :most) AS came
JOIN (SELECT min(known.key) AS key, known.list, stem(known.url, :part) AS stem FROM known JOIN differing USING (key)
  WHERE ${IS_MISSING} GROUP BY 3 HAVING count(*) <= :most) AS went USING (stem)`;

/** A list was spelled anew where most of its pages are in no list, and as many came that may be these. */
const RESPELLING = `
DELETE FROM spelling WHERE list NOT IN (
  SELECT list FROM (SELECT list, count(*) AS pages FROM known WHERE missing_since IS NULL GROUP BY list)
  JOIN (SELECT list, count(*) AS respelled FROM spelling GROUP BY list) USING (list) WHERE respelled * 2 > pages);
INSERT INTO known SELECT spelling.key, differing.url, known.list, known.lastmod, known.hash, moves, missing_since
  FROM spelling JOIN known ON known.key = spelling.was JOIN differing ON differing.key = spelling.key;
DELETE FROM known WHERE key IN (SELECT was FROM spelling);
DELETE FROM differing WHERE key IN (SELECT was FROM spelling);
`;

const KNOWN_PAGE = `json_object(${KNOWN_COLUMNS.map((name) => `'${name}', known.${name}`).join(", ")})`;

const RESPELLED = `
BEGIN;
DELETE FROM verdict;
INSERT INTO verdict SELECT ${KNOWN_COLUMNS.join(", ")} FROM known WHERE key IN (SELECT key FROM spelling);
INSERT INTO verdict (key) SELECT was FROM spelling;
`;

const PAIR = `
CASE WHEN known.key IS NOT NULL THEN ${KNOWN_PAGE} END AS known,
CASE WHEN differing.list IS NOT NULL THEN json_object('key', differing.key, 'url', differing.url, 'list', differing.list,
  'lastmod', differing.lastmod, 'hash', differing.hash)
  WHEN differing.key IS NOT NULL THEN 'missing' END AS now`;

const NEW_KEYS =
  "SELECT differing.key FROM differing LEFT JOIN known USING (key) WHERE known.key IS NULL";

/** Of each list of which most is new, the last new pages by their keys: what is reported in parts begins with the first. */
const STRANGE = `
SELECT list, key FROM (
  SELECT list, key, row_number() OVER (PARTITION BY list ORDER BY key DESC) AS place FROM listed
  WHERE key IN (${NEW_KEYS}) AND list IN (
    SELECT listed.list FROM listed LEFT JOIN known USING (key)
    GROUP BY listed.list HAVING count(DISTINCT listed.key) - count(DISTINCT known.key) > max(:few, count(DISTINCT known.key))))
WHERE place <= :most`;

const LISTED_AGAIN = `
SELECT count(*) AS pages FROM json_each(?) WHERE value IN (SELECT key FROM listed) AND value NOT IN (SELECT key FROM known)`;

/** A page that another list has, too, is not strange. */
const LEAVE_OUT = `
DELETE FROM differing WHERE key IN (${NEW_KEYS})
AND NOT EXISTS (SELECT 1 FROM listed WHERE listed.key = differing.key AND list NOT IN (SELECT value FROM json_each(?)))`;

const COMPARED = `SELECT ${PAIR} FROM (SELECT key FROM differing UNION SELECT key FROM known
  WHERE missing_since IS NOT NULL OR moves > 0) AS page
  LEFT JOIN known ON known.key = page.key LEFT JOIN differing ON differing.key = page.key ORDER BY page.key`;
