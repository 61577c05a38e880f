import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Drawing } from "./content/drawing.ts";
import { entryFacts } from "./content/entry-facts.ts";
import { isForReaders } from "./content/visibility.ts";
import type { RouteFacts } from "./routes/route-facts.ts";

/** Whether a page of the output folder is for readers, whatever its sources say. */
export function isShown(folder: string, page: string): boolean {
  return isForReaders(readFileSync(join(folder, page), "utf8"));
}

/**
 * What hides none of a route's pages although it looks so: the flags of entries that have pages, and
 * `noindex` where a page is shown all the same.
 */
export function disprovedHiding(
  folder: string,
  { isHidden }: RouteFacts,
  drawing: Drawing | undefined,
): ReadonlySet<string> {
  const disproved = new Set<string>();
  for (const [page, file] of drawing?.entryOf ?? []) {
    const { flag, isWithheld } = entryFacts(file, readFileSync(file));
    if (flag !== undefined) disproved.add(flag);
    if ((isHidden || isWithheld) && isShown(folder, page)) disproved.add("noindex");
  }
  return disproved;
}
