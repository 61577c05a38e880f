import { existsSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { OptionError } from "@rs-emit/core/adapter";
import type { Build } from "./build.ts";
import type { BuildResult } from "./eleventy.ts";
import { OptOutError } from "./errors.ts";
import type { Settings, SourcedPage } from "./options.ts";

/** A file of the output folder that this build wrote or copied. */
export interface OutputFile {
  /** Absolute paths of the files it was made from, its own first. */
  readonly sources: readonly string[];
  /** Its template makes other pages too: it is the first of `sources` that makes this one. */
  readonly isEntry: boolean;
  /** The author opted it out. */
  readonly isWithheld: boolean;
}

/** The files this build wrote or copied, by path below the output folder. */
export function outputFiles(
  { end, passthrough }: Build,
  { sources }: Settings,
): ReadonlyMap<string, OutputFile> {
  const files = new Map<string, OutputFile>();
  for (const [target, source] of Object.entries(passthrough?.map ?? {})) {
    const copied = { sources: [resolve(source)], isEntry: false, isWithheld: false };
    files.set(decodeURI(target).slice(1), copied);
  }
  const pages = end.results.map((result) => {
    const paths = [result.inputPath, ...addedSources(result, sources)];
    return { ...result, sources: paths.map((path) => resolve(path)) };
  });
  const isOwn = ownSources(pages);
  for (const { inputPath, outputPath, data, sources: all } of pages) {
    const [template = "", ...added] = all;
    const own = added.filter(isOwn);
    const isEntry = !isOwn(template) && own.length > 0;
    files.set(relative(end.directories.output, outputPath).replaceAll(sep, "/"), {
      sources: isEntry ? [...new Set([...own, ...added, template])] : all,
      isEntry,
      isWithheld: isOptedOut(inputPath, data?.resourcesync),
    });
  }
  return files;
}

/** @throws {OptOutError} for anything but yes or no: an author who says `no` means it */
function isOptedOut(template: string, said: unknown): boolean {
  if (said === undefined || said === null || typeof said === "boolean") return said === false;
  throw new OptOutError(template, said);
}

/** Tells the files that only one page is made from. */
function ownSources(
  pages: readonly { readonly sources: readonly string[] }[],
): (path: string) => boolean {
  const uses = new Map<string, number>();
  for (const path of pages.flatMap(({ sources }) => sources)) {
    uses.set(path, (uses.get(path) ?? 0) + 1);
  }
  return (path) => uses.get(path) === 1;
}

function addedSources(
  { url, inputPath, outputPath, data = {} }: BuildResult,
  sources: Settings["sources"],
): readonly string[] {
  const page: SourcedPage = { url, inputPath, outputPath, data };
  const added: unknown = sources?.(page) ?? [];
  if (!Array.isArray(added) || !added.every((path) => typeof path === "string")) {
    const allowed = `a function that gives a list of paths; for ${inputPath} it gives ${JSON.stringify(added)}`;
    throw new OptionError("sources", String(sources), allowed);
  }
  const missing = added.find((path) => !existsSync(resolve(path)));
  if (missing !== undefined) {
    const allowed = `a function that gives paths of files that are there; for ${inputPath} it gives ${missing}`;
    throw new OptionError("sources", String(sources), allowed);
  }
  return added;
}
