import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Builders write a site into these; the most specific is first. */
const OUTPUT_FOLDERS = ["dist", "_site", "public", "build"];

/** A folder with such a file is a builder's project, not a site. */
const PROJECT_FILES =
  /^(?:package\.json|_config\.(?:ya?ml|toml)|(?:hugo|config)\.(?:toml|ya?ml|json)|mkdocs\.yml|\.eleventy\.c?js|(?:eleventy|astro|svelte|vite)\.config\.\w+|\.vitepress)$/;

const HIDDEN = /^(?:\.|node_modules$)/;

/** The built site, or the only folder with a home page; relative to the absolute `project`. */
export function findFolder(project: string): string | undefined {
  const built = OUTPUT_FOLDERS.find((folder) => hasHomePage(join(project, folder)));
  if (built !== undefined) return built;
  const isProject = namesIn(project).some((name) => PROJECT_FILES.test(name));
  if (!isProject && hasHomePage(project)) return ".";
  const [only, ...others] = namesIn(project).filter(
    (name) => !HIDDEN.test(name) && hasHomePage(join(project, name)),
  );
  return others.length === 0 ? only : undefined;
}

function hasHomePage(folder: string): boolean {
  return namesIn(folder).includes("index.html");
}

/** @returns none for a folder that is not there, or may not be read */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
