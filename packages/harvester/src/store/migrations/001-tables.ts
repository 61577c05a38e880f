import { type Kysely, sql } from "kysely";

/** Makes the tables of the first version. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of TABLES) await sql.raw(statement).execute(database);
}

const TABLES = [
  `CREATE TABLE source (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    address text NOT NULL UNIQUE,
    host text NOT NULL,
    description_url text UNIQUE,
    state text NOT NULL DEFAULT 'followed',
    description jsonb,
    interval double precision,
    followed_at double precision NOT NULL,
    next_check double precision,
    last_check double precision,
    last_success double precision,
    last_change double precision,
    failures integer NOT NULL DEFAULT 0,
    problem_code text,
    problem text,
    notice text,
    moved_to text,
    moved_sightings integer NOT NULL DEFAULT 0,
    lease text,
    lease_until double precision
  )`,
  "CREATE INDEX source_due ON source (next_check)",
  `CREATE TABLE host (
    name text PRIMARY KEY,
    not_before double precision,
    lease text,
    lease_until double precision
  )`,
  `CREATE TABLE document (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source_id integer NOT NULL REFERENCES source ON DELETE CASCADE,
    url text NOT NULL,
    etag text,
    last_modified text,
    hash text NOT NULL,
    outline jsonb,
    collection_id integer,
    is_closed boolean NOT NULL,
    read_at double precision NOT NULL,
    UNIQUE (source_id, url)
  )`,
  `CREATE TABLE collection (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source_id integer NOT NULL REFERENCES source ON DELETE CASCADE,
    key text NOT NULL,
    url text NOT NULL,
    first_url text NOT NULL,
    capability_list_url text NOT NULL,
    description jsonb,
    known_from double precision NOT NULL,
    newest double precision,
    is_whole boolean NOT NULL,
    is_listed boolean NOT NULL,
    UNIQUE (source_id, key)
  )`,
  // No reference to document: what was seen may stand in no list any more.
  `CREATE TABLE seen (
    collection_id integer NOT NULL REFERENCES collection ON DELETE CASCADE,
    identity text NOT NULL,
    document_id integer NOT NULL,
    datetime double precision NOT NULL,
    PRIMARY KEY (collection_id, identity)
  )`,
  "CREATE INDEX seen_in_document ON seen (document_id)",
  `CREATE TABLE resource (
    collection_id integer NOT NULL REFERENCES collection ON DELETE CASCADE,
    key text NOT NULL,
    hash text NOT NULL,
    datetime double precision NOT NULL,
    PRIMARY KEY (collection_id, key)
  )`,
  `CREATE TABLE entry (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    collection_id integer NOT NULL REFERENCES collection ON DELETE CASCADE,
    tag text NOT NULL,
    published double precision NOT NULL,
    updated double precision NOT NULL,
    UNIQUE (collection_id, tag)
  )`,
  `CREATE TABLE change (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    collection_id integer NOT NULL REFERENCES collection ON DELETE CASCADE,
    entry_id bigint REFERENCES entry ON DELETE CASCADE,
    url text NOT NULL,
    kind text NOT NULL,
    datetime double precision NOT NULL,
    lastmod double precision,
    title text,
    words text,
    is_minor boolean NOT NULL,
    taken_at double precision NOT NULL
  )`,
  "CREATE INDEX change_of_entry ON change (entry_id)",
  "CREATE INDEX change_of_collection ON change (collection_id)",
  `CREATE TABLE feed (
    key text PRIMARY KEY,
    entries integer NOT NULL,
    updated double precision NOT NULL
  )`,
  `CREATE TABLE feed_entry (
    feed text NOT NULL REFERENCES feed ON DELETE CASCADE,
    number integer NOT NULL,
    entry_id bigint NOT NULL REFERENCES entry ON DELETE CASCADE,
    PRIMARY KEY (feed, number)
  )`,
  "CREATE INDEX feed_entry_of_entry ON feed_entry (entry_id)",
  // What a hub may still deliver to outlives its collection, so that it can be ended.
  `CREATE TABLE subscription (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    collection_id integer UNIQUE REFERENCES collection ON DELETE SET NULL,
    topic text NOT NULL,
    hub text NOT NULL,
    token text NOT NULL UNIQUE,
    secret text NOT NULL,
    state text NOT NULL,
    due_at double precision NOT NULL,
    failures integer NOT NULL DEFAULT 0,
    lease_until double precision,
    told_until double precision,
    has_gap boolean NOT NULL DEFAULT false
  )`,
  "CREATE INDEX subscription_due ON subscription (due_at)",
  "CREATE INDEX subscription_gap ON subscription (id) WHERE has_gap",
];
