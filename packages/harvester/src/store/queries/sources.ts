import { type Kysely, type Selectable, type SelectQueryBuilder, sql } from "kysely";
import type { Schema, SourceTable } from "../schema.ts";
import { type ListedCollection, someCollections } from "./collections.ts";
import { type Health, healthOf } from "./health.ts";
import { nameOf, siteOf } from "./names.ts";

/** A source as pages show it. Times are UTC seconds. */
export interface ListedSource {
  readonly id: number;
  readonly title: string;
  readonly language: string | undefined;
  /** Where the site is. */
  readonly site: string;
  readonly host: string;
  readonly health: Health;
  /** Seconds between checks, where they are its own. */
  readonly interval: number | undefined;
  readonly followedAt: number;
  readonly lastCheck: number | undefined;
  readonly lastChange: number | undefined;
  readonly nextCheck: number | undefined;
  /** What kept its last check from succeeding. */
  readonly problem: { readonly code: string; readonly text: string } | undefined;
  /** What followers should know although nothing failed. */
  readonly notice: string | undefined;
  /** The first of its collections. */
  readonly collections: readonly ListedCollection[];
  /** How many it has in all. */
  readonly collectionCount: number;
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Counted from 1. */
  readonly number: number;
  /** How many pages there are; at least one. */
  readonly count: number;
  /** How many items there are on all pages. */
  readonly total: number;
}

const PER_PAGE = 50;

/** Collections that a source shows in a list. */
const COLLECTIONS = 3;

/** What of a source it takes to list it. */
const COLUMNS = [
  "id",
  "address",
  "host",
  "description_url",
  "state",
  "description",
  "interval",
  "followed_at",
  "next_check",
  "last_check",
  "last_change",
  "problem_code",
  "problem",
  "notice",
] as const;

type SourceRow = Pick<Selectable<SourceTable>, (typeof COLUMNS)[number]>;

/**
 * The sources, by host.
 *
 * @param number which page; past the last one, that is given
 * @param onlyTroubled leaves out those that do well
 */
export async function listSources(
  database: Kysely<Schema>,
  number: number,
  onlyTroubled = false,
): Promise<Page<ListedSource>> {
  const all = sites(database).$if(onlyTroubled, (query) =>
    query.where((is) => is.or([is("state", "!=", "followed"), is("problem_code", "is not", null)])),
  );
  const { total } = await all
    .select(sql<number>`count(*)::integer`.as("total"))
    .executeTakeFirstOrThrow();
  const count = Math.max(1, Math.ceil(total / PER_PAGE));
  const page = Math.min(number, count);
  const rows = await all
    .select(COLUMNS)
    .orderBy("host")
    .orderBy("id")
    .limit(PER_PAGE)
    .offset((page - 1) * PER_PAGE)
    .execute();
  return { items: await withCollections(database, rows, COLLECTIONS), number: page, count, total };
}

/** One source; `undefined` where there is none of that id. */
export async function findSource(
  database: Kysely<Schema>,
  id: number,
): Promise<ListedSource | undefined> {
  const row = await sites(database).select(COLUMNS).where("id", "=", id).executeTakeFirst();
  if (row === undefined) return undefined;
  const [source] = await withCollections(database, [row], ALL_COLLECTIONS);
  return source;
}

/** More than a source can have (`read/limits.ts`), renamed ones included. */
const ALL_COLLECTIONS = 2_000;

/** The sources of a host. */
export async function sourcesOfHost(
  database: Kysely<Schema>,
  host: string,
): Promise<readonly ListedSource[]> {
  const rows = await sites(database)
    .select(COLUMNS)
    .where("host", "=", host)
    .orderBy("id")
    .limit(PER_PAGE)
    .execute();
  return withCollections(database, rows, COLLECTIONS);
}

/** Sources, without the rows that stand for blocked hosts. */
function sites(database: Kysely<Schema>): SelectQueryBuilder<Schema, "source", object> {
  return database.selectFrom("source").where("address", "not like", "host:%");
}

async function withCollections(
  database: Kysely<Schema>,
  rows: readonly SourceRow[],
  most: number,
): Promise<ListedSource[]> {
  const ids = rows.map(({ id }) => id);
  const collections = await someCollections(database, ids, most);
  return rows.map((row) => toSource(row, collections.get(row.id) ?? { shown: [], count: 0 }));
}

function toSource(
  row: SourceRow,
  collections: { readonly shown: readonly ListedCollection[]; readonly count: number },
): ListedSource {
  const site = siteOf(row);
  const { problem_code: code, problem } = row;
  return {
    id: row.id,
    title: nameOf(row.description, site),
    language: row.description?.language,
    site,
    host: row.host,
    health: healthOf(row),
    interval: row.interval ?? undefined,
    followedAt: row.followed_at,
    lastCheck: row.last_check ?? undefined,
    lastChange: row.last_change ?? undefined,
    nextCheck: row.next_check ?? undefined,
    problem: code === null ? undefined : { code, text: problem ?? "" },
    notice: row.notice ?? undefined,
    collections: collections.shown,
    collectionCount: collections.count,
  };
}
