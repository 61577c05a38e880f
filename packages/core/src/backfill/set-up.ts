import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Config files by the builder that a command names. */
const CONFIGS: readonly (readonly [name: RegExp, files: readonly string[]])[] = [
  [
    /\beleventy\b/,
    [
      ".eleventy.js",
      "eleventy.config.js",
      "eleventy.config.mjs",
      "eleventy.config.cjs",
      "eleventy.config.ts",
    ],
  ],
  [
    /\bastro\b/,
    [
      "astro.config.mjs",
      "astro.config.js",
      "astro.config.ts",
      "astro.config.cjs",
      "astro.config.mts",
    ],
  ],
  [/\bhugo\b/, ["hugo.toml", "hugo.yaml", "hugo.json", "config.toml", "config.yaml", "config"]],
  [/\bjekyll\b/, ["_config.yml", "_config.yaml", "_config.toml"]],
];

const SCRIPT = /\b(?:npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+)?([\w:.-]+)/g;

/**
 * Tells whether the build was set up in a commit: whether there are the config of the builder that the
 * command names, and the scripts that it runs. Only what the newest commit has can be missing.
 *
 * @param project the project's folder in the newest commit
 */
export function setUpRule(command: string, project: string): (project: string) => boolean {
  const configs = CONFIGS.filter(([name]) => name.test(command))
    .map(([, files]) => files)
    .filter((files) => hasOne(project, files));
  const scripts = [...command.matchAll(SCRIPT)]
    .map(([, name = ""]) => name)
    .filter((name) => scriptsIn(project).has(name));
  return (older) =>
    configs.every((files) => hasOne(older, files)) &&
    scripts.every((name) => scriptsIn(older).has(name));
}

function hasOne(project: string, files: readonly string[]): boolean {
  return files.some((file) => existsSync(join(project, file)));
}

function scriptsIn(project: string): ReadonlySet<string> {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
    if (typeof manifest !== "object" || manifest === null || !("scripts" in manifest)) {
      return new Set();
    }
    const { scripts } = manifest;
    return new Set(typeof scripts === "object" && scripts !== null ? Object.keys(scripts) : []);
  } catch {
    return new Set(); // No manifest, or one that no package manager can read either.
  }
}
