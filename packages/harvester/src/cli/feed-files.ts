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
      .select("description_url")
      .where("id", "=", id)
      .executeTakeFirst();
    const collections = await database
      .selectFrom("collection")
      .select(["id", "url", "capability_list_url"])
      .where("source_id", "=", id)
      .orderBy("url")
      .orderBy("id")
      .execute();
    // A site that was never read has no feed.
    if (!source?.description_url || collections.length === 0) continue;
    paths.set(`source/${id}`, sourceFeedPath(source.description_url));
    for (const { id: collection, ...urls } of collections) {
      // Two collections may have the same URL.
      const names = [urls.url, urls.capability_list_url].map(collectionFeedPath);
      const path = names.find((name) => !taken.has(name));
      if (path === undefined) continue;
      taken.add(path);
      paths.set(`collection/${collection}`, path);
    }
  }
  return new FeedFiles(paths, feedsUrl);
}
