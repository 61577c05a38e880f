import { plural } from "@rs-emit/documents";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../schema.ts";
import { sites, titleOf } from "./followed-sites.ts";

/** What became of a site that a list named. */
export const FATES = [
  "followed",
  "watched",
  "own-feed",
  "sitemap",
  "neither",
  "unread",
  "waiting",
] as const;
export type Fate = (typeof FATES)[number];

/** Those of a list that became the same. */
export interface FateGroup {
  readonly fate: Fate;
  readonly count: number;
  /** Some of them, by name. */
  readonly sites: readonly ListedSource[];
}

interface ListedSource {
  readonly id: number;
  readonly title: string;
  /** The address of its own feed. */
  readonly ownFeed: string | undefined;
  readonly problem: { readonly code: string; readonly problem: string } | undefined;
}

export interface ListReport {
  readonly total: number;
  /** How many were not followed before. */
  readonly added: number;
  readonly groups: readonly FateGroup[];
}

/** What is said of so many sites. */
export function fateText(fate: Fate, sites: number): string {
  const is = plural(sites, "is", "are");
  switch (fate) {
    case "followed":
      return `${is} followed by ${plural(sites, "its change log", "their change logs")}`;
    case "watched":
      return `${is} watched by ${plural(sites, "its sitemap", "their sitemaps")}`;
    case "own-feed":
      return `${plural(sites, "needs", "need")} no harvester: ${plural(sites, "it has a feed of its own", "they have feeds of their own")}`;
    case "sitemap":
      return `${plural(sites, "publishes", "publish")} a sitemap alone, and can be watched by it`;
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
  WHEN condition = 'well' AND has_change_list = 0 THEN 'watched'
  WHEN condition = 'well' THEN 'followed'
  WHEN condition <> 'no-change-log' THEN 'unread'
  WHEN publishes = 'sitemap' AND from_lists = 1 THEN 'watched'
  WHEN publishes = 'feed' THEN 'own-feed'
  WHEN publishes = 'sitemap' THEN 'sitemap'
  ELSE 'neither' END`;

const COUNT = sql<number>`CAST(count(*) AS integer)`;

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
  const counts = await listed
    .select([FATE.as("fate"), COUNT.as("count")])
    .select(
      sql<number>`CAST(sum(CASE WHEN followed_at = listed_at THEN 1 ELSE 0 END) AS integer)`.as(
        "added",
      ),
    )
    .groupBy("fate")
    .execute();
  const groups: FateGroup[] = [];
  for (const fate of FATES) {
    const { count = 0 } = counts.find((one) => one.fate === fate) ?? {};
    if (count === 0) continue;
    const rows = await listed
      .selectAll()
      .where(sql<boolean>`${FATE} = ${fate}`)
      .orderBy("host")
      .orderBy("id")
      .limit(named)
      .execute();
    const some = rows.map((row) => ({
      id: row.id,
      title: titleOf(row),
      ownFeed: row.own_feed ?? undefined,
      problem:
        row.problem_code === null
          ? undefined
          : { code: row.problem_code, problem: row.problem ?? "" },
    }));
    groups.push({ fate, count, sites: some });
  }
  return {
    total: counts.reduce((sum, { count }) => sum + count, 0),
    added: counts.reduce((sum, { added }) => sum + added, 0),
    groups,
  };
}
