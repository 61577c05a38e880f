import { posix } from "node:path";
import { feedTag } from "@rs-emit/feeds";
import type { Kysely } from "kysely";
import type { FeedName, Places } from "../store/queries/feed-name.ts";
import type { Schema } from "../store/schema.ts";
import { ALL_FEED_PATH, archivePath, collectionFeedPath, sourceFeedPath } from "./feed-paths.ts";

/** The base of feeds without a known address. */
const SOMEWHERE = "http://localhost/";

export class FeedFiles {
  /** Of the documents with the newest entries; a source's before its collections'. */
  readonly paths: ReadonlyMap<FeedName, string>;
  readonly #feedsUrl: string | undefined;

  constructor(paths: ReadonlyMap<FeedName, string>, feedsUrl: string | undefined) {
    this.paths = paths;
    this.#feedsUrl = feedsUrl;
  }

  path(feed: FeedName, archive?: number): string | undefined {
    const path = this.paths.get(feed);
    return path === undefined || archive === undefined ? path : archivePath(path, archive);
  }

  /** URLs as this document refers to them. */
  placesFor(document: string): Places {
    return {
      document: (feed, archive) => {
        const path = this.path(feed, archive);
        if (path === undefined) return undefined;
        return this.#feedsUrl === undefined
          ? posix.relative(posix.dirname(document), path)
          : this.#feedsUrl + path;
      },
      everything: { id: feedTag(this.#feedsUrl ?? SOMEWHERE, "everything"), page: undefined },
    };
  }
}

export async function feedFiles(
  database: Kysely<Schema>,
  sources: readonly number[],
  feedsUrl: string | undefined,
): Promise<FeedFiles> {
  const paths = new Map<FeedName, string>([["all", ALL_FEED_PATH]]);
  const taken = new Set<string>();
  for (const id of sources) {
    const source = await database
      .selectFrom("source")
      .select(["address", "description_url"])
      .where("id", "=", id)
      .executeTakeFirst();
    const collections = await database
      .selectFrom("collection")
      .select(["id", "url", "capability_list_url", "is_compared"])
      .where("source_id", "=", id)
      .orderBy("url")
      .orderBy("id")
      .execute();
    const address = source?.description_url ?? source?.address;
    // A site that could never be read has no feed.
    if (address == null || collections.length === 0) continue;
    paths.set(`source/${id}`, sourceFeedPath(address));
    for (const { id: collection, is_compared, ...urls } of collections) {
      // Two of them may say that they are the same; what was found by comparing lists is never one of the author's.
      const own = is_compared === 1 ? [] : [urls.url];
      const names = [...own, urls.capability_list_url].map(collectionFeedPath);
      const path = names.find((name) => !taken.has(name));
      if (path === undefined) continue;
      taken.add(path);
      paths.set(`collection/${collection}`, path);
    }
  }
  return new FeedFiles(paths, feedsUrl);
}
