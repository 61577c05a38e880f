import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { archiveCount, atomFeed } from "@rs-emit/feeds";
import type { Kysely } from "kysely";
import { makeFolder } from "../make-folder.ts";
import { opml } from "../site-list.ts";
import { feedDocument, feedState } from "../store/queries/feed-documents.ts";
import { followedFeeds, sourceFeeds } from "../store/queries/followed-sites.ts";
import type { FeedName } from "../store/queries/names.ts";
import type { Schema } from "../store/schema.ts";
import { FileError } from "./errors.ts";
import { ALL_FEED_PATH, FeedFiles, OPML_PATH } from "./feed-files.ts";

/** Paths relative to the folder of feeds. */
export interface WrittenFeeds {
  readonly bySource: ReadonlyMap<number, readonly string[]>;
  readonly all: string;
  readonly opml: string;
  readonly written: number;
}

export interface FeedPlace {
  readonly out: string;
  readonly feedsUrl?: string | undefined;
  /** The entries come from this run alone, so existing archives are replaced. */
  readonly isAnew: boolean;
}

/**
 * Writes the feeds of some sources, and that of everything. Leaves unchanged files alone. Throws {@link FileError}.
 */
export async function writeFeeds(
  database: Kysely<Schema>,
  { out, feedsUrl, isAnew }: FeedPlace,
  of: readonly number[],
): Promise<WrittenFeeds> {
  const sources = await sourceFeeds(database, [...new Set(of)]);
  const files = new FeedFiles(sources, feedsUrl);
  let written = 0;
  for (const feed of files.paths.keys()) {
    written += await writeFeed(database, files, feed, { out, isAnew });
  }
  const list = opml(await followedFeeds(database, files.placesFor(OPML_PATH)));
  if (writeChanged(join(out, OPML_PATH), list)) written += 1;
  return { bySource: files.bySource, all: ALL_FEED_PATH, opml: OPML_PATH, written };
}

async function writeFeed(
  database: Kysely<Schema>,
  files: FeedFiles,
  feed: FeedName,
  { out, isAnew }: Pick<FeedPlace, "out" | "isAnew">,
): Promise<number> {
  const archives = archiveCount((await feedState(database, feed)).entries);
  let written = 0;
  for (let archive = 1; archive <= archives; archive += 1) {
    const path = files.path(feed, archive);
    // Archives from one database never change.
    if (path === undefined || (!isAnew && existsSync(join(out, path)))) continue;
    if (await writeDocument(database, files, { feed, archive }, out)) written += 1;
  }
  return written + Number(await writeDocument(database, files, { feed }, out));
}

async function writeDocument(
  database: Kysely<Schema>,
  files: FeedFiles,
  name: { readonly feed: FeedName; readonly archive?: number },
  out: string,
): Promise<boolean> {
  const path = files.path(name.feed, name.archive);
  if (path === undefined) return false;
  const document = await feedDocument(database, name, files.placesFor(path));
  return document !== undefined && writeChanged(join(out, path), atomFeed(document));
}

/** Renames, so that readers never see half a file. */
function writeChanged(path: string, text: string): boolean {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    if (existsSync(path) && readFileSync(path, "utf8") === text) return false;
    makeFolder(dirname(path));
    writeFileSync(temporary, text);
    renameSync(temporary, path);
    return true;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new FileError(path, "written", error);
  }
}
