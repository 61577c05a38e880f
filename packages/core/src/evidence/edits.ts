import { isPage } from "../inventory/candidates.ts";
import type { Difference } from "./git/status.ts";
import type { Sources } from "./sources/sources.ts";
import type { WorkingTree } from "./working-tree.ts";

/** Edits that no commit holds yet, by key. */
export type Edits = ReadonlyMap<string, Difference>;

/**
 * The edits of an author that no commit holds yet.
 *
 * New files count only beside a committed one that is or makes a page or resource. Where git holds
 * none, a builder wrote them, and they have the time of the build.
 *
 * @param resources files of the output folder
 */
export function authorsEdits(
  { committed, edits }: WorkingTree,
  sources: Sources,
  resources: readonly string[],
): Edits {
  if (![...edits.values()].includes("added")) return edits;
  const known = new Set(resources);
  for (const key of committed) {
    const made = sources.madeBy(key);
    if (made.kind === "page" && (isPage(made.file) || known.has(made.file))) return edits;
  }
  return new Map([...edits].filter(([, kind]) => kind !== "added"));
}
