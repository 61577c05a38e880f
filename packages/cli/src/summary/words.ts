import { relative } from "node:path";

/** A folder as its author would type it here. */
export function shortPath(folder: string): string {
  const path = relative("", folder);
  if (path === "") return "this folder";
  return path.startsWith("..") ? folder : path;
}
