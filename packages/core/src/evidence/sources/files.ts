import { realpathSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { walk } from "../../inventory/walk.ts";
import { linkPages } from "./links.ts";
import { sourceMatcher } from "./match.ts";
import type { Origin } from "./origin.ts";

/**
 * Finds the files whose own times date the pages: their sources, where a builder or the author names
 * them, since the pages themselves have the time of the build.
 *
 * @param output the output folder
 * @param pages its resources
 * @returns by page: absolute paths, none where nothing tells its source for certain
 */
export async function datingFiles(
  origin: Origin,
  output: string,
  pages: readonly string[],
): Promise<(page: string) => readonly string[]> {
  if (origin.kind === "own") return (page) => [join(output, page)];
  const sources =
    origin.kind === "stated" ? origin.builder.sourceFiles : await matched(origin.source, output);
  const links = linkPages(pages, (page) => sources(page).map((source) => resolve(source)));
  return (page) => links.sourcesOf.get(page) ?? [];
}

async function matched(
  folder: string,
  output: string,
): Promise<(page: string) => readonly string[]> {
  const match = sourceMatcher(await filesBelow(folder, output));
  return (page) => {
    const source = match(page);
    return source === undefined ? [] : [join(folder, source)];
  };
}

/** The files below a folder of sources, by path, without those of the output folder. */
async function filesBelow(folder: string, output: string): Promise<readonly string[]> {
  const path = relative(realpathSync(folder), realpathSync(output)).replaceAll(sep, "/");
  const isSource = (file: string) => !file.startsWith(`${path}/`);
  const rules = { isOffered: isSource, isExcluded: () => false, isCandidate: isSource };
  return (await walk(folder, rules)).candidates;
}
