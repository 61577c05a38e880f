import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Difference } from "../../derive/difference.ts";
import { LONGEST_READ } from "../../inventory/file-digest.ts";
import { keysIn } from "../../model/page-memory.ts";
import type { Settings } from "../../options/settings.ts";
import { contentRule } from "../../page/content/content-rule.ts";
import { isXhtml } from "../../page/placeholders/find-placeholders.ts";
import { inWorkFolder } from "../commits/worktree.ts";

export type ReadStatements = (
  differences: readonly Difference[],
  folder: string,
) => readonly Difference[];

/** Reads changed pages again: at the first reading, the previous commit may not have been recorded yet. */
export async function statementReader(
  settings: Pick<Settings, "site" | "content" | "excerpts">,
): Promise<ReadStatements> {
  if (!settings.excerpts) return (differences) => differences;
  const { readPage } = await import("../../page/read-page.ts");
  const { site } = settings;
  const rule = contentRule(settings.content);
  return (differences, folder) =>
    differences.map((difference) => {
      const { kind, minor, before, resource } = difference;
      const { file, url, blocks } = resource ?? {};
      const isAsked = kind !== "deleted" && !minor && blocks !== undefined;
      if (!isAsked || file === undefined || url === undefined || resource === undefined) {
        return difference;
      }
      // Temporary folders are swept, and a backfill may take days.
      const whole = inWorkFolder(folder, () => readFileSync(join(folder, file)));
      const bytes = whole.subarray(0, LONGEST_READ);
      const had = new Set(kind === "created" ? [] : keysIn(before?.blocks));
      const page = readPage(bytes, { url, site, rule, xhtml: isXhtml(file), memory: { had } });
      const { statements, description } = page;
      return { ...difference, resource: { ...resource, statements, description } };
    });
}
