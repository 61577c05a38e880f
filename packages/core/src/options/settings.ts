import { resolve } from "node:path";
import { isDocumentError, parseDatetime } from "@rs-emit/documents";
import * as v from "valibot";
import { servesCleanUrls } from "../model/clean-urls.ts";
import { type Collection, describedSite, parseCollections } from "../model/collections.ts";
import { optionError } from "../model/errors.ts";
import { FEED, isOfSitemap, SITEMAP_FILE } from "../model/layout.ts";
import { mention, sentence } from "../model/sentence.ts";
import { parseSiteUrl } from "../model/site-address.ts";
import { optionsError } from "./option.ts";
import { siteOptions } from "./site-options.ts";
import { NOW } from "./values.ts";

/** Every other value of `previous` is a folder. */
const PREVIOUS = ["auto", "output", "site", "none"] as const;

type Previous =
  | { readonly kind: (typeof PREVIOUS)[number] }
  | { readonly kind: "folder"; readonly folder: string };

type Parsed = v.InferOutput<typeof siteOptions>;

export type FeedSettings = Exclude<Parsed["feed"], boolean>;

export type LinkTemplate = Parsed["links"][number];

export interface DumpSettings {
  /** The number of publications whose changes are in the Change Dump; 0 without a Change Dump. */
  readonly changes: number;
}

/** The parsed options: absolute paths, URLs with a slash at the end, defaults filled in. */
export interface Settings extends Readonly<Omit<Parsed, keyof Resolved>>, Resolved {
  readonly site: string;
  readonly whole: Collection;
  /** Without it, published URLs decide, and in a first publication the host. */
  readonly cleanUrlsGiven: boolean;
}

interface Resolved {
  readonly folder: string;
  readonly cleanUrls: boolean;
  readonly collections: readonly Collection[];
  readonly sourceFolder: string | undefined;
  readonly sourceMap: string | undefined;
  readonly previous: Previous;
  readonly feed: FeedSettings | undefined;
  readonly dump: DumpSettings | undefined;
  readonly sitemap: string | undefined;
  readonly now: number | undefined;
  readonly alsoLists: readonly string[];
  readonly movedFrom: string | undefined;
}

/** @throws {EmitError} `OPTION` names the option, its value and what is allowed */
export function parseOptions(options: unknown): Settings {
  const parsed = v.safeParse(siteOptions, options);
  if (!parsed.success) throw optionsError(parsed.issues, options);
  const { output: data } = parsed;
  const site = parseSiteUrl("url", data.url);
  for (const option of ["headers", "robots"] as const) {
    if (data[option] && new URL(site).pathname !== "/") {
      throw optionError(option, true, "false for a site below its host's root");
    }
  }
  if (data.robots && data.sitemap === false) {
    throw optionError(
      "robots",
      true,
      sentence`given with the option ${mention("sitemap")}: its line names the sitemap`,
    );
  }
  const movedFrom =
    data.movedFrom === undefined ? undefined : parseSiteUrl("movedFrom", data.movedFrom);
  if (movedFrom === site) {
    throw optionError("movedFrom", movedFrom, "the address that the site had before");
  }
  const feed = parseFeed(data.feed);
  const sitemap = data.sitemap === true ? SITEMAP_FILE : data.sitemap || undefined;
  if (feed !== undefined && sitemap !== undefined && isOfSitemap(feed.file, sitemap)) {
    throw optionError("feed", feed.file, `another name than those of the sitemap ${sitemap}`);
  }
  return {
    ...data,
    folder: resolve(data.folder),
    cleanUrls: data.cleanUrls ?? servesCleanUrls(site),
    cleanUrlsGiven: data.cleanUrls !== undefined,
    site,
    whole: describedSite(site, data),
    collections: parseCollections(site, data.collections, data),
    sourceFolder: data.sourceFolder === undefined ? undefined : resolve(data.sourceFolder),
    sourceMap: data.sourceMap === undefined ? undefined : resolve(data.sourceMap),
    previous: parsePrevious(data.previous),
    feed,
    dump: parseDump(data.dump),
    sitemap,
    now: parseNow(data.now),
    alsoLists: data.alsoLists.map((list) => parseOtherList(site, list)),
    movedFrom,
  };
}

function parseFeed(feed: boolean | FeedSettings): FeedSettings | undefined {
  if (typeof feed === "object") return feed;
  return feed ? { file: FEED, minor: false, entries: "publication" } : undefined;
}

function parseDump(dump: boolean | DumpSettings): DumpSettings | undefined {
  if (typeof dump === "object") return dump;
  return dump ? { changes: 0 } : undefined;
}

function parseOtherList(site: string, list: string): string {
  // A bare word is more often a mistake than a file beside the home page.
  const isAddress = list.startsWith("/") || URL.canParse(list);
  const url = isAddress && URL.canParse(list, site) ? new URL(list, site) : undefined;
  if (url?.origin === new URL(site).origin && !url.pathname.endsWith("/")) return url.href;
  const allowed = `the URL of a Capability List on ${new URL(site).host}`;
  throw optionError("alsoLists", list, allowed);
}

function parsePrevious(previous: string): Previous {
  const kind = PREVIOUS.find((one) => one === previous);
  return kind === undefined ? { kind: "folder", folder: resolve(previous) } : { kind };
}

/** @throws {EmitError} `OPTION` when it is no full datetime */
export function parseNow(now: string | Date | undefined): number | undefined {
  if (now === undefined) return undefined;
  try {
    const { seconds, precision } = parseDatetime(typeof now === "string" ? now : now.toISOString());
    if (/second|fraction|minute/.test(precision)) return Math.floor(seconds);
  } catch (error) {
    if (!(isDocumentError(error, "DATETIME") || error instanceof RangeError)) throw error;
  }
  throw optionError("now", now, NOW);
}
