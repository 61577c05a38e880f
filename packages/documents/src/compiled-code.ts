import { mkdirSync, realpathSync, statSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";

/**
 * Keeps Node's compiled code in the user's cache, so that the next start is faster. Node runs such code without a
 * look at who wrote it: without a folder of the user's own, none is kept. `NODE_COMPILE_CACHE` names another place.
 */
export function keepCompiledCode(program: string): void {
  if (process.env.NODE_COMPILE_CACHE) return;
  const folder = ownCacheFolder(program, "compiled");
  // Node 22.1 and later have this.
  if (folder !== undefined) module.enableCompileCache?.(folder);
}

/**
 * Makes a folder in the user's cache home, with mode 700.
 * @returns `undefined` where it cannot be made, or where another user could have written into it, or could put
 * another folder in its place
 */
export function ownCacheFolder(...names: readonly string[]): string | undefined {
  try {
    const folder = join(cacheHome(), ...names);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isOwn(realpathSync(folder)) ? folder : undefined;
  } catch {
    // A cache home may be read-only, and a user may have no home.
    return undefined;
  }
}

/** A relative path counts as none (XDG Base Directory Specification). */
function cacheHome(): string {
  const { LOCALAPPDATA = "", XDG_CACHE_HOME = "" } = process.env;
  const stated = process.platform === "win32" ? LOCALAPPDATA : XDG_CACHE_HOME;
  return isAbsolute(stated) ? stated : join(homedir(), ".cache");
}

const OF_OTHERS = 0o077;
const WRITABLE_BY_ALL = 0o002;
/** In a folder such as `/tmp` only its owner may rename or remove a file. */
const STICKY = 0o1000;

function isOwn(folder: string): boolean {
  const user = process.getuid?.();
  // On Windows the user's folders are closed to others.
  if (user === undefined) return true;
  const { uid, mode } = statSync(folder);
  return uid === user && (mode & OF_OTHERS) === 0 && isKept(dirname(folder), user);
}

/** Whether only this user and root may rename what a folder holds, and the folders above it. */
function isKept(folder: string, user: number): boolean {
  const { uid, mode } = statSync(folder);
  if (uid !== user && uid !== 0) return false;
  if ((mode & WRITABLE_BY_ALL) !== 0 && (mode & STICKY) === 0) return false;
  return folder === dirname(folder) || isKept(dirname(folder), user);
}
