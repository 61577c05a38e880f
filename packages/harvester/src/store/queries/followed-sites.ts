import { isBare, isHttp, urlOf } from "@rs-emit/reader";
import type { Selectable, SelectQueryBuilder } from "kysely";
import type { FollowedFeed } from "../../site-list.ts";
import type { Database, Schema, SourceTable } from "../schema.ts";
import { descriptionIn, nameOf, type Places, siteOf } from "./names.ts";

/** Readers import no more. The oldest ones are listed. */
const MOST_FEEDS = 20_000;

/** One feed per source, since a source may gain collections. Skips feeds without a place. */
export async function followedFeeds(
  database: Database,
  places: Places,
): Promise<readonly FollowedFeed[]> {
  const rows = await sites(database)
    .select(["id", "address", "description_url", "description", "name"])
    .where("state", "!=", "blocked")
    .orderBy("id")
    .limit(MOST_FEEDS)
    .execute();
  return rows.flatMap((row) => {
    const site = siteOf(row);
    const xmlUrl = places.document(`source/${row.id}`);
    if (xmlUrl === undefined) return [];
    return {
      title: titleOf(row),
      xmlUrl,
      htmlUrl: site,
    };
  });
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

/** Lines that `readSiteList` reads: an address, followed by the site's name. */
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
    yield rows.map((row) => `${addressOf(row)}  # ${titleOf(row)}\n`).join("");
  }
}

function addressOf(row: NamedSource): string {
  const { description_url: url, address } = row;
  // Its scheme is looked for anew.
  if (address !== null && isBare(address) && url !== null && isHttp(url)) return address;
  return url?.endsWith("/.well-known/resourcesync") ? siteOf(row) : (url ?? address ?? "");
}

type NamedSource = Pick<
  Selectable<SourceTable>,
  "address" | "description_url" | "description" | "name"
>;

export function titleOf(row: NamedSource): string {
  return row.name ?? nameOf(descriptionIn(row.description), siteOf(row));
}

export function sites(database: Database): SelectQueryBuilder<Schema, "source", object> {
  return database.selectFrom("source").where("state", "!=", "unfollowed");
}
