import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Build } from "../build.ts";
import { isComputed, objectOf } from "./data.ts";
import { readTemplate } from "./facts.ts";

/**
 * Whether something besides a template and its data files may name its page: data for the whole site,
 * or a layout. Then only the pages that stand show how pages are named.
 *
 * @param project its folder, an absolute path
 */
export function isNamedElsewhere({ config, extensions, end }: Build, project: string): boolean {
  const { data, includes, layouts } = end.directories;
  const { globalData } = config.getConfig();
  return (
    Object.entries(globalData).some(([name, value]) => namesPages(name, value)) ||
    filesIn(resolve(project, data)).some((file) => {
      const [name = ""] = file.split("/").at(-1)?.split(".") ?? [];
      return name === "permalink" || (isComputed(name) && /permalink/.test(textOf(file)));
    }) ||
    [includes, layouts ?? includes].some((folder) =>
      filesIn(resolve(project, folder)).some((file) => {
        const language = extensions.getKey(file);
        if (language === undefined) return false;
        return "permalink" in readTemplate(readFileSync(file), language === "11ty.js");
      }),
    )
  );
}

/** Names of data may be paths into it. */
function namesPages(name: string, value: unknown): boolean {
  const [first = "", second] = name.split(".");
  if (first === "permalink") return true;
  if (!isComputed(first)) return false;
  return second === "permalink" || typeof value === "function" || "permalink" in objectOf(value);
}

function filesIn(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function textOf(file: string): string {
  return readFileSync(file, "utf8");
}
