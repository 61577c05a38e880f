import type { Feed } from "@rs-emit/feeds";
import { feedTag } from "@rs-emit/feeds";
import type { Kysely } from "kysely";
import type { Description } from "../../model.ts";
import type { Schema } from "../schema.ts";
import { type FeedName, idIn, type Places } from "./feed-name.ts";
import { descriptionIn, inherited, nameOf, siteOf } from "./names.ts";

type FeedHead = Pick<
  Feed,
  "id" | "title" | "subtitle" | "language" | "rights" | "authors" | "alternate" | "via"
>;

const EVERYTHING = "Changes of all followed sites";

/** `undefined` if the feed's subject is not followed. */
export async function feedHead(
  database: Kysely<Schema>,
  feed: FeedName,
  { everything }: Places,
): Promise<FeedHead | undefined> {
  if (feed === "all") {
    const { id, page } = everything;
    return { id, title: EVERYTHING, authors: [], alternate: page };
  }
  const id = idIn(feed);
  return feed.startsWith("source/") ? sourceHead(database, id) : collectionHead(database, id);
}

async function sourceHead(database: Kysely<Schema>, id: number): Promise<FeedHead | undefined> {
  const source = await database
    .selectFrom("source")
    .select(["address", "description_url", "description", "name"])
    .where("id", "=", id)
    .where("state", "!=", "unfollowed")
    .executeTakeFirst();
  if (source === undefined) return undefined;
  const site = siteOf(source);
  const description = descriptionIn(source.description);
  return {
    // The given address stays when the site moves, so the id does too.
    id: feedTag(source.address ?? site, "source"),
    title: source.name ?? nameOf(description, site),
    alternate: site,
    via: source.description_url ?? undefined,
    ...described(description),
  };
}

async function collectionHead(database: Kysely<Schema>, id: number): Promise<FeedHead | undefined> {
  const collection = await database
    .selectFrom("collection")
    .innerJoin("source", "source.id", "collection.source_id")
    .select(["collection.url", "collection.first_url", "collection.capability_list_url"])
    .select(["collection.description", "source.description as ofSource"])
    .where("collection.id", "=", id)
    .where("source.state", "!=", "unfollowed")
    .executeTakeFirst();
  if (collection === undefined) return undefined;
  const { url } = collection;
  const description = descriptionIn(collection.description);
  return {
    id: feedTag(collection.first_url, "collection"),
    title: nameOf(description, url),
    alternate: url,
    via: collection.capability_list_url,
    ...described(inherited(description, descriptionIn(collection.ofSource))),
  };
}

function described(description: Description | null) {
  const { summary, language, rights, authors = [] } = description ?? {};
  return {
    authors,
    subtitle: summary,
    language,
    rights,
  };
}
