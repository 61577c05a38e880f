import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import {
  type Health,
  healthBehind,
  STANDINGS,
  type Standing,
  type StandingCounts,
  standingOf,
} from "../../health-names.ts";
import type { Database, Schema } from "../schema.ts";
import { sites } from "./exported-sites.ts";
import { shownName, sourceTitle } from "./source-title.ts";

const COUNT = sql<number>`CAST(count(*) AS integer)`;

type Sources = SelectQueryBuilder<Schema, "source", object>;

/** Counts sources by how they do, in the order of `STANDINGS`. Without further conditions an index suffices. */
export async function countHealth(sources: Sources): Promise<StandingCounts> {
  const rows = await sources
    .select(["state", "condition", "followed_by", COUNT.as("count")])
    .groupBy(["state", "condition", "followed_by"])
    .execute();
  const same = Map.groupBy(rows, standingOf);
  return new Map(
    STANDINGS.flatMap((standing) => {
      const some = same.get(standing);
      if (some === undefined) return [];
      return [[standing, some.reduce((sum, { count }) => sum + count, 0)]];
    }),
  );
}

/** The sources of one health: as `healthOf` says, in SQL. */
export function isOfHealth(health: Health): RawBuilder<boolean> {
  const isState = ["paused", "gone", "opted-out", "blocked"].includes(health);
  return isState ? sql`state = ${health}` : sql`state = 'followed' AND condition = ${health}`;
}

/** Sites with one standing. */
export interface StandingGroup {
  readonly standing: Standing;
  readonly count: number;
  /** Some of them, by name. */
  readonly sites: readonly NamedSite[];
}

interface NamedSite {
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
  readonly groups: readonly StandingGroup[];
}

/**
 * What became of the sites that a list named.
 *
 * @param listedAt when it was imported: `listed_at` of its sources
 * @param named how many are named of each standing
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
  const groups: StandingGroup[] = [];
  let total = 0;
  for (const [standing, count] of await countHealth(listed)) {
    groups.push({ standing, count, sites: await sitesOf(database, listed, standing, named) });
    total += count;
  }
  return { total, added, groups };
}

async function sitesOf(
  database: Database,
  sources: Sources,
  standing: Standing,
  most: number,
): Promise<NamedSite[]> {
  const rows = await sources
    .selectAll()
    .where(isOfHealth(healthBehind(standing)))
    .$if(healthBehind(standing) === "well", (query) =>
      query.where("followed_by", "=", standing === "log" ? "log" : "sitemap"),
    )
    .orderBy(shownName(database))
    .orderBy("id")
    .limit(most)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    title: sourceTitle(row),
    ownFeed: row.own_feed ?? undefined,
    problem:
      row.problem_code === null ? undefined : { code: row.problem_code, finding: row.finding },
  }));
}
