import path from "node:path";

/**
 * A file's path below a folder, with slashes as URLs and git have them.
 * @param system whose paths are given
 */
export function pathBelow(
  folder: string,
  file: string,
  { relative, sep }: Pick<path.PlatformPath, "relative" | "sep"> = path,
): string {
  return relative(folder, file).replaceAll(sep, "/");
}

/** Whether a path is a folder, or stands in it. */
export function isWithin(
  folder: string,
  file: string,
  { sep }: Pick<path.PlatformPath, "sep"> = path,
): boolean {
  return file === folder || file.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
