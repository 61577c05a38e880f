import { isBare, isHttp, urlOf } from "@rs-emit/reader";
import { type SelectQueryBuilder, sql } from "kysely";
import type { FollowedFeed } from "../../opml.ts";
import { type Places, siteOf } from "../feed-names.ts";
import { labelsOf } from "../following/label.ts";
import type { Database, Schema } from "../schema.ts";
import { hasName, type NamedSource, sourceTitle } from "./source-title.ts";

/** Readers import no more. The oldest ones are listed. */
const MOST_FEEDS = 20_000;

/**
 * One feed per source, since a source may gain collections. A site of which neither a log nor a list was read has no feed.
 * Skips feeds without a place.
 */
export async function followedFeeds(
  database: Database,
  places: Places,
): Promise<readonly FollowedFeed[]> {
  const rows = await sites(database)
    .select(["id", "address", "description_url", "description", "name"])
    .where("state", "!=", "blocked")
    .where(HAS_FEED)
    .orderBy("id")
    .limit(MOST_FEEDS)
    .execute();
  const ids = rows.map(({ id }) => id);
  const labels = await labelsOf(database, ids);
  return rows.flatMap((row) => {
    const xmlUrl = places.document(`source/${row.id}`);
    if (xmlUrl === undefined) return [];
    const own = labels.get(row.id) ?? [];
    return { title: sourceTitle(row), xmlUrl, htmlUrl: siteOf(row), labels: own };
  });
}

const HAS_FEED = sql<boolean>`EXISTS (SELECT 1 FROM collection WHERE source_id = source.id)`;

/** Followed sites that no list of feeds has. */
export interface Feedless {
  readonly sites: number;
  /** The titles of some. */
  readonly names: readonly string[];
}

/** The followed sites that have no feed yet. @param named how many are named */
export async function feedlessSites(database: Database, named: number): Promise<Feedless> {
  const all = sites(database).where("state", "!=", "blocked").where(sql<boolean>`NOT ${HAS_FEED}`);
  const { count } = await all
    .select(sql<number>`CAST(count(*) AS integer)`.as("count"))
    .executeTakeFirstOrThrow();
  const rows = await all
    .select(["id", "address", "description_url", "description", "name"])
    .orderBy("id")
    .limit(named)
    .execute();
  return { sites: count, names: rows.map(sourceTitle) };
}

export interface SourceFeeds {
  readonly source: number;
  /** Of the Source Description, if it is known. */
  readonly address: string;
  readonly collections: readonly {
    readonly id: number;
    readonly url: string;
    readonly capability_list_url: string;
    readonly is_compared: number;
  }[];
}

/** All sources with feeds, the oldest first, and their collections by URL. A site that could never be read has no feed. */
export async function sourceFeeds(database: Database): Promise<SourceFeeds[]> {
  const rows = await sites(database)
    .innerJoin("collection", "collection.source_id", "source.id")
    .select(["source.id as source", "source.address", "source.description_url"])
    .select(["collection.id", "collection.url", "collection.capability_list_url"])
    .select("collection.is_compared")
    .orderBy("source.id")
    .orderBy("collection.url")
    .orderBy("collection.id")
    .execute();
  return [...Map.groupBy(rows, ({ source }) => source)].flatMap(([source, collections]) => {
    const [{ address, description_url } = {}] = collections;
    const place = description_url ?? (address && urlOf(address));
    return place == null ? [] : [{ source, address: place, collections }];
  });
}

const LINES = 1_000;

/** Lines that `readSiteList` reads: an address, followed by the site's name where it has one. */
export async function* followedAddresses(database: Database): AsyncGenerator<string> {
  let after = 0;
  for (;;) {
    const rows = await sites(database)
      .select(["id", "address", "description_url", "description", "name"])
      .where("state", "!=", "blocked")
      .where("id", ">", after)
      .orderBy("id")
      .limit(LINES)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
    yield rows.map((row) => `${addressOf(row)}${commentOn(row)}\n`).join("");
  }
}

function commentOn(row: NamedSource): string {
  return hasName(row) ? `  # ${sourceTitle(row)}` : "";
}

function addressOf(row: NamedSource): string {
  const { description_url: url, address } = row;
  // Its scheme is looked for anew.
  if (address !== null && isBare(address) && url !== null && isHttp(url)) return address;
  return url?.endsWith("/.well-known/resourcesync") ? siteOf(row) : (url ?? address ?? "");
}

export function sites(database: Database): SelectQueryBuilder<Schema, "source", object> {
  return database.selectFrom("source").where("state", "!=", "unfollowed");
}
