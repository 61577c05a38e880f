import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isConfigOf, SITE_BUILDERS } from "@rs-emit/core/words";

/** Builders write a site into these; the most specific is first. */
const OUTPUT_FOLDERS = ["dist", "_site", "public", "build"];

/** A folder with such a file, or a builder's config, is a project, not a site. */
const PROJECT_FILES = /^(?:package\.json|vite\.config\.\w+)$/;

const HIDDEN = /^(?:\.|node_modules$)/;

/** The built site, or the only folder with a home page; relative to the absolute `project`. */
export function findFolder(project: string): string | undefined {
  const built = OUTPUT_FOLDERS.find((folder) => hasHomePage(join(project, folder)));
  if (built !== undefined) return built;
  const isProject = namesIn(project).some(
    (name) => PROJECT_FILES.test(name) || SITE_BUILDERS.some((one) => isConfigOf(one, name)),
  );
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
