import { type Selectable, type SelectQueryBuilder, sql } from "kysely";
import { countOf, type Health, healthOf, type StandingCounts } from "../../../health-names.ts";
import { isAmongIds } from "../../../store/dialects.ts";
import { descriptionIn, nameOf, siteOf } from "../../../store/feed-names.ts";
import { pollMany } from "../../../store/following/choose-polling.ts";
import { labelsOf, sourcesWith } from "../../../store/following/label.ts";
import { sites } from "../../../store/pages/exported-sites.ts";
import { countHealth, isOfHealth } from "../../../store/pages/health.ts";
import { hasName, shownName, sourceTitle } from "../../../store/pages/source-title.ts";
import type {
  CollectionTable,
  Database,
  FollowedBy,
  Schema,
  SourceTable,
} from "../../../store/schema.ts";

/** Times are UTC seconds. */
export interface ListedSource {
  readonly id: number;
  readonly title: string;
  /** Given by the operator. */
  readonly name: string | undefined;
  /** Its title is more than its address. */
  readonly hasName: boolean;
  readonly labels: readonly string[];
  readonly language: string | undefined;
  readonly site: string;
  readonly host: string;
  readonly health: Health;
  /** Since when. */
  readonly since: number | undefined;
  readonly ownFeed: string | undefined;
  /** Seconds; `undefined` for the default. */
  readonly interval: number | undefined;
  readonly followedAt: number;
  readonly lastCheck: number | undefined;
  readonly lastChange: number | undefined;
  readonly nextCheck: number | undefined;
  readonly problem:
    | { readonly code: string; readonly text: string; readonly finding?: string | null }
    | undefined;
  readonly notice: string | undefined;
  /** For its author. */
  readonly notes: readonly string[];
  /** Its lists of pages are compared while it publishes no Change List. */
  readonly pollsSitemap: boolean;
  readonly followedBy: FollowedBy | undefined;
  /** Checks without news since the last one with news or a failure. */
  readonly quietChecks: number;
  readonly collections: readonly ShownCollection[];
  readonly collectionCount: number;
}

export interface ShownCollection {
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

export interface PageOf<Item> {
  readonly items: readonly Item[];
  /** Counted from 1. */
  readonly number: number;
  readonly count: number;
  readonly total: number;
}

const PER_PAGE = 50;
/** Of a source in a list only the number of its collections is told. */
const COLLECTIONS = 1;
/** More than a source can have (`read/reading-limits.ts`), renamed ones included. */
const ALL_COLLECTIONS = 2_000;

export interface SourceFilter {
  /** `undefined` for all. */
  readonly health: Health | undefined;
  /** A part of a name, title or address; empty for all. */
  readonly name: string;
  /** `undefined` for all. */
  readonly label: string | undefined;
}

/** Sources of a page, and all that have the name that is looked for, by how they do. */
export interface SourcesPage extends PageOf<ListedSource> {
  readonly counts: StandingCounts;
}

/** By name. A page past the last one is the last one. */
export async function listSources(
  database: Database,
  number: number,
  filter: SourceFilter,
): Promise<SourcesPage> {
  const { health } = filter;
  const named = sourcesNamed(database, filter);
  const counts = await countHealth(named);
  const total = countOf(counts, health);
  const count = Math.max(1, Math.ceil(total / PER_PAGE));
  const page = Math.min(number, count);
  const rows = await named
    .$if(health !== undefined, (query) => query.where(isOfHealth(health ?? "well")))
    .selectAll()
    .orderBy(shownName(database))
    .orderBy("id")
    .limit(PER_PAGE)
    .offset((page - 1) * PER_PAGE)
    .execute();
  const items = await withCollections(database, rows, COLLECTIONS);
  return { items, number: page, count, total, counts };
}

function sourcesNamed(
  database: Database,
  { name, label }: Pick<SourceFilter, "name" | "label">,
): SelectQueryBuilder<Schema, "source", object> {
  const labelled =
    label === undefined
      ? sites(database)
      : sites(database).where("id", "in", sourcesWith(database, label));
  if (name === "") return labelled;
  const pattern = `%${name.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  return labelled.where(
    sql<boolean>`lower(host || ' ' || coalesce(name, '') || ' ' || coalesce(address, '') || ' '
      || coalesce(description, '')) LIKE ${pattern} ESCAPE '\\'`,
  );
}

/**
 * Has the sites without a change log that publish a sitemap followed by it, of those with the name that is looked for.
 *
 * @returns how many
 */
export async function pollUnpolled(
  database: Database,
  filter: Pick<SourceFilter, "name" | "label">,
  now: number,
): Promise<number> {
  return pollMany(database, sourcesNamed(database, filter).where(isOfHealth("has-sitemap")), now);
}

export async function followsAny(database: Database): Promise<boolean> {
  return (await sites(database).select("id").limit(1).executeTakeFirst()) !== undefined;
}

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
  const labels = await labelsOf(
    database,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    ...toSource(row, collections.get(row.id) ?? []),
    labels: labels.get(row.id) ?? [],
  }));
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
): Omit<ListedSource, "labels"> {
  const site = siteOf(row);
  const description = descriptionIn(row.description);
  const { problem_code: code, problem, finding } = row;
  return {
    id: row.id,
    title: sourceTitle(row),
    name: row.name ?? undefined,
    hasName: hasName(row),
    language: row.name === null ? description?.language : undefined,
    site,
    host: row.host,
    health: healthOf(row),
    since: row.condition_since ?? undefined,
    ownFeed: row.own_feed ?? undefined,
    interval: row.interval ?? undefined,
    followedAt: row.followed_at,
    lastCheck: row.last_check ?? undefined,
    lastChange: row.last_change ?? undefined,
    nextCheck: row.next_check ?? undefined,
    problem: code === null ? undefined : { code, text: problem ?? "", finding },
    notice: row.notice ?? undefined,
    notes: row.notes === null ? [] : JSON.parse(row.notes),
    pollsSitemap: row.polls_sitemap === 1,
    followedBy: row.followed_by ?? undefined,
    quietChecks: row.checks_without_news,
    collections: collections.map((one) => toCollection(one, row.name)),
    collectionCount: collections[0]?.count ?? 0,
  };
}

function toCollection(row: CollectionRow, given: string | null): ShownCollection {
  const description = descriptionIn(row.description);
  return {
    id: row.id,
    title: nameOf(description, row.url, given),
    language: description?.language,
    url: row.url,
    summary: description?.summary,
    isListed: row.is_listed === 1,
    isCompared: row.is_compared === 1,
  };
}

export interface Figures {
  readonly counts: StandingCounts;
  /** Hosts with due sources. */
  readonly due: number;
  /** Of a due host, in seconds. */
  readonly longestWait: number;
}

export async function figures(database: Database, now: number): Promise<Figures> {
  const counts = await countHealth(sites(database));
  const { due, first } = await database
    .selectFrom("host")
    .select(sql<number>`CAST(count(*) AS integer)`.as("due"))
    .select(sql<number | null>`min(due_at)`.as("first"))
    .where("due_at", "<=", now)
    .executeTakeFirstOrThrow();
  return { counts, due, longestWait: first === null ? 0 : now - first };
}
