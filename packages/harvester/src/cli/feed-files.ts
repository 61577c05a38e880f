import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, posix, relative } from "node:path";
import { archiveCount, feedTag } from "@rs-emit/feeds";
import { decoded, HarvestError } from "@rs-emit/reader";
import { makeFolder } from "../folders.ts";
import { type FollowedFeed, opml, readFeedList } from "../opml.ts";
import type { FeedName, Places } from "../store/feed-names.ts";
import { followedFeeds, type SourceFeeds, sourceFeeds } from "../store/pages/exported-sites.ts";
import { feedDocument, feedState, feedText } from "../store/pages/feed-documents.ts";
import type { Database } from "../store/schema.ts";
import { fileError } from "./errors.ts";

/** The base of feeds without a known address. */
const SOMEWHERE = "http://localhost/";

/** The files of the feeds of some sources, and that of everything, relative to the folder of feeds. */
class FeedFiles {
  /** Of the documents with the newest entries; a source's before its collections'. */
  readonly paths: ReadonlyMap<FeedName, string>;
  readonly bySource: ReadonlyMap<number, readonly string[]>;
  readonly #feedsUrl: string | undefined;

  constructor(owners: readonly SourceFeeds[], feedsUrl: string | undefined) {
    const paths = new Map<FeedName, string>([["all", ALL_FEED_PATH]]);
    const bySource = new Map<number, readonly string[]>();
    const taken = new Set<string>();
    for (const { source, address, collections } of owners) {
      const own = [sourceFeedPath(address)];
      paths.set(`source/${source}`, sourceFeedPath(address));
      for (const { id, is_compared, url, capability_list_url } of collections) {
        // Two of them may say that they are the same; what was found by comparing lists is never one of the author's.
        const urls = is_compared === 1 ? [capability_list_url] : [url, capability_list_url];
        const path = urls.map(collectionFeedPath).find((name) => !taken.has(name));
        if (path === undefined) continue;
        taken.add(path);
        paths.set(`collection/${id}`, path);
        own.push(path);
      }
      bySource.set(source, own);
    }
    this.paths = paths;
    this.bySource = bySource;
    this.#feedsUrl = feedsUrl;
  }

  path(feed: FeedName, archive?: number): string | undefined {
    const path = this.paths.get(feed);
    return path === undefined || archive === undefined ? path : archivePath(path, archive);
  }

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

/** The feed and the list of everything, in the folder of feeds. */
export const ALL_FEED_PATH = "all.atom";
export const OPML_PATH = "feeds.opml";

const DIGITS = 12;

const LONGEST = { slug: 40, part: 60, path: 120 };

/** Valid names on every file system that cannot be taken for other kinds of names. */
const PLAIN = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/;
const NOT_PLAIN = [
  /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/, // devices of Windows, whatever their extension
  /\.(?:atom|opml)$/,
  /-archive-\d+$/,
  new RegExp(`-[0-9a-f]{${DIGITS}}$`),
];

/**
 * `example.org/moss.atom` for `https://example.org/moss/`, `example.org/index.atom` for the site
 * itself. A URL that is no valid name everywhere (capitals, other scripts, a query) has a digest:
 * `example.org/moss-165423cfacfa.atom`.
 * Stable, ASCII, at most 200 characters, and unique even without regard to case.
 */
export function collectionFeedPath(url: string): string {
  const { href, host, path } = partsOf(url);
  const segments = path.split("/").slice(1, -1);
  const name = segments.join("/");
  const isPlainUrl =
    href === ["https:", "", host, ...segments, ""].join("/") &&
    segments.every(isPlain) &&
    name !== "index" &&
    name.length <= LONGEST.path;
  const folder = isPlain(host) ? host : digested(host, host);
  return `${folder}/${isPlainUrl ? name || "index" : digested(path, href)}.atom`;
}

/** `example.org.atom`, with a digest like a collection's. The URL is the Source Description's. */
export function sourceFeedPath(descriptionUrl: string): string {
  const { href, host, path } = partsOf(descriptionUrl);
  const isPlainUrl = href === `https://${host}/.well-known/resourcesync` && isPlain(host);
  if (isPlainUrl && `${host}.atom` !== ALL_FEED_PATH) return `${host}.atom`;
  return `${digested(host + path.replace(/\.well-known\/resourcesync$/, ""), href)}.atom`;
}

/** Beside the feed: `example.org/moss-archive-1.atom`. */
export function archivePath(feedPath: string, archive: number): string {
  return feedPath.replace(/\.atom$/, `-archive-${archive}.atom`);
}

function partsOf(url: string): { href: string; host: string; path: string } {
  const parsed = URL.parse(url);
  if (parsed === null) return { href: url, host: "", path: url };
  return { href: parsed.href, host: parsed.host, path: parsed.pathname };
}

function isPlain(part: string): boolean {
  return (
    part.length <= LONGEST.part && PLAIN.test(part) && !NOT_PLAIN.some((form) => form.test(part))
  );
}

function digested(readable: string, identity: string): string {
  const digest = createHash("sha256").update(identity).digest("hex").slice(0, DIGITS);
  return `${slugOf(readable) || "feed"}-${digest}`;
}

function slugOf(text: string): string {
  const beginning = text.slice(0, 1_000);
  return (decoded(beginning) ?? beginning)
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST.slug)
    .replace(/^-|-$/g, "");
}

/** Paths relative to the folder of feeds. */
export interface WrittenFeeds {
  readonly bySource: ReadonlyMap<number, readonly string[]>;
  readonly all: string;
  readonly opml: string;
  /** Addresses in the list are relative, which feed readers do not import. */
  readonly isRelative: boolean;
  readonly written: number;
}

export interface FeedPlace {
  readonly out: string;
  readonly feedsUrl?: string | undefined;
  /** The entries come from this run alone, so existing archives are replaced. */
  readonly isAnew: boolean;
}

/**
 * Writes the feeds of some sources, that of everything, and the list of all that are in the folder. Leaves unchanged
 * files alone. Throws {@link HarvestError}.
 */
export async function writeFeeds(
  database: Database,
  { out, feedsUrl, isAnew }: FeedPlace,
  of: readonly number[],
): Promise<WrittenFeeds> {
  const read = new Set(of);
  const known = await sourceFeeds(database);
  // A database may hold the sources of other folders, too.
  const here = known.filter(
    ({ source, address }) => read.has(source) || existsSync(join(out, sourceFeedPath(address))),
  );
  const files = new FeedFiles(here, feedsUrl);
  const owned = here.filter(({ source }) => read.has(source)).flatMap(feedNames);
  const followed = await followedFeeds(database, files.placesFor(OPML_PATH));
  const listed = isAnew ? withListedBefore(followed, { out, feedsUrl }) : followed;
  const isRelative = listed.length > 0 && feedsUrl === undefined;
  const paths = { bySource: files.bySource, all: ALL_FEED_PATH, opml: OPML_PATH, isRelative };
  // A run without a memory that could read nothing leaves what an earlier one wrote.
  if (isAnew && here.length === 0) return { ...paths, written: 0 };
  let written = 0;
  for (const feed of ["all", ...owned] satisfies FeedName[]) {
    written += await writeFeed(database, files, feed, { out, isAnew });
  }
  if (writeIfChanged(out, OPML_PATH, opml(listed))) written += 1;
  return { ...paths, written };
}

/** With the feeds that the list of an earlier run names, and that are there: no memory has them. In a stable order. */
function withListedBefore(
  followed: readonly FollowedFeed[],
  { out, feedsUrl = "" }: Pick<FeedPlace, "out" | "feedsUrl">,
): readonly FollowedFeed[] {
  const feeds = new Map(followed.map((feed) => [feed.xmlUrl, feed]));
  for (const feed of feedsIn(join(out, OPML_PATH))) {
    const { xmlUrl } = feed;
    const file = xmlUrl.startsWith(feedsUrl) ? xmlUrl.slice(feedsUrl.length) : "";
    const isOurs = /^[a-z0-9_.-]+\.atom$/.test(file) && existsSync(join(out, file));
    if (isOurs && !feeds.has(xmlUrl)) feeds.set(xmlUrl, feed);
  }
  return [...feeds.values()].sort((one, other) => (one.xmlUrl < other.xmlUrl ? -1 : 1));
}

/** None where somebody else has written there: it is replaced. */
function feedsIn(path: string): readonly FollowedFeed[] {
  try {
    return existsSync(path) ? readFeedList(readFileSync(path, "utf8")) : [];
  } catch (error) {
    if (error instanceof HarvestError) return [];
    throw fileError(path, "read", error);
  }
}

function feedNames({ source, collections }: SourceFeeds): FeedName[] {
  return [`source/${source}`, ...collections.map(({ id }): FeedName => `collection/${id}`)];
}

async function writeFeed(
  database: Database,
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
  database: Database,
  files: FeedFiles,
  name: { readonly feed: FeedName; readonly archive?: number },
  out: string,
): Promise<boolean> {
  const path = files.path(name.feed, name.archive);
  if (path === undefined) return false;
  const document = await feedDocument(database, name, files.placesFor(path));
  // In an archive of the feed of everything there may be no place that is filled.
  if (name.archive !== undefined && document?.entries.length === 0) return false;
  return document !== undefined && writeIfChanged(out, path, await feedText(document));
}

/** Renames, so that readers never see half a file. No link that leads out of the folder is followed. */
function writeIfChanged(out: string, file: string, text: string): boolean {
  const path = join(out, file);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    makeFolder(out);
    let above = dirname(path);
    while (!existsSync(above)) above = dirname(above);
    const place = relative(realpathSync(out), realpathSync(above));
    if (place.startsWith("..") || isAbsolute(place))
      throw new Error("a link leads out of the folder");
    if (existsSync(path) && readFileSync(path, "utf8") === text) return false;
    makeFolder(dirname(path));
    writeFileSync(temporary, text);
    renameSync(temporary, path);
    return true;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw fileError(path, "written", error);
  }
}
