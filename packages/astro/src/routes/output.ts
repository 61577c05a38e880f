import type { Project } from "../project.ts";
import { isIndex } from "./pattern.ts";
import type { Route } from "./written.ts";

/**
 * The file that Astro writes a page into, below the output folder.
 *
 * @param isIndex whether the page's own file is named `index`, which `preserve` heeds
 */
export function outputFile(
  { format }: Pick<Project, "format">,
  pathname: string,
  isIndex: boolean,
): string {
  const path = pathname.slice(1);
  if (path === "") return "index.html";
  const isFolder =
    format === "directory" ? path !== "404" && path !== "500" : format === "preserve" && isIndex;
  return isFolder ? `${path}/index.html` : `${path}.html`;
}

/** Astro never takes a route that an integration adds for an index. */
export function isOwnIndex({ origin, entrypoint }: Route): boolean {
  return origin === "project" && isIndex(entrypoint);
}

/** The pathname that a page's file stands for, whatever the format. */
export function pathnameOf(file: string): string {
  return `/${file.replace(/(?:(?:^|\/)index)?\.html$/, "")}`;
}
