import { resolve } from "node:path";
import { DatetimeError, parseDatetime } from "@rs-emit/documents";
import { z } from "zod";
import { OptionError } from "./errors.ts";
import type { Period } from "./layout.ts";
import type { Collection } from "./model.ts";
import { parseSiteUrl } from "./site/address.ts";
import { parseCollections } from "./site/collections.ts";

const words = z.string().trim().min(1).optional();

const description = {
  title: words,
  author: words,
  description: words,
  language: words,
  rights: words,
};

const collection = z.union([z.string(), z.strictObject({ path: z.string(), ...description })]);

const globs = z.union([z.string().transform((one) => [one]), z.array(z.string())]);

const schema = z.strictObject({
  folder: z.string().min(1),
  url: z.string().optional(),
  collections: z.array(collection).default([]),
  ...description,
  history: z.enum(["auto", "git", "files"]).default("auto"),
  source: z.string().min(1).optional(),
  previous: z.string().min(1).default("auto"),
  first: z.boolean().default(false),
  force: z.boolean().default(false),
  allowMassDelete: z.boolean().default(false),
  content: globs.default([]),
  period: z.enum(["year", "month", "day"]).default("month"),
  include: globs.default([]),
  exclude: globs.default([]),
  cleanUrls: z.boolean().default(false),
  messages: z.boolean().default(false),
  now: z.union([z.string(), z.date()]).optional(),
  dryRun: z.boolean().default(false),
  movedFrom: z.string().optional(),
});

/** What a run is asked to do; see the README for each option. */
export type EmitOptions = z.input<typeof schema>;

/** A collection as an author writes it: its path below the site, or the path with its description. */
export type CollectionOption = z.input<typeof collection>;

/** Where the last publication is read from. */
export type Previous =
  | { readonly kind: "auto" | "output" | "site" | "none" }
  | { readonly kind: "folder"; readonly folder: string };

/** The options, parsed: paths absolute, URLs ending with a slash, defaults filled in. */
export interface Settings {
  readonly folder: string;
  /** The site's URL; ends with a slash. */
  readonly site: string;
  readonly collections: readonly Collection[];
  readonly history: "auto" | "git" | "files";
  readonly source: string | undefined;
  readonly previous: Previous;
  readonly first: boolean;
  readonly force: boolean;
  readonly allowMassDelete: boolean;
  readonly content: readonly string[];
  readonly period: Period;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly cleanUrls: boolean;
  readonly messages: boolean;
  /** UTC seconds. */
  readonly now: number | undefined;
  readonly dryRun: boolean;
  readonly movedFrom: string | undefined;
}

/**
 * Parses the options, once, at the edge.
 *
 * @throws {OptionError} naming the option, what was given and what is allowed
 */
export function parseOptions(options: unknown): Settings {
  const parsed = schema.safeParse(options);
  if (!parsed.success) throw optionError(parsed.error, options);
  const { data } = parsed;
  const site = parseSiteUrl("url", data.url);
  return {
    ...data,
    folder: resolve(data.folder),
    site,
    collections: parseCollections(site, data.collections, data),
    source: data.source === undefined ? undefined : resolve(data.source),
    previous: parsePrevious(data.previous),
    now: parseNow(data.now),
    movedFrom: data.movedFrom === undefined ? undefined : parseSiteUrl("movedFrom", data.movedFrom),
  };
}

function parsePrevious(previous: string): Previous {
  switch (previous) {
    case "auto":
    case "output":
    case "site":
    case "none":
      return { kind: previous };
    default:
      return { kind: "folder", folder: resolve(previous) };
  }
}

function parseNow(now: string | Date | undefined): number | undefined {
  if (now === undefined) return undefined;
  try {
    const { seconds } = parseDatetime(typeof now === "string" ? now : now.toISOString());
    return Math.floor(seconds);
  } catch (error) {
    if (!(error instanceof DatetimeError || error instanceof RangeError)) throw error;
    throw new OptionError("now", now, "a full datetime such as 2026-10-05T18:30:00Z");
  }
}

function optionError(error: z.ZodError, options: unknown): OptionError {
  const [issue] = error.issues;
  if (issue === undefined) return new OptionError("options", options, "an object");
  if (issue.code === "unrecognized_keys") {
    const [name] = issue.keys;
    const known = Object.keys(schema.shape).join(", ");
    return new OptionError(String(name), undefined, `one of the options ${known}`);
  }
  const given = issue.path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null
        ? new Map<PropertyKey, unknown>(Object.entries(value)).get(String(key))
        : undefined,
    options,
  );
  const allowed =
    issue.code === "invalid_value"
      ? `one of ${issue.values.map(String).join(", ")}`
      : issue.message.replace(/^Invalid input: expected /, "").replace(/, received .*/, "");
  return new OptionError(issue.path.join(".") || "options", given, allowed);
}
