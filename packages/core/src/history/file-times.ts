import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { walk } from "../inventory/walk.ts";
import { pathBelow, statIfThere } from "../model/file-system.ts";
import type { UndatedReason } from "../model/plan.ts";
import type { Inventory } from "../model/resources.ts";
import { builtPages, type Origin, SourceLinks, sourceMatcher } from "./source-links.ts";

const DAY = 86_400;

/** Programs write these days instead of a time: ZIP in any time zone, npm. UTC seconds. */
const NOBODYS_DAYS = ["1979-12-31", "1980-01-01", "1985-10-26"].map(
  (day) => Date.parse(day) / 1000,
);

/** Nix and others write this time. */
const LAST_OF_NOBODY = 1;

/** UTC seconds; `undefined` when there is no such file, or its time is no real one. */
function modificationTime(path: string | Buffer): number | undefined {
  const stats = statIfThere(path);
  if (!stats?.isFile()) return undefined;
  const time = Math.floor(stats.mtimeMs / 1000);
  const isNobodys = NOBODYS_DAYS.includes(Math.floor(time / DAY) * DAY);
  return time <= LAST_OF_NOBODY || isNobodys ? undefined : time;
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
  /** Empty where the page's source file is uncertain. */
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
    return { of: (page) => [join(output, page)], reasonOf: () => "no-time" };
  }
  const sources =
    origin.kind === "stated" ? origin.builder.sourceFiles : await matchedFiles(origin, output);
  const links = new SourceLinks(builtPages(inventory), (page) =>
    sources(page).map((source) => resolve(source)),
  );
  return {
    of: (page) => links.ownOf(page),
    reasonOf: (page) => {
      if (links.ownOf(page).length > 0) return "no-time";
      return links.firstOf(page) === undefined ? "no-source" : "shared";
    },
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
  const path = pathBelow(realpathSync(folder), realpathSync(output));
  const isSource = (file: string) => !file.startsWith(`${path}/`);
  const rules = { isOffered: isSource, isExcluded: () => false };
  return (await walk(folder, rules)).candidates;
}
