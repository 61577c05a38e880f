import { readFileSync } from "node:fs";
import * as v from "valibot";
import { BACKFILL_VARIABLE } from "../hand-over.ts";
import type { Annotation } from "../model/environment.ts";
import { urlOf, withoutSlash } from "../model/url.ts";
import { failedBuildError } from "./errors.ts";

const annotation = v.strictObject({
  url: v.optional(v.string()),
  excluded: v.optional(v.literal(true)),
  isPage: v.optional(v.literal(true)),
  stale: v.optional(v.literal(true)),
  note: v.optional(v.string()),
  minor: v.optional(v.boolean()),
});

const named = v.custom<Readonly<Record<string, unknown>>>((given) => !Array.isArray(given));

/** valibot accepts an array as a record, too. */
function record<const Value extends v.GenericSchema>(value: Value) {
  return v.pipe(named, v.record(v.string(), value));
}

/** What a plugin, or the command in a build script, reports of a build to the backfill that runs it. */
const handOverSchema = v.object({
  folder: v.string(),
  options: record(v.unknown()),
  pages: record(annotation),
  sources: v.optional(record(v.array(v.string()))),
  onDemand: v.optional(v.array(v.string())),
  unlisted: v.optional(v.array(v.string())),
});

export interface HandedOver {
  readonly folder: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly pages: ReadonlyMap<string, Annotation>;
  /** The source files of pages, as `Builder.sourceFiles`; absent without a builder. */
  readonly sources: ReadonlyMap<string, readonly string[]> | undefined;
  /** Absent without a builder, since nothing else knows them. */
  readonly onDemand: readonly string[] | undefined;
  readonly unlisted?: readonly string[] | undefined;
}

/** @returns `undefined` when the build did not use a plugin of rs-emit */
export function readHandOver(file: string): HandedOver | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  const { folder, options, pages, sources, onDemand, unlisted } = parseHandOver(text);
  return {
    folder,
    options,
    pages: new Map(Object.entries(pages)),
    sources: sources && new Map(Object.entries(sources)),
    onDemand,
    unlisted,
  };
}

/** An older version of the plugin, or the author's script, may have written the file. */
function parseHandOver(text: string): v.InferOutput<typeof handOverSchema> {
  try {
    return v.parse(handOverSchema, JSON.parse(text));
  } catch (error) {
    throw failedBuildError(
      `The file that it wrote to $${BACKFILL_VARIABLE} cannot be read ` +
        `(${error instanceof v.ValiError ? error.message : String(error)}).`,
    );
  }
}

export type UrlRule = (file: string) => string;

/** Finds one URL rule for all pages: with or without `.html`, with or without a folder's slash. */
export function urlRuleOf({ pages }: HandedOver, site: string): UrlRule | undefined {
  const named = [...pages].flatMap(([file, { url }]) => (url === undefined ? [] : [{ file, url }]));
  if (named.length === 0) return undefined;
  const rules: readonly UrlRule[] = [
    (file) => urlOf(site, file, false),
    (file) => urlOf(site, file, true),
    (file) => withoutSlash(site, urlOf(site, file, false)),
    (file) => withoutSlash(site, urlOf(site, file, true)),
  ];
  return rules.find((rule) => named.every(({ file, url }) => rule(file) === url));
}
