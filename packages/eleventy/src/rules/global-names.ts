import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Facts } from "@rs-emit/core/adapter";
import type { Build } from "../build.ts";
import { readTemplate } from "./facts.ts";
import { filesBelow } from "./paths.ts";
import { ANY, Unread } from "./unread.ts";

/** What tells pages apart by rules of its own, wherever it is said. */
const RULED = new Set([
  "buildawesomeComputed",
  "date",
  "dynamicPermalink",
  "eleventyComputed",
  "layout",
  "pagination",
  "permalink",
  "permalinkBypassOutputDir",
  "resourcesync",
  "templateEngineOverride",
]);

/**
 * The names that data for the whole site and layouts give every template: what they stood for when an
 * old version was made, nothing tells.
 *
 * @param project its folder, an absolute path
 */
export function globalFacts(build: Build, project: string): Facts {
  const { data, includes, layouts = includes } = build.end.directories;
  const names = [
    ...Object.keys(build.config.getConfig().globalData),
    ...filesBelow(resolve(project, data)).map((file) => file.split("/")[0] ?? ""),
    ...[...new Set([includes, layouts])].flatMap((folder) =>
      namesInLayouts(build, resolve(project, folder)),
    ),
  ];
  const unread = new Unread("");
  const first = names.map((name) => name.split(".")[0] ?? "");
  return Object.fromEntries(
    first
      .filter((name) => name !== "" && name !== ANY && !RULED.has(name))
      .map((name) => [name, unread]),
  );
}

function namesInLayouts({ config, extensions }: Build, folder: string): string[] {
  return filesBelow(folder).flatMap((name) => {
    const language = extensions.getKey(name);
    if (language === undefined) return [];
    const bytes = readFileSync(join(folder, name));
    return Object.keys(readTemplate(bytes, language === "11ty.js", config.getConfig()));
  });
}
