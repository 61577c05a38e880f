import { readdirSync, statSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import picomatch from "picomatch";

/**
 * Matches paths as Eleventy's file search does: in any case, a folder's name meaning all that is in it.
 *
 * @param patterns relative to the same folder as the paths
 */
export function matcher(patterns: Iterable<string>): (path: string) => boolean {
  const globs = [...patterns].map((pattern) => plainPath(pattern)).filter((glob) => glob !== "");
  if (globs.length === 0) return () => false;
  return picomatch(
    globs.flatMap((glob) => (glob.endsWith("*") ? [glob] : [glob, `${glob}/**`])),
    { dot: true, nocase: true, nonegate: true, flags: "s" },
  );
}

/** Whether a path is a pattern that more than one may match. */
export function isGlob(path: string): boolean {
  return picomatch.scan(path).isGlob;
}

/** A path without the dots and slashes around it. */
export function plainPath(path: string): string {
  return path.replace(/^(?:\.?\/)+/, "").replace(/\/+$/, "");
}

/** What remains of a path below a folder; `undefined` when it is not in there. */
export function below(path: string, folder: string): string | undefined {
  if (folder === "") return path;
  if (path === folder) return "";
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
}

/** The files below a folder, by their paths from there; none where it is missing. */
export function filesBelow(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      relative(folder, resolve(parentPath, name)).replaceAll(sep, "/"),
    );
}
