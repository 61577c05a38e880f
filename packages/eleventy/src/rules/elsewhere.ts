import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import type { Build } from "../build.ts";
import { isComputed, objectOf } from "./data.ts";
import { readTemplate } from "./facts.ts";

/**
 * What besides a template and its data files may name its page: data for the whole site, or a layout.
 * Then only the pages that stand show how pages are named.
 *
 * @param project its folder, an absolute path
 * @returns its text; empty where there is none
 */
export function namedElsewhere(build: Build, project: string): string {
  const { data, includes, layouts = includes } = build.end.directories;
  const { globalData } = build.config.getConfig();
  const folders = [...new Set([includes, layouts])].map((folder) => resolve(project, folder));
  return [
    ...Object.entries(globalData).flatMap(([name, value]) => textOfData(name, value)),
    ...filesIn(resolve(project, data)).flatMap(textOfDataFile),
    ...folders.flatMap(filesIn).flatMap((file) => textOfLayout(build, file)),
  ].join("\n");
}

/** Names of data may be paths into it. */
function textOfData(name: string, value: unknown): string[] {
  const [first = "", second] = name.split(".");
  const given = [value, givenBy(value)];
  if (first === "permalink" || (isComputed(first) && second === "permalink")) {
    return given.map(String);
  }
  if (!isComputed(first) || second !== undefined) return [];
  const permalinks = given.map((one) => objectOf(one).permalink);
  return permalinks.filter((one) => one !== undefined).map(String);
}

/** Functions give the data when they are called. */
function givenBy(value: unknown): unknown {
  try {
    return typeof value === "function" ? value() : undefined;
  } catch {
    return undefined;
  }
}

function textOfDataFile(file: string): string[] {
  const name = posix.basename(file).split(".")[0] ?? "";
  if (name !== "permalink" && !isComputed(name)) return [];
  const text = readFileSync(file, "utf8");
  return name === "permalink" || text.includes("permalink") ? [text] : [];
}

function textOfLayout({ extensions }: Build, file: string): string[] {
  const language = extensions.getKey(file);
  if (language === undefined) return [];
  const { permalink } = readTemplate(readFileSync(file), language === "11ty.js");
  return permalink === undefined ? [] : [JSON.stringify(permalink)];
}

function filesIn(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
