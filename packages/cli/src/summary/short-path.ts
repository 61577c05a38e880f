import { relative } from "node:path";

export function shortPath(folder: string): string {
  const path = relative("", folder);
  if (path === "") return "this folder";
  return path.startsWith("..") ? folder : path;
}
