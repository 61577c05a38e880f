import type { Feed } from "@rs-emit/feeds";
import { feedTag } from "@rs-emit/feeds";
import type { Kysely } from "kysely";
import type { Description } from "../../model.ts";
import type { Schema } from "../schema.ts";
import type { FeedName, Places } from "./feed-name.ts";
import { inherited, nameOf, siteOf } from "./names.ts";

/** What a feed is, apart from what it tells. */
export type FeedHead = Pick<
  Feed,
  "id" | "title" | "subtitle" | "language" | "rights" | "authors" | "alternate" | "via"
>;

const EVERYTHING = "Changes of all followed sites";

/** What a feed is; `undefined` where nothing of that name is followed. */
export async function feedHead(
  database: Kysely<Schema>,
  feed: FeedName,
  { everything }: Places,
): Promise<FeedHead | undefined> {
  if (feed === "all") {
    const { id, page } = everything;
    const alternate = page === undefined ? {} : { alternate: page };
    return { id, title: EVERYTHING, authors: [], ...alternate };
  }
  const id = Number(feed.slice(feed.indexOf("/") + 1));
  return feed.startsWith("source/") ? sourceHead(database, id) : collectionHead(database, id);
}

async function sourceHead(database: Kysely<Schema>, id: number): Promise<FeedHead | undefined> {
  const source = await database
    .selectFrom("source")
    .select(["address", "description_url", "description"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (source === undefined) return undefined;
  const site = siteOf(source);
  return {
    // The address stays when the site moves, and so does the id.
    id: feedTag(source.address, "source"),
    title: nameOf(source.description, site),
    alternate: site,
    ...(source.description_url === null ? {} : { via: source.description_url }),
    ...described(source.description),
  };
}

async function collectionHead(database: Kysely<Schema>, id: number): Promise<FeedHead | undefined> {
  const collection = await database
    .selectFrom("collection")
    .innerJoin("source", "source.id", "collection.source_id")
    .select(["collection.url", "collection.first_url", "collection.capability_list_url"])
    .select(["collection.description", "source.description as ofSource"])
    .where("collection.id", "=", id)
    .executeTakeFirst();
  if (collection === undefined) return undefined;
  const { url, description, ofSource } = collection;
  return {
    id: feedTag(collection.first_url, "collection"),
    title: nameOf(description, url),
    alternate: url,
    via: collection.capability_list_url,
    ...described(inherited(description, ofSource)),
  };
}

function described(description: Description | null) {
  const { summary, language, rights, authors = [] } = description ?? {};
  return {
    authors,
    ...(summary === undefined ? {} : { subtitle: summary }),
    ...(language === undefined ? {} : { language }),
    ...(rights === undefined ? {} : { rights }),
  };
}
