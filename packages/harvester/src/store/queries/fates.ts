import { count, plural } from "@rs-emit/documents";
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Database, Schema } from "../schema.ts";
import { sites, titleOf } from "./followed-sites.ts";

/** What became of a site. */
export const FATES = [
  "followed",
  "polled",
  "own-feed",
  "sitemap",
  "neither",
  "unread",
  "waiting",
] as const;
export type Fate = (typeof FATES)[number];

/** How many sites became the same. */
export interface FateCount {
  readonly fate: Fate;
  readonly count: number;
}

export interface FateGroup extends FateCount {
  /** Some of them, by name. */
  readonly sites: readonly ListedSource[];
}

interface ListedSource {
  readonly id: number;
  readonly title: string;
  /** The address of its own feed. */
  readonly ownFeed: string | undefined;
  readonly problem: { readonly code: string; readonly finding: string | null } | undefined;
}

export interface ListReport {
  readonly total: number;
  /** How many were not followed before. */
  readonly added: number;
  readonly groups: readonly FateGroup[];
}

/** `2 sites are followed by their change logs` */
export function fateText({ fate, count: sites }: FateCount): string {
  return `${count(sites, "site")} ${predicate(fate, sites)}`;
}

function predicate(fate: Fate, sites: number): string {
  const is = plural(sites, "is", "are");
  switch (fate) {
    case "followed":
      return `${is} followed by ${plural(sites, "its change log", "their change logs")}`;
    case "polled":
      return `${is} followed by ${plural(sites, "its sitemap", "their sitemaps")}`;
    case "own-feed":
      return `${plural(sites, "needs", "need")} no harvester: ${plural(sites, "it has a feed of its own", "they have feeds of their own")}`;
    case "sitemap":
      return `${plural(sites, "publishes", "publish")} a sitemap alone, and can be followed by it`;
    case "neither":
      return `${plural(sites, "publishes", "publish")} neither change log nor sitemap nor feed`;
    case "unread":
      return "could not be read";
    case "waiting":
      return `${is} still to be checked`;
  }
}

/** Each site has one. What it does comes before what it publishes besides. */
const FATE: RawBuilder<Fate> = sql`CASE
  WHEN state IN ('gone', 'opted-out', 'blocked') THEN 'unread'
  WHEN condition = 'waiting' THEN 'waiting'
  WHEN condition = 'well' AND has_change_list = 0 THEN 'polled'
  WHEN condition = 'well' THEN 'followed'
  WHEN condition <> 'no-change-log' THEN 'unread'
  WHEN publishes = 'sitemap' AND polls_sitemap = 1 THEN 'polled'
  WHEN publishes = 'feed' THEN 'own-feed'
  WHEN publishes = 'sitemap' THEN 'sitemap'
  ELSE 'neither' END`;

const COUNT = sql<number>`CAST(count(*) AS integer)`;

type Sources = SelectQueryBuilder<Schema, "source", object>;

/** What became of sites, in the order of `FATES`: those that any of them has. */
export async function countFates(sources: Sources): Promise<readonly FateCount[]> {
  const counts = await sources
    .select([FATE.as("fate"), COUNT.as("count")])
    .groupBy("fate")
    .execute();
  return FATES.flatMap((fate) => counts.find((one) => one.fate === fate) ?? []);
}

/**
 * What became of the sites that a list named.
 *
 * @param listedAt when it was imported: `listed_at` of its sources
 * @param named how many are named of each fate
 */
export async function listReport(
  database: Database,
  listedAt: number,
  named: number,
): Promise<ListReport> {
  const listed = sites(database).where("listed_at", "=", listedAt);
  const { added } = await listed
    .where("followed_at", "=", listedAt)
    .select(COUNT.as("added"))
    .executeTakeFirstOrThrow();
  const counts = await countFates(listed);
  const groups: FateGroup[] = [];
  for (const { fate, count } of counts) {
    groups.push({ fate, count, sites: await sitesOf(listed, fate, named) });
  }
  return { total: counts.reduce((sum, { count }) => sum + count, 0), added, groups };
}

async function sitesOf(sources: Sources, fate: Fate, most: number): Promise<ListedSource[]> {
  const rows = await sources
    .selectAll()
    .where(sql<boolean>`${FATE} = ${fate}`)
    .orderBy("host")
    .orderBy("id")
    .limit(most)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    title: titleOf(row),
    ownFeed: row.own_feed ?? undefined,
    problem:
      row.problem_code === null ? undefined : { code: row.problem_code, finding: row.finding },
  }));
}
