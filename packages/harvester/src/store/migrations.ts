import { createHash } from "node:crypto";
import type { HarvestError } from "@rs-emit/reader";
import { type Kysely, sql } from "kysely";
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from "kysely/migration";
import { isSqlite } from "./dialects.ts";
import { databaseNewerError, databaseOtherError } from "./errors.ts";

export type Migrations = Readonly<Record<string, Migration>>;

/**
 * Makes the tables, or changes those of an earlier version, wholly or not at all. Kysely locks, so that processes migrate once.
 * @param place what an error calls the database
 * @throws {HarvestError}
 */
export async function migrate<Tables>(
  database: Kysely<Tables>,
  place: string,
  migrations: Migrations = MIGRATIONS,
): Promise<void> {
  const provider = { getMigrations: async () => migrations };
  const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
  if (error === undefined) return;
  throw (await reasonAgainst(database, place, migrations, error)) ?? error;
}

/** Who else made the tables, if that is why they cannot be changed. */
async function reasonAgainst<Tables>(
  database: Kysely<Tables>,
  place: string,
  migrations: Migrations,
  cause: unknown,
): Promise<HarvestError | undefined> {
  const table = sql.table(DEFAULT_MIGRATION_TABLE);
  try {
    const { rows } = await sql<{ name: string }>`SELECT name FROM ${table}`.execute(database);
    const made = new Set(rows.map(({ name }) => name));
    const later = [...made].find((name) => !(name in migrations));
    if (later !== undefined) {
      const hasOurs = Object.keys(migrations).every((name) => made.has(name));
      return hasOurs ? databaseNewerError(place, later, cause) : databaseOtherError(place, cause);
    }
    const tables = await database.introspection.getTables();
    const isTaken = made.size === 0 && tables.some(({ name }) => name === "source");
    return isTaken ? databaseOtherError(place, cause) : undefined;
  } catch {
    return undefined; // What ended the migration also ends this.
  }
}

/** Runs `TABLES` with the words of the database. */
async function createTables(database: Kysely<unknown>): Promise<void> {
  // Otherwise SQLite reuses deleted ids, and a feed's address would become another site's.
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
        // By bytes, as in SQLite.
        TEXT: 'text COLLATE "C"',
        CLUSTERED: "",
      };
  for (const statement of TABLES) {
    const text = Object.entries(words).reduce(
      (known, [word, meaning]) => known.replaceAll(`{${word}}`, meaning),
      statement,
    );
    await sql.raw(text).execute(database);
  }
}

const TABLES = [
  `CREATE TABLE source (
    id {ID},
    address {TEXT} UNIQUE,
    host {TEXT} NOT NULL,
    description_url {TEXT},
    site_key {TEXT} UNIQUE,
    state {TEXT} NOT NULL DEFAULT 'followed',
    description {TEXT},
    name {TEXT},
    interval double precision,
    followed_at double precision NOT NULL,
    listed_at double precision,
    next_check double precision,
    last_check double precision,
    last_full double precision,
    last_unconditional double precision,
    wants_full integer NOT NULL DEFAULT 0,
    last_success double precision,
    last_change double precision,
    failures integer NOT NULL DEFAULT 0,
    unfinished_checks integer NOT NULL DEFAULT 0,
    problem_code {TEXT},
    problem {TEXT},
    finding {TEXT},
    notice {TEXT},
    notes {TEXT},
    moved_to {TEXT},
    moved_sightings integer NOT NULL DEFAULT 0,
    checks_without_news integer NOT NULL DEFAULT 0,
    checks_kept integer NOT NULL DEFAULT 0,
    polls_sitemap integer NOT NULL DEFAULT 0,
    followed_by {TEXT},
    condition {TEXT} NOT NULL DEFAULT 'waiting',
    condition_since double precision,
    own_feed {TEXT},
    lost_checks integer NOT NULL DEFAULT 0,
    lost_at double precision,
    searched_at double precision,
    printed_entry {INT} NOT NULL DEFAULT 0
  )`,
  "CREATE INDEX source_of_host ON source (host, next_check)",
  "CREATE INDEX source_due ON source (next_check)",
  "CREATE INDEX source_new ON source (host) WHERE last_check IS NULL AND next_check IS NOT NULL",
  "CREATE INDEX source_attempted ON source (next_check) WHERE unfinished_checks > 0",
  "CREATE INDEX source_unfollowed ON source (id) WHERE state = 'unfollowed'",
  "CREATE INDEX source_listed ON source (listed_at) WHERE listed_at IS NOT NULL",
  "CREATE INDEX source_condition ON source (state, condition, followed_by)",
  `CREATE TABLE merged_source (
    source_id {INT} PRIMARY KEY,
    into_id {INT} NOT NULL REFERENCES source ON DELETE CASCADE,
    address {TEXT} NOT NULL,
    merged_at double precision NOT NULL
  )`,
  "CREATE INDEX merged_source_into ON merged_source (into_id)",
  "CREATE INDEX merged_source_address ON merged_source (address)",
  `CREATE TABLE source_label (
    source_id {INT} NOT NULL REFERENCES source ON DELETE CASCADE,
    label {TEXT} NOT NULL,
    PRIMARY KEY (source_id, label)
  ) {CLUSTERED}`,
  "CREATE INDEX source_of_label ON source_label (label, source_id)",
  `CREATE TABLE source_check (
    source_id {INT} NOT NULL REFERENCES source ON DELETE CASCADE,
    slot integer NOT NULL,
    number integer NOT NULL,
    time double precision NOT NULL,
    reported integer NOT NULL,
    without_news integer NOT NULL,
    problem_code {TEXT},
    finding {TEXT},
    PRIMARY KEY (source_id, slot)
  ) {CLUSTERED}`,
  `CREATE TABLE source_day (
    source_id {INT} NOT NULL REFERENCES source ON DELETE CASCADE,
    day integer NOT NULL,
    entries integer NOT NULL,
    last {INT} NOT NULL,
    newest {TEXT} NOT NULL,
    time double precision NOT NULL,
    PRIMARY KEY (source_id, day)
  ) {CLUSTERED}`,
  "CREATE INDEX source_day_newest ON source_day (time, source_id)",
  `CREATE TABLE host (
    name {TEXT} PRIMARY KEY,
    due_at double precision,
    is_new integer NOT NULL DEFAULT 0,
    not_before double precision,
    lease {TEXT},
    lease_until double precision,
    robots {TEXT},
    is_blocked integer NOT NULL DEFAULT 0
  )`,
  "CREATE INDEX host_due ON host (is_new, due_at)",
  "CREATE INDEX host_blocked ON host (name) WHERE is_blocked = 1",
  "CREATE INDEX host_leased ON host (lease) WHERE lease IS NOT NULL",
  `CREATE TABLE document (
    id {ID},
    source_id {INT} NOT NULL REFERENCES source ON DELETE CASCADE,
    url {TEXT} NOT NULL,
    etag {TEXT},
    last_modified {TEXT},
    fresh_until double precision,
    hash {TEXT} NOT NULL,
    summary {TEXT},
    collection_id {INT},
    is_closed integer NOT NULL,
    UNIQUE (source_id, url)
  )`,
  `CREATE TABLE collection (
    id {ID},
    source_id {INT} NOT NULL REFERENCES source ON DELETE CASCADE,
    key {TEXT} NOT NULL,
    url {TEXT} NOT NULL,
    first_url {TEXT} NOT NULL,
    base_url {TEXT} NOT NULL,
    capability_list_url {TEXT} NOT NULL,
    topic {TEXT},
    hub {TEXT},
    description {TEXT},
    known_from double precision NOT NULL,
    has_changes integer NOT NULL DEFAULT 0,
    is_whole integer NOT NULL,
    is_listed integer NOT NULL,
    is_compared integer NOT NULL DEFAULT 0,
    UNIQUE (source_id, key)
  )`,
  "CREATE INDEX collection_url ON collection (url)",
  "CREATE INDEX collection_capability_list ON collection (capability_list_url)",
  "CREATE INDEX collection_pushed ON collection (id) WHERE topic IS NOT NULL",
  `CREATE TABLE seen (
    collection_id {INT} NOT NULL REFERENCES collection ON DELETE CASCADE,
    identity {TEXT} NOT NULL,
    resource {TEXT} NOT NULL,
    kind {TEXT} NOT NULL,
    datetime double precision NOT NULL,
    hash {TEXT},
    PRIMARY KEY (collection_id, identity)
  ) {CLUSTERED}`,
  `CREATE TABLE listing (
    collection_id {INT} NOT NULL,
    identity {TEXT} NOT NULL,
    document_id {INT} NOT NULL REFERENCES document ON DELETE CASCADE,
    PRIMARY KEY (collection_id, identity, document_id)
  ) {CLUSTERED}`,
  "CREATE INDEX listing_in_document ON listing (document_id)",
  `CREATE TABLE entry (
    id {ID},
    collection_id {INT} NOT NULL REFERENCES collection ON DELETE CASCADE,
    name {TEXT} NOT NULL,
    part integer NOT NULL,
    time double precision NOT NULL,
    taken_at double precision NOT NULL,
    counts {TEXT} NOT NULL,
    combined_counts {TEXT},
    note {TEXT},
    is_combined integer NOT NULL DEFAULT 1,
    UNIQUE (collection_id, name, part)
  )`,
  `CREATE TABLE change (
    id {ID},
    entry_id {INT} NOT NULL REFERENCES entry ON DELETE CASCADE,
    url {TEXT} NOT NULL,
    kind {TEXT} NOT NULL,
    datetime double precision NOT NULL,
    lastmod double precision,
    title {TEXT},
    words {TEXT},
    is_minor integer NOT NULL,
    event {TEXT} NOT NULL,
    shown_in {TEXT},
    archived {TEXT},
    moved {TEXT},
    quotes {TEXT}
  )`,
  "CREATE INDEX change_of_entry ON change (entry_id, id)",
  "CREATE INDEX change_shown ON change (entry_id) WHERE shown_in IS NOT NULL",
  "CREATE INDEX change_event ON change (event)",
  `CREATE TABLE feed (
    key {TEXT} PRIMARY KEY,
    entries {INT} NOT NULL,
    updated double precision NOT NULL,
    version {INT} NOT NULL
  )`,
  `CREATE TABLE feed_entry (
    feed {TEXT} NOT NULL REFERENCES feed ON DELETE CASCADE,
    number {INT} NOT NULL,
    entry_id {INT} NOT NULL REFERENCES entry ON DELETE CASCADE,
    PRIMARY KEY (feed, number)
  )`,
  "CREATE INDEX feed_entry_of_entry ON feed_entry (entry_id)",
  // Outlives its collection: the hub may still deliver, until the subscription is ended.
  `CREATE TABLE subscription (
    id {ID},
    collection_id {INT} UNIQUE REFERENCES collection ON DELETE SET NULL,
    topic {TEXT} NOT NULL,
    hub {TEXT} NOT NULL,
    token {TEXT} NOT NULL UNIQUE,
    secret {TEXT} NOT NULL,
    state {TEXT} NOT NULL,
    due_at double precision NOT NULL,
    failures integer NOT NULL DEFAULT 0,
    lease_until double precision,
    covered_until double precision
  )`,
  "CREATE INDEX subscription_due ON subscription (due_at)",
  `CREATE TABLE ping (
    feed {TEXT} PRIMARY KEY,
    due_at double precision NOT NULL,
    failures integer NOT NULL DEFAULT 0,
    version {INT} NOT NULL
  )`,
  "CREATE INDEX ping_due ON ping (due_at)",
  `CREATE TABLE session (
    id {TEXT} PRIMARY KEY,
    until double precision NOT NULL
  )`,
  `CREATE TABLE polling (
    source_id {INT} PRIMARY KEY REFERENCES source ON DELETE CASCADE,
    roots {TEXT} NOT NULL,
    site {TEXT} NOT NULL,
    began_at double precision NOT NULL,
    compared_at double precision,
    distrust {TEXT},
    steady_checks integer NOT NULL DEFAULT 0,
    pages {INT} NOT NULL DEFAULT 0,
    missing {INT} NOT NULL DEFAULT 0,
    moving {INT} NOT NULL DEFAULT 0,
    strange {INT} NOT NULL DEFAULT 0,
    undated {INT} NOT NULL DEFAULT 0,
    unread_dates {INT} NOT NULL DEFAULT 0,
    missing_locs {INT} NOT NULL DEFAULT 0,
    awaits_confirmation integer NOT NULL DEFAULT 0,
    pages_before {INT},
    confirmed_at double precision
  )`,
  `CREATE TABLE polled_list (
    id {ID},
    source_id {INT} NOT NULL REFERENCES source ON DELETE CASCADE,
    url {TEXT} NOT NULL,
    etag {TEXT},
    last_modified {TEXT},
    hash {TEXT},
    stamp {TEXT},
    parts {TEXT},
    is_baseline {INT} NOT NULL DEFAULT 0,
    pages {INT} NOT NULL DEFAULT 0,
    strange {TEXT} NOT NULL DEFAULT '[]',
    missing_locs {INT} NOT NULL DEFAULT 0,
    dated {INT} NOT NULL DEFAULT 0,
    unread_dates {INT} NOT NULL DEFAULT 0,
    only_date {INT},
    UNIQUE (source_id, url)
  )`,
  `CREATE TABLE polled_page (
    source_id {INT} NOT NULL REFERENCES source ON DELETE CASCADE,
    key {TEXT} NOT NULL,
    url {TEXT} NOT NULL,
    list {INT} NOT NULL,
    lastmod {INT},
    hash {TEXT},
    moves integer NOT NULL DEFAULT 0,
    missing_since double precision,
    PRIMARY KEY (source_id, key)
  ) {CLUSTERED}`,
  "CREATE INDEX polled_page_unsettled ON polled_page (source_id, key) WHERE (missing_since IS NOT NULL OR moves > 0)",
];

const DIGEST = createHash("sha256").update(TABLES.join(";").replace(/\s+/g, " ")).digest("hex");

/**
 * Each later change of the tables is one more, with the next number. Those that were released stay as they are. The name of the
 * first one says which tables it makes, so that those of an unreleased version are not taken for them.
 */
export const MIGRATIONS: Migrations = {
  [`001-tables-${DIGEST.slice(0, 8)}`]: { up: createTables },
};
