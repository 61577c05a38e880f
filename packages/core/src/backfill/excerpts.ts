import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Difference } from "../derive/difference.ts";
import { contentRule } from "../inventory/content-rule.ts";
import { LONGEST_READ } from "../inventory/file-digest.ts";
import type { Settings } from "../model/options.ts";
import { mayListChanges } from "../pages/mark-search.ts";
import { isXhtml } from "../pages/marks.ts";

/** Adds what is new on the pages that changed. */
export type ReadExcerpts = (
  differences: readonly Difference[],
  folder: string,
) => readonly Difference[];

/** Reads changed pages again: at the first reading, the commit before may not have been recorded yet. */
export async function excerptReader(
  settings: Pick<Settings, "content" | "excerpts">,
): Promise<ReadExcerpts> {
  if (!settings.excerpts) return (differences) => differences;
  const { readPage } = await import("../inventory/page.ts");
  const rule = contentRule(settings.content);
  return (differences, folder) =>
    differences.map((difference) => {
      const { kind, minor, before, resource } = difference;
      const { file, url, blocks } = resource ?? {};
      const isAsked = kind === "updated" && !minor && blocks !== undefined;
      if (!isAsked || file === undefined || url === undefined || resource === undefined) {
        return difference;
      }
      const bytes = readFileSync(join(folder, file)).subarray(0, LONGEST_READ);
      const listsChanges = mayListChanges(bytes);
      const memory = { before: before?.blocks, listsChanges };
      const { excerpts } = readPage(bytes, { url, rule, xhtml: isXhtml(file), memory });
      return { ...difference, resource: { ...resource, excerpts } };
    });
}
