import { readFileSync, renameSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { fileRules } from "../inventory/file-rules.ts";
import { walk } from "../inventory/walk.ts";
import type { EmitOptions } from "../model/emit-options.ts";
import type { Annotation, Builder } from "../model/environment.ts";
import { ownDocuments } from "../model/layout.ts";
import { parseOptions } from "../model/options.ts";
import { urlOf, withoutSlash } from "../model/url.ts";
import { FailedBuildError } from "./errors.ts";

/** Names the hand-over file. While it is set, plugins publish nothing. */
export const BACKFILL_VARIABLE = "RS_EMIT_BACKFILL";

const annotation = z.strictObject({
  url: z.string().optional(),
  excluded: z.literal(true).optional(),
  stale: z.literal(true).optional(),
  note: z.string().optional(),
  minor: z.boolean().optional(),
});

const codec = z.object({
  folder: z.string(),
  options: z.record(z.string(), z.unknown()),
  pages: z.record(z.string(), annotation),
  sources: z.record(z.string(), z.array(z.string())).optional(),
  onDemand: z.array(z.string()).optional(),
});

export interface HandOver {
  readonly folder: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly pages: ReadonlyMap<string, Annotation>;
  /** The source files of pages, as `Builder.sourceFiles`; absent without a builder. */
  readonly sources: ReadonlyMap<string, readonly string[]> | undefined;
  /** Absent without a builder, since nothing else knows them. */
  readonly onDemand: readonly string[] | undefined;
}

/** @throws {EmitError} for options or a folder that could not be published either */
export async function handOver(
  file: string,
  options: EmitOptions,
  builder?: Builder,
): Promise<string> {
  const settings = parseOptions(options);
  const isOwnDocument = ownDocuments(settings.collections, settings.feed?.file);
  const found = await walk(settings.folder, fileRules({ ...settings, isOwnDocument }));
  const pages = [...found.candidates, ...found.excluded].flatMap((page) => {
    const annotation = builder?.annotate?.(page);
    return annotation === undefined ? [] : [[page, annotation] as const];
  });
  const { folder } = settings;
  const text = JSON.stringify({
    folder,
    options,
    pages: Object.fromEntries(pages),
    sources: builder === undefined ? undefined : sourcesOf(found.candidates, builder),
    onDemand: builder === undefined ? undefined : (builder.onDemand ?? []),
  });
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
  return "A backfill builds this commit: nothing is published, the pages are handed over to it.";
}

function sourcesOf(
  pages: readonly string[],
  { sourceFiles }: Builder,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(pages.map((page) => [page, sourceFiles(page)]));
}

/** @returns `undefined` when the build did not use our plugins */
export function readHandOver(file: string): HandOver | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  const { folder, options, pages, sources, onDemand } = parseHandOver(text);
  return {
    folder,
    options,
    pages: new Map(Object.entries(pages)),
    sources: sources && new Map(Object.entries(sources)),
    onDemand,
  };
}

/** An older version of the plugin, or the author's script, may have written the file. */
function parseHandOver(text: string): z.infer<typeof codec> {
  try {
    return codec.parse(JSON.parse(text));
  } catch (error) {
    throw new FailedBuildError(
      `The file that it wrote to $${BACKFILL_VARIABLE} cannot be read ` +
        `(${error instanceof z.ZodError ? z.prettifyError(error).replaceAll(/\s+/g, " ") : String(error)}).`,
    );
  }
}

export type UrlRule = (file: string) => string;

/** Finds one URL rule for all pages: with or without `.html`, with or without a folder's slash. */
export function urlRuleOf({ pages }: HandOver, site: string): UrlRule | undefined {
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
