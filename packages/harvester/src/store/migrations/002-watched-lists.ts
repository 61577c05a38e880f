import { type Kysely, sql } from "kysely";
import { isSqlite } from "../portable.ts";

/** Adds the tables of sites that are followed by comparing their lists of pages. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const words = isSqlite(database)
    ? {
        ID: "integer PRIMARY KEY AUTOINCREMENT",
        INT: "integer",
        TEXT: "text",
        CLUSTERED: "WITHOUT ROWID",
      }
    : {
        ID: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
        INT: "bigint",
        TEXT: 'text COLLATE "C"',
        CLUSTERED: "",
      };
  for (const statement of STATEMENTS) {
    const text = Object.entries(words).reduce(
      (known, [word, meaning]) => known.replaceAll(`{${word}}`, meaning),
      statement,
    );
    await sql.raw(text).execute(database);
  }
}

const STATEMENTS = [
  "ALTER TABLE source ADD COLUMN from_lists integer NOT NULL DEFAULT 0",
  "ALTER TABLE source ADD COLUMN tells_changes integer",
  "ALTER TABLE collection ADD COLUMN is_compared integer NOT NULL DEFAULT 0",
  "ALTER TABLE entry ADD COLUMN note {TEXT}",
  `CREATE TABLE watch (
    source_id {INT} PRIMARY KEY REFERENCES source ON DELETE CASCADE,
    reading {INT} NOT NULL,
    roots {TEXT} NOT NULL,
    began_at double precision,
    compared_at double precision,
    doubt {TEXT},
    doubt_at double precision,
    pages {INT} NOT NULL DEFAULT 0,
    missing {INT} NOT NULL DEFAULT 0,
    restless {INT} NOT NULL DEFAULT 0,
    is_held integer NOT NULL DEFAULT 0,
    confirmed_at double precision
  )`,
  `CREATE TABLE watched_list (
    id {ID},
    source_id {INT} NOT NULL REFERENCES source ON DELETE CASCADE,
    url {TEXT} NOT NULL,
    etag {TEXT},
    last_modified {TEXT},
    hash {TEXT},
    stamp {TEXT},
    parts {TEXT},
    pages {INT} NOT NULL DEFAULT 0,
    UNIQUE (source_id, url)
  )`,
  `CREATE TABLE watched_page (
    source_id {INT} NOT NULL REFERENCES source ON DELETE CASCADE,
    key {TEXT} NOT NULL,
    url {TEXT} NOT NULL,
    list {INT} NOT NULL,
    lastmod double precision,
    hash {TEXT},
    moves integer NOT NULL DEFAULT 0,
    missing_since double precision,
    told_at double precision,
    PRIMARY KEY (source_id, key)
  ) {CLUSTERED}`,
  "CREATE INDEX watched_page_missing ON watched_page (source_id, missing_since) WHERE missing_since IS NOT NULL",
  "CREATE INDEX watched_page_moving ON watched_page (source_id) WHERE moves > 0",
  `CREATE TABLE read_page (
    source_id {INT} NOT NULL REFERENCES source ON DELETE CASCADE,
    reading {INT} NOT NULL,
    key {TEXT} NOT NULL,
    url {TEXT} NOT NULL,
    list {INT} NOT NULL,
    lastmod double precision,
    hash {TEXT},
    title {TEXT},
    PRIMARY KEY (source_id, reading, key)
  ) {CLUSTERED}`,
];
