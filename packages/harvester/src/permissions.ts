import { accessSync, constants, statSync } from "node:fs";
import { codeOf } from "@rs-emit/reader";

/**
 * Why a folder cannot be used, where that is a matter of rights, and what changes it. Users are numbers: a container knows no names
 * of others.
 *
 * @param paths the folder, or what stands above it, then files in it; missing ones are passed by
 */
export function refusalOf(
  folder: string,
  paths: readonly string[],
): { readonly problem: string; readonly cure: string } | undefined {
  const user = process.getuid?.();
  const path = paths.find(isRefused);
  if (user === undefined || path === undefined) return undefined;
  const owner = statSync(path).uid;
  const rights = owner === user ? `chmod -R u+rwX ${folder}` : `chown -R ${user} ${folder}`;
  return {
    problem:
      owner === user
        ? `${path} may not be written`
        : `${path} belongs to the user ${owner}, and rs-harvest runs as the user ${user}`,
    // What stands above may be the system's.
    cure: path.startsWith(folder)
      ? `Nothing in it is damaged. Change its rights: ${rights}`
      : "Make the folder for that user, or use another one.",
  };
}

function isRefused(path: string): boolean {
  const { R_OK, W_OK, X_OK } = constants;
  try {
    accessSync(path, statSync(path).isDirectory() ? R_OK | W_OK | X_OK : R_OK | W_OK);
    return false;
  } catch (error) {
    return ["EACCES", "EPERM"].includes(codeOf(error));
  }
}
