import { resolve } from "node:path";
import {
  areDigests,
  DatetimeError,
  isRelation,
  parseDatetime,
  secondsOf,
} from "@rs-emit/documents";
import { languageTag, OWN_ENTRIES } from "@rs-emit/feeds";
import * as z from "zod";
import { type Collection, describedSite, parseCollections } from "./collections.ts";
import { OptionError, UnknownOptionError } from "./errors.ts";
import {
  FEED,
  INDEX_NOW_KEY,
  isFeedName,
  isOfSitemap,
  isSitemapName,
  PERIODS,
  SITEMAP_FILE,
} from "./layout.ts";
import { OPTION_WORDS } from "./option-words.ts";
import { parseSiteUrl, servesCleanUrls } from "./url.ts";

const NOT_EMPTY = "text that is not empty";

const text = z.string({ error: "text" });
const name = text.min(1, { error: NOT_EMPTY });
const words = text.trim().min(1, { error: NOT_EMPTY }).optional();
export const flag = z.boolean({ error: "true or false" }).default(false);

const language = words.refine((tag) => tag === undefined || languageTag(tag) !== undefined, {
  error: "a language such as en or pt-BR",
});

const description = {
  title: words.describe(OPTION_WORDS.title),
  author: words.describe(OPTION_WORDS.author),
  description: words.describe(OPTION_WORDS.description),
  language: language.describe(OPTION_WORDS.language),
  rights: words.describe(OPTION_WORDS.rights),
  describedby: name.optional().describe(OPTION_WORDS.describedby),
};

const collection = z.union([z.string(), z.strictObject({ path: z.string(), ...description })], {
  error:
    'a path, or { path: "shrine/", title: … } with author, description, language, rights or describedby',
});

const globs = z
  .union([z.string().transform((one) => [one]), z.array(z.string())], {
    error: "text or a list of texts",
  })
  .default([]);

const FEED_OPTION = "false, or { file, minor, entries }";

const feed = z
  .union(
    [
      z.boolean(),
      z.strictObject({
        file: z
          .string()
          .refine(isFeedName, { error: "a file name that ends with .atom or .xml" })
          .default(FEED),
        minor: flag,
        entries: z.enum(OWN_ENTRIES).default("publication"),
      }),
    ],
    { error: FEED_OPTION },
  )
  .default(true);

const webAddress = text.refine((url) => URL.canParse(url) && /^https?:/i.test(url), {
  error: "an http or https URL",
});

const HUB_OPTION = "the URL of a WebSub hub, or { url, payload }";

const hub = z.union(
  [
    webAddress.transform((url) => ({ url, payload: false })),
    z.strictObject({ url: webAddress, payload: flag }),
  ],
  { error: HUB_OPTION },
);

/** The path of a page makes no other host of it. */
function isLinkTarget(href: string): boolean {
  const [one, other] = ["page", "shrine/a%20b"].map((path) => href.replaceAll("{path}", path));
  if (one === undefined || other === undefined) return false;
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  return new URL(one).host === new URL(other).host;
}

const FULL_DATETIME = /T\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const BYTES = "a number of bytes";

const link = z.strictObject({
  match: name,
  rel: text.refine(isRelation, {
    error: "a relation that IANA has registered, such as duplicate, or a URI",
  }),
  href: text.refine(isLinkTarget, {
    error: 'a whole URL, such as "https://mirror.example/{path}"',
  }),
  type: text.regex(/^[\w.+-]+\/[\w.+-]+$/, { error: "a media type" }).optional(),
  pri: z.int({ error: "1 to 999999" }).min(1).max(999_999, { error: "1 to 999999" }).optional(),
  modified: text
    .refine((time) => FULL_DATETIME.test(time) && secondsOf(time) !== undefined, {
      error: "a full datetime in UTC, such as 2026-10-05T18:30:00Z",
    })
    .optional(),
  hash: text.refine(areDigests, { error: "digests such as sha-256:9f86…, in full" }).optional(),
  length: z.int({ error: BYTES }).min(0, { error: BYTES }).optional(),
});

const DUMP_OPTION = "true, false, or { changes: 5 }";
const DUMPED_CHANGES = "how many publications: 1 to 999";

const dump = z
  .union(
    [
      z.boolean(),
      z.strictObject({
        changes: z
          .int({ error: DUMPED_CHANGES })
          .min(1, { error: DUMPED_CHANGES })
          .max(999, { error: DUMPED_CHANGES }),
      }),
    ],
    { error: DUMP_OPTION },
  )
  .default(false);

const NOW = "a full datetime such as 2026-10-05T18:30:00Z";

const SITEMAP_OPTION = "true, false, or a file name that ends with .xml";

const sitemap = z
  .union([z.boolean(), z.string().refine(isSitemapName, { error: SITEMAP_OPTION })], {
    error: SITEMAP_OPTION,
  })
  .default(false);

const indexNow = text.regex(INDEX_NOW_KEY, {
  error: "a key of 8 to 128 letters, digits and hyphens: npx rs-emit init makes one",
});

export const siteOptions = z.strictObject({
  folder: name.describe(OPTION_WORDS.folder),
  url: text.optional().describe(OPTION_WORDS.url),
  testAddress: flag.describe(OPTION_WORDS.testAddress),
  collections: z
    .array(collection, { error: "a list of paths" })
    .default([])
    .describe(OPTION_WORDS.collections),
  ...description,
  history: z.enum(["auto", "git", "files"]).default("auto").describe(OPTION_WORDS.history),
  sourceFolder: name.optional().describe(OPTION_WORDS.sourceFolder),
  sourceMap: name.optional().describe(OPTION_WORDS.sourceMap),
  previous: name.default("auto").describe(OPTION_WORDS.previous),
  first: flag.describe(OPTION_WORDS.first),
  force: flag.describe(OPTION_WORDS.force),
  allowMassDelete: flag.describe(OPTION_WORDS.allowMassDelete),
  anyFolder: flag.describe(OPTION_WORDS.anyFolder),
  content: globs.describe(OPTION_WORDS.content),
  excerpts: z.boolean({ error: "true or false" }).default(true).describe(OPTION_WORDS.excerpts),
  period: z.enum(PERIODS).default("month").describe(OPTION_WORDS.period),
  include: globs.describe(OPTION_WORDS.include),
  exclude: globs.describe(OPTION_WORDS.exclude),
  cleanUrls: z.boolean({ error: "true or false" }).optional().describe(OPTION_WORDS.cleanUrls),
  news: z.enum(["new", "content"]).default("new").describe(OPTION_WORDS.news),
  minor: flag.describe(OPTION_WORDS.minor),
  feed: feed.describe(OPTION_WORDS.feed),
  dump: dump.describe(OPTION_WORDS.dump),
  link: flag.describe(OPTION_WORDS.link),
  messages: flag.describe(OPTION_WORDS.messages),
  note: words.describe(OPTION_WORDS.note),
  now: z.union([z.string(), z.date()], { error: NOW }).optional().describe(OPTION_WORDS.now),
  dryRun: flag.describe(OPTION_WORDS.dryRun),
  movedFrom: text.optional().describe(OPTION_WORDS.movedFrom),
  hub: hub.optional().describe(OPTION_WORDS.hub),
  pings: z.array(webAddress, { error: "a list of URLs" }).default([]).describe(OPTION_WORDS.pings),
  headers: flag.describe(OPTION_WORDS.headers),
  sitemap: sitemap.describe(OPTION_WORDS.sitemap),
  robots: flag.describe(OPTION_WORDS.robots),
  indexNow: indexNow.optional().describe(OPTION_WORDS.indexNow),
  indexNowEndpoint: z
    .union([webAddress.transform((url) => [url]), z.array(webAddress)], {
      error: "a URL, or a list of URLs",
    })
    .optional()
    .describe(OPTION_WORDS.indexNowEndpoint),
  links: z
    .array(link, { error: "a list of { match, rel, href }" })
    .default([])
    .describe(OPTION_WORDS.links),
  alsoLists: z
    .array(text, { error: "a list of URLs" })
    .default([])
    .describe(OPTION_WORDS.alsoLists),
});

export const collectionOptionNames = ["path", ...Object.keys(description)];

const NAMES = { site: Object.keys(siteOptions.shape), collection: collectionOptionNames };

/** Every other value of `previous` is a folder. */
const PREVIOUS = ["auto", "output", "site", "none"] as const;

type Previous =
  | { readonly kind: (typeof PREVIOUS)[number] }
  | { readonly kind: "folder"; readonly folder: string };

type Parsed = z.output<typeof siteOptions>;

export type FeedSettings = Exclude<Parsed["feed"], boolean>;

export type LinkTemplate = Parsed["links"][number];

export interface DumpSettings {
  /** Of how many publications the Change Dump has packages; 0 without a Change Dump. */
  readonly changes: number;
}

/** The parsed options: absolute paths, URLs with a slash at the end, defaults filled in. */
export interface Settings extends Readonly<Omit<Parsed, keyof Resolved>>, Resolved {
  readonly site: string;
  readonly whole: Collection;
  /** Without it, published URLs decide, and in a first publication the host. */
  readonly cleanUrlsGiven: boolean;
}

/** The options that mean another value than the one that is given. */
interface Resolved {
  readonly folder: string;
  readonly cleanUrls: boolean;
  readonly collections: readonly Collection[];
  readonly sourceFolder: string | undefined;
  readonly sourceMap: string | undefined;
  readonly previous: Previous;
  readonly feed: FeedSettings | undefined;
  readonly dump: DumpSettings | undefined;
  /** The file's name, at the folder's root. */
  readonly sitemap: string | undefined;
  readonly now: number | undefined;
  readonly alsoLists: readonly string[];
  readonly movedFrom: string | undefined;
}

/** @throws {OptionError} naming the option, what was given and what is allowed */
export function parseOptions(options: unknown): Settings {
  // Parsed once: compiling a function for it takes longer. The setting for all of zod would be shared with the author's own.
  const parsed = siteOptions.safeParse(options, { jitless: true });
  if (!parsed.success) throw optionError(parsed.error, options, NAMES);
  const { data } = parsed;
  const site = parseSiteUrl("url", data.url);
  for (const option of ["headers", "robots"] as const) {
    if (data[option] && new URL(site).pathname !== "/") {
      throw new OptionError(option, true, "false for a site below its host's root");
    }
  }
  if (data.robots && data.sitemap === false) {
    throw new OptionError(
      "robots",
      true,
      "given with the option sitemap: its line names the sitemap",
    );
  }
  const feed = parseFeed(data.feed);
  const sitemap = data.sitemap === true ? SITEMAP_FILE : data.sitemap || undefined;
  if (feed !== undefined && sitemap !== undefined && isOfSitemap(feed.file, sitemap)) {
    throw new OptionError("feed", feed.file, `another name than those of the sitemap ${sitemap}`);
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
    movedFrom: data.movedFrom === undefined ? undefined : parseSiteUrl("movedFrom", data.movedFrom),
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
  throw new OptionError("alsoLists", list, allowed);
}

function parsePrevious(previous: string): Previous {
  const kind = PREVIOUS.find((one) => one === previous);
  return kind === undefined ? { kind: "folder", folder: resolve(previous) } : { kind };
}

/** @throws {OptionError} when it is no full datetime */
export function parseNow(now: string | Date | undefined): number | undefined {
  if (now === undefined) return undefined;
  try {
    const { seconds, precision } = parseDatetime(typeof now === "string" ? now : now.toISOString());
    if (/second|fraction|minute/.test(precision)) return Math.floor(seconds);
  } catch (error) {
    if (!(error instanceof DatetimeError || error instanceof RangeError)) throw error;
  }
  throw new OptionError("now", now, NOW);
}

interface OptionNames {
  readonly site: readonly string[];
  readonly collection: readonly string[];
}

/** The first problem, as one error that names the option. */
export function optionError(
  error: z.ZodError,
  options: unknown,
  names: OptionNames,
): OptionError | UnknownOptionError {
  const [issue] = error.issues;
  if (issue === undefined) return new OptionError("options", options, "an object");
  const { path } = issue;
  if (issue.code === "unrecognized_keys") {
    const known = path.length === 0 ? names.site : names.collection;
    const name = [...path, issue.keys[0] ?? ""].join(".");
    return new UnknownOptionError(name, known);
  }
  const name = path.join(".") || "options";
  return new OptionError(name, valueAt(options, path), allowedBy(issue));
}

function allowedBy(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value") return `one of ${issue.values.map(String).join(", ")}`;
  return issue.path.length === 0 ? "an object with the options" : issue.message;
}

function valueAt(options: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null
        ? new Map<PropertyKey, unknown>(Object.entries(value)).get(String(key))
        : undefined,
    options,
  );
}
