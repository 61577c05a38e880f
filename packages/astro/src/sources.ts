import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { SiteKnowledge } from "./knowledge.ts";
import { isOwnIndex, outputFile } from "./routes/output.ts";
import { parametersOf } from "./routes/pattern.ts";
import type { BuiltSite } from "./site.ts";

/** The files that a page was made from, the page's own first; none where that is not certain. */
export function sourcesOf(
  { project, written }: BuiltSite,
  { routes, stated }: SiteKnowledge,
  page: string,
): readonly string[] {
  const ofAuthor = stated.get(page);
  if (ofAuthor !== undefined) return ofAuthor;
  const copied = join(project.publicFolder, page);
  const route = written.get(page);
  if (existsSync(copied)) return route === undefined ? [copied] : [];
  if (route?.type !== "page") return [];
  const component = resolve(project.root, route.entrypoint);
  if (parametersOf(route.pattern).length > 0) {
    const entry = routes.get(component)?.drawing?.entryOf.get(page);
    return entry === undefined ? [] : [entry];
  }
  // A page that stands in for a missing translation is its original's, which alone dates the file.
  const isOriginal = outputFile(project, route.pattern, isOwnIndex(route)) === page;
  return isOriginal && !isForeign(route.entrypoint) ? [component] : [];
}

/** Whether the file is a package's, not the author's. */
function isForeign(entrypoint: string): boolean {
  return /(?:^|\/)node_modules\//.test(entrypoint);
}
