import type { Kysely } from "kysely";
import type { FollowedFeed } from "../../cli/lists/opml.ts";
import type { Schema } from "../schema.ts";
import type { Places } from "./feed-name.ts";
import { nameOf, siteOf } from "./names.ts";

/** More feeds no reader imports; the oldest ones are listed then. */
const MOST = 20_000;

/**
 * The feeds to follow: one of each source, since a source may have more collections one day. Feeds that have
 * no place are left out.
 */
export async function followedFeeds(
  database: Kysely<Schema>,
  places: Places,
): Promise<readonly FollowedFeed[]> {
  const rows = await database
    .selectFrom("source")
    .select(["id", "address", "description_url", "description"])
    .where("state", "!=", "blocked")
    .orderBy("id")
    .limit(MOST)
    .execute();
  return rows.flatMap((row) => {
    const site = siteOf(row);
    const xmlUrl = places.document(`source/${row.id}`);
    if (xmlUrl === undefined) return [];
    return { title: nameOf(row.description, site), xmlUrl, htmlUrl: site };
  });
}
