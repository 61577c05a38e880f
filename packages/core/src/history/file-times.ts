import { realpathSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { walk } from "../inventory/walk.ts";
import { statIfThere } from "../model/file-system.ts";
import type { UndatedReason } from "../model/plan.ts";
import type { Inventory } from "../model/resources.ts";
import { builtPages, type Origin, SourceLinks, sourceMatcher } from "./source-links.ts";

/** UTC seconds; `undefined` when there is no such file. */
function modificationTime(path: string | Buffer): number | undefined {
  const stats = statIfThere(path);
  return stats?.isFile() ? Math.floor(stats.mtimeMs / 1000) : undefined;
}

export function newestTime(files: Iterable<string | Buffer>): number | undefined {
  let newest: number | undefined;
  for (const file of files) {
    const time = modificationTime(file);
    if (time !== undefined) newest = Math.max(newest ?? time, time);
  }
  return newest;
}

export interface DatingFiles {
  /** Absolute paths; empty where the page's source file is not certain. */
  of(page: string): readonly string[];
  reasonOf(page: string): UndatedReason;
}

/** Source files where the author or a builder names them: pages have the time of the build. */
export async function datingFiles(
  origin: Origin,
  output: string,
  inventory: Inventory,
): Promise<DatingFiles> {
  if (origin.kind === "own") {
    return { of: (page) => [join(output, page)], reasonOf: () => "no-source" };
  }
  const sources =
    origin.kind === "stated" ? origin.builder.sourceFiles : await matchedFiles(origin, output);
  const links = new SourceLinks(builtPages(inventory), (page) =>
    sources(page).map((source) => resolve(source)),
  );
  return {
    of: (page) => links.ownOf(page),
    reasonOf: (page) => (links.firstOf(page) === undefined ? "no-source" : "shared"),
  };
}

async function matchedFiles(
  { sourceFolder, sourceOf }: Extract<Origin, { kind: "matched" }>,
  output: string,
): Promise<(page: string) => readonly string[]> {
  const below = sourceFolder === undefined ? [] : await filesBelow(sourceFolder, output);
  const match = sourceMatcher(below);
  return (page) => {
    const path = match(page);
    const matched = path === undefined ? undefined : join(sourceFolder ?? "", path);
    return [sourceOf(page) ?? matched].flatMap((source) => source ?? []);
  };
}

async function filesBelow(folder: string, output: string): Promise<readonly string[]> {
  const path = relative(realpathSync(folder), realpathSync(output)).replaceAll(sep, "/");
  const isSource = (file: string) => !file.startsWith(`${path}/`);
  const rules = { isOffered: isSource, isExcluded: () => false, isCandidate: isSource };
  return (await walk(folder, rules)).candidates;
}
