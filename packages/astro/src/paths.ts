import { relative, sep } from "node:path";

/** A file's path below a folder, with `/`; it begins with `../` where the file is not in there. */
export function pathBelow(folder: string, file: string): string {
  return relative(folder, file).replaceAll(sep, "/");
}

/** A file's path below a folder; `undefined` where the file is not in there. */
export function pathIn(folder: string, file: string): string | undefined {
  const path = pathBelow(folder, file);
  return path.startsWith("../") ? undefined : path;
}
