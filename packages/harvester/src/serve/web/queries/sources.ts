import { type RawBuilder, type Selectable, sql } from "kysely";
import { isAmongIds } from "../../../store/portable.ts";
import { sites, titleOf } from "../../../store/queries/followed-sites.ts";
import { descriptionIn, nameOf, siteOf } from "../../../store/queries/names.ts";
import type { CollectionTable, Database, SourceState, SourceTable } from "../../../store/schema.ts";

export const HEALTHS = [
  "waiting",
  "well",
  "troubled",
  "paused",
  "gone",
  "opted-out",
  "blocked",
] as const;
export type Health = (typeof HEALTHS)[number];

/** `waiting` until the first check; `troubled` while the last one failed. */
function healthOf(source: {
  readonly state: SourceState;
  readonly last_check: number | null;
  readonly problem_code: string | null;
}): Health {
  const { state, last_check, problem_code } = source;
  if (state !== "followed") return state === "unfollowed" ? "gone" : state;
  if (last_check === null) return "waiting";
  return problem_code === null ? "well" : "troubled";
}

/** Times are UTC seconds. */
export interface ListedSource {
  readonly id: number;
  readonly title: string;
  /** Given by the operator. */
  readonly name: string | undefined;
  readonly language: string | undefined;
  readonly site: string;
  readonly host: string;
  readonly health: Health;
  /** Seconds; `undefined` for the default. */
  readonly interval: number | undefined;
  readonly followedAt: number;
  readonly lastCheck: number | undefined;
  readonly lastChange: number | undefined;
  readonly nextCheck: number | undefined;
  readonly problem: { readonly code: string; readonly text: string } | undefined;
  readonly notice: string | undefined;
  /** For its author. */
  readonly notes: readonly string[];
  /** Its lists of pages are compared while it publishes no Change List. */
  readonly isFromLists: boolean;
  /** It publishes no Change List, as far as its last check knows. */
  readonly isSilent: boolean;
  /** Checks without news since the last one with news or a failure. */
  readonly quietChecks: number;
  readonly collections: readonly ListedCollection[];
  readonly collectionCount: number;
}

export interface ListedCollection {
  readonly id: number;
  readonly title: string;
  readonly language: string | undefined;
  readonly url: string;
  readonly summary: string | undefined;
  /** Its source still lists it. */
  readonly isListed: boolean;
  /** It comes from comparing lists. */
  readonly isCompared: boolean;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Counted from 1. */
  readonly number: number;
  readonly count: number;
  readonly total: number;
}

const PER_PAGE = 50;
const COLLECTIONS = 3;
/** More than a source can have (`read/limits.ts`), renamed ones included. */
const ALL_COLLECTIONS = 2_000;

interface SourceFilter {
  /** `undefined` for all. */
  readonly health: Health | undefined;
  /** A part of a name, title or address; empty for all. */
  readonly name: string;
}

/** The same conditions as `healthOf`, in SQL. */
const CONDITIONS: Readonly<Record<Health, RawBuilder<boolean>>> = {
  waiting: sql`state = 'followed' AND last_check IS NULL`,
  well: sql`state = 'followed' AND last_check IS NOT NULL AND problem_code IS NULL`,
  troubled: sql`state = 'followed' AND last_check IS NOT NULL AND problem_code IS NOT NULL`,
  paused: sql`state = 'paused'`,
  gone: sql`state = 'gone'`,
  "opted-out": sql`state = 'opted-out'`,
  blocked: sql`state = 'blocked'`,
};

/** By host. A page past the last one is the last one. */
export async function listSources(
  database: Database,
  number: number,
  { health, name }: SourceFilter,
): Promise<Page<ListedSource>> {
  const pattern = `%${name.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  const all = sites(database)
    .$if(health !== undefined, (query) => query.where(CONDITIONS[health ?? "well"]))
    .$if(name !== "", (query) =>
      query.where(
        sql<boolean>`lower(host || ' ' || coalesce(name, '') || ' ' || coalesce(address, '') || ' '
          || coalesce(description, '')) LIKE ${pattern} ESCAPE '\\'`,
      ),
    );
  const { total } = await all.select(COUNT.as("total")).executeTakeFirstOrThrow();
  const count = Math.max(1, Math.ceil(total / PER_PAGE));
  const page = Math.min(number, count);
  const rows = await all
    .selectAll()
    .orderBy("host")
    .orderBy("id")
    .limit(PER_PAGE)
    .offset((page - 1) * PER_PAGE)
    .execute();
  return { items: await withCollections(database, rows, COLLECTIONS), number: page, count, total };
}

export async function followsAny(database: Database): Promise<boolean> {
  return (await sites(database).select("id").limit(1).executeTakeFirst()) !== undefined;
}

const COUNT = sql<number>`CAST(count(*) AS integer)`;

export async function listedSource(
  database: Database,
  id: number,
): Promise<ListedSource | undefined> {
  const rows = await sites(database).selectAll().where("id", "=", id).execute();
  const [source] = await withCollections(database, rows, ALL_COLLECTIONS);
  return source;
}

async function withCollections(
  database: Database,
  rows: readonly Selectable<SourceTable>[],
  most: number,
): Promise<ListedSource[]> {
  const collections = await someCollections(database, rows, most);
  return rows.map((row) => toSource(row, collections.get(row.id) ?? []));
}

type CollectionRow = Selectable<CollectionTable> & { readonly count: number };

/** By source id; collections that are still listed come first. */
async function someCollections(
  database: Database,
  sources: readonly Pick<Selectable<SourceTable>, "id">[],
  most: number,
): Promise<ReadonlyMap<number, readonly CollectionRow[]>> {
  if (sources.length === 0) return new Map();
  const ids = sources.map(({ id }) => id);
  const { rows } = await sql<CollectionRow>`
    SELECT * FROM (
      SELECT collection.*,
        row_number() OVER (PARTITION BY source_id ORDER BY is_listed DESC, url, id) AS place,
        CAST(count(*) OVER (PARTITION BY source_id) AS integer) AS count
      FROM collection WHERE ${isAmongIds(database, "source_id", ids)}
    ) AS ranked
    WHERE place <= ${most} ORDER BY source_id, place`.execute(database);
  return Map.groupBy(rows, ({ source_id }) => source_id);
}

function toSource(
  row: Selectable<SourceTable>,
  collections: readonly CollectionRow[],
): ListedSource {
  const site = siteOf(row);
  const description = descriptionIn(row.description);
  const { problem_code: code, problem } = row;
  return {
    id: row.id,
    title: titleOf(row),
    name: row.name ?? undefined,
    language: row.name === null ? description?.language : undefined,
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
    notes: row.notes === null ? [] : JSON.parse(row.notes),
    isFromLists: row.from_lists === 1,
    isSilent: row.has_change_list === 0,
    quietChecks: row.checks_without_news,
    collections: collections.map(toCollection),
    collectionCount: collections[0]?.count ?? 0,
  };
}

function toCollection(row: CollectionRow): ListedCollection {
  const description = descriptionIn(row.description);
  return {
    id: row.id,
    title: nameOf(description, row.url),
    language: description?.language,
    url: row.url,
    summary: description?.summary,
    isListed: row.is_listed === 1,
    isCompared: row.is_compared === 1,
  };
}

export interface Figures {
  readonly sources: ReadonlyMap<Health, number>;
  /** Hosts with due sources. */
  readonly due: number;
  /** Of a due host, in seconds. */
  readonly longestWait: number;
}

export async function figures(database: Database, now: number): Promise<Figures> {
  const kinds = await sites(database)
    .select(["state", COUNT.as("count")])
    .select(sql<number | null>`min(last_check)`.as("last_check"))
    .select(sql<string | null>`min(problem_code)`.as("problem_code"))
    .groupBy(["state", sql`last_check IS NULL`, sql`problem_code IS NULL`])
    .execute();
  const sources = new Map<Health, number>(HEALTHS.map((health) => [health, 0]));
  for (const kind of kinds) {
    const health = healthOf(kind);
    sources.set(health, (sources.get(health) ?? 0) + kind.count);
  }
  const { due, first } = await database
    .selectFrom("host")
    .select(COUNT.as("due"))
    .select(sql<number | null>`min(due_at)`.as("first"))
    .where("due_at", "<=", now)
    .executeTakeFirstOrThrow();
  return { sources, due, longestWait: first === null ? 0 : now - first };
}
