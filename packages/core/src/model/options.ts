import { resolve } from "node:path";
import { DatetimeError, parseDatetime } from "@rs-emit/documents";
import type { input } from "zod";
import * as z from "zod";
import { type Collection, describedSite, parseCollections } from "./collections.ts";
import { OptionError, UnknownOptionError } from "./errors.ts";
import { FEED, isFeedName, PERIODS, type Period } from "./layout.ts";
import { parseSiteUrl } from "./url.ts";

const NOT_EMPTY = "text that is not empty";

const text = z.string({ error: "text" });
const name = text.min(1, { error: NOT_EMPTY });
const words = text.trim().min(1, { error: NOT_EMPTY }).optional();
/** Yes or no; no unless given. */
export const flag = z.boolean({ error: "true or false" }).default(false);

const description = {
  title: words,
  author: words,
  description: words,
  language: words,
  rights: words,
};

const collection = z.union([z.string(), z.strictObject({ path: z.string(), ...description })], {
  error: 'a path, or { path: "shrine/", title: … } with author, description, language or rights',
});

const globs = z
  .union([z.string().transform((one) => [one]), z.array(z.string())], {
    error: "text or a list of texts",
  })
  .default([]);

const FEED_OPTION = "false, or { file, minor }";

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
      }),
    ],
    { error: FEED_OPTION },
  )
  .default(true);

/** Registered relation types have this form (RFC 8288, section 3.3); others are URIs. */
const RELATION = /^[a-z][a-z0-9.-]*$/;

const link = z.strictObject({
  match: name,
  rel: text.refine((rel) => RELATION.test(rel) || URL.canParse(rel), {
    error: "a registered relation such as duplicate, or a URI",
  }),
  href: text.refine((href) => URL.canParse(href.replaceAll("{path}", "page")), {
    error: 'a whole URL, such as "https://mirror.example/{path}"',
  }),
  type: text.regex(/^[\w.+-]+\/[\w.+-]+$/, { error: "a media type" }).optional(),
  pri: z.int({ error: "1 to 999999" }).min(1).max(999_999, { error: "1 to 999999" }).optional(),
});

/** Links to a resource's mirrors, versions and the like; `{path}` in `href` stands for its path. */
export type LinkTemplate = z.output<typeof link>;

const NOW = "a full datetime such as 2026-10-05T18:30:00Z";

/** The options of a run, as they are given. */
export const siteOptions = z.strictObject({
  folder: name,
  url: text.optional(),
  testAddress: flag,
  collections: z.array(collection, { error: "a list of paths" }).default([]),
  ...description,
  history: z.enum(["auto", "git", "files"]).default("auto"),
  sourceFolder: name.optional(),
  previous: name.default("auto"),
  first: flag,
  force: flag,
  allowMassDelete: flag,
  anyFolder: flag,
  content: globs,
  period: z.enum(PERIODS).default("month"),
  include: globs,
  exclude: globs,
  cleanUrls: flag,
  minor: z.enum(["log", "omit"]).default("log"),
  feed,
  link: flag,
  messages: flag,
  now: z.union([z.string(), z.date()], { error: NOW }).optional(),
  dryRun: flag,
  movedFrom: text.optional(),
  links: z.array(link, { error: "a list of { match, rel, href }" }).default([]),
  alsoLists: z.array(text, { error: "a list of URLs" }).default([]),
});

/** What may be said of a collection. */
export const collectionOptionNames = ["path", ...Object.keys(description)];

const NAMES = { site: Object.keys(siteOptions.shape), collection: collectionOptionNames };

/** What a run is asked to do; see the README for each option. */
export type EmitOptions = input<typeof siteOptions>;

/** A collection as an author writes it: its path below the site, or the path with its description. */
export type CollectionOption = input<typeof collection>;

/** The values of the option `previous`; any other one is a folder. */
const PREVIOUS = ["auto", "output", "site", "none"] as const;

/** Where the last publication is read from. */
export type Previous =
  | { readonly kind: (typeof PREVIOUS)[number] }
  | { readonly kind: "folder"; readonly folder: string };

/** The feed beside each log. */
export interface FeedSettings {
  /** Its name in the collection's folder. */
  readonly file: string;
  /** Whether it tells minor changes too. */
  readonly minor: boolean;
}

/** The options, parsed: paths absolute, URLs ending with a slash, defaults filled in. */
export interface Settings {
  readonly folder: string;
  /** The site's URL; ends with a slash. */
  readonly site: string;
  /** The site as a whole, with its own title and description. */
  readonly whole: Collection;
  readonly collections: readonly Collection[];
  readonly history: "auto" | "git" | "files";
  readonly sourceFolder: string | undefined;
  readonly previous: Previous;
  readonly first: boolean;
  readonly force: boolean;
  readonly allowMassDelete: boolean;
  readonly anyFolder: boolean;
  readonly content: readonly string[];
  readonly period: Period;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly cleanUrls: boolean;
  /** Whether minor updates get entries in the log. */
  readonly minor: "log" | "omit";
  /** The feed beside each log; absent where none is wanted. */
  readonly feed: FeedSettings | undefined;
  /** Whether pages get the links by which followers find the log and the feed. */
  readonly link: boolean;
  readonly messages: boolean;
  /** UTC seconds. */
  readonly now: number | undefined;
  readonly dryRun: boolean;
  readonly movedFrom: string | undefined;
  /** Links on resources. */
  readonly links: readonly LinkTemplate[];
  /** URLs of Capability Lists of other sites on the host, which the Source Description names too. */
  readonly alsoLists: readonly string[];
}

/**
 * Parses the options, once, at the edge.
 *
 * @throws {OptionError} naming the option, what was given and what is allowed
 */
export function parseOptions(options: unknown): Settings {
  const parsed = siteOptions.safeParse(options);
  if (!parsed.success) throw optionError(parsed.error, options, NAMES);
  const { data } = parsed;
  const site = parseSiteUrl("url", data.url);
  return {
    ...data,
    folder: resolve(data.folder),
    site,
    whole: describedSite(site, data),
    collections: parseCollections(site, data.collections, data),
    sourceFolder: data.sourceFolder === undefined ? undefined : resolve(data.sourceFolder),
    previous: parsePrevious(data.previous),
    feed: parseFeed(data.feed),
    now: parseNow(data.now),
    alsoLists: data.alsoLists.map((list) => parseOtherList(site, list)),
    movedFrom: data.movedFrom === undefined ? undefined : parseSiteUrl("movedFrom", data.movedFrom),
  };
}

function parseFeed(feed: boolean | FeedSettings): FeedSettings | undefined {
  if (typeof feed === "object") return feed;
  return feed ? { file: FEED, minor: false } : undefined;
}

/** A Capability List of another site on the same host. */
function parseOtherList(site: string, list: string): string {
  const url = URL.canParse(list, site) ? new URL(list, site) : undefined;
  if (url?.origin === new URL(site).origin && !url.pathname.endsWith("/")) return url.href;
  const allowed = `the URL of a Capability List on ${new URL(site).host}`;
  throw new OptionError("alsoLists", list, allowed);
}

function parsePrevious(previous: string): Previous {
  const kind = PREVIOUS.find((one) => one === previous);
  return kind === undefined ? { kind: "folder", folder: resolve(previous) } : { kind };
}

/**
 * @returns UTC seconds
 * @throws {OptionError} when it is no full datetime
 */
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

/** The names of the options, of a site and of each of its collections. */
interface OptionNames {
  readonly site: readonly string[];
  readonly collection: readonly string[];
}

/** The first thing that is wrong with the options, as one error that names it. */
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
