import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { join, sep } from "node:path";
import type { LeftOut } from "../model.ts";
import { type FileRules, isPrivate } from "./candidates.ts";
import { NoFolderError, UnreadableFileError } from "./errors.ts";

/** The files below a folder that the rules speak of, each list in code unit order. */
export interface Found {
  readonly candidates: readonly string[];
  /** Files that would be candidates, were they not excluded. */
  readonly excluded: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

/** A folder on the way down: its path below the root, and where it really is. */
interface Place {
  readonly path: string;
  readonly real: string;
  /** The real folders of the links that led here. */
  readonly trail: readonly string[];
}

/**
 * Finds the files below a folder. Dot files, dot folders and `node_modules` are passed over; a link is
 * followed inside the folder, never out of it, and never into a folder that holds the link.
 *
 * Not fast-glob: with its links, letter case and names with newlines to be mended, it took 100 ms
 * over 50,000 files and 20 ms to load, this 40 ms.
 *
 * @throws NoFolderError, and UnreadableFileError for a folder that cannot be listed.
 */
export function walk(folder: string, rules: FileRules): Found {
  const root = requireFolder(folder);
  const candidates: string[] = [];
  const excluded: string[] = [];
  const leftOut: LeftOut[] = [];
  const places: Place[] = [{ path: "", real: root, trail: [] }];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    for (const entry of list(place)) {
      if (!isPrivate(entry.name)) visit(place, entry);
    }
  }
  leftOut.sort((a, b) => (a.file < b.file ? -1 : 1));
  return { candidates: candidates.sort(), excluded: excluded.sort(), leftOut };

  function visit(place: Place, entry: Dirent): void {
    const path = place.path + entry.name;
    if (entry.name.includes("\uFFFD") && !exists(place, entry)) {
      leaveOut(path, "not-utf-8", entry.isDirectory());
    } else if (entry.isDirectory()) {
      const real = join(place.real, entry.name);
      places.push({ path: `${path}/`, real, trail: place.trail });
    } else if (entry.isFile()) {
      takeFile(path);
    } else if (entry.isSymbolicLink()) {
      follow(place, path, join(place.real, entry.name));
    }
  }

  function follow(place: Place, path: string, link: string): void {
    const target = targetOf(link);
    if (target === undefined || !holds(root, target.real)) {
      leaveOut(path, "link-out", target?.stats.isDirectory() ?? false);
    } else if (target.stats.isFile()) {
      takeFile(path);
    } else if (target.stats.isDirectory()) {
      const trail = [...place.trail, place.real];
      const circular = trail.some((real) => holds(target.real, real));
      if (!circular) places.push({ path: `${path}/`, real: target.real, trail });
    }
  }

  function takeFile(file: string): void {
    if (!rules.isOffered(file)) return;
    (rules.isExcluded(file) ? excluded : candidates).push(file);
  }

  function leaveOut(file: string, reason: LeftOut["reason"], isFolder: boolean): void {
    if (isFolder ? !rules.isExcluded(file) : rules.isCandidate(file)) {
      leftOut.push({ file, reason });
    }
  }
}

/**
 * Where a folder really is, links followed.
 *
 * @throws NoFolderError when it is not there, or is no folder.
 */
export function requireFolder(folder: string): string {
  const target = targetOf(folder);
  if (!target?.stats.isDirectory()) throw new NoFolderError(folder, target !== undefined);
  return target.real;
}

function list(place: Place): Dirent[] {
  try {
    return readdirSync(place.real, { withFileTypes: true });
  } catch (error) {
    throw new UnreadableFileError(place.path || place.real, error);
  }
}

/** Where a link ends; nothing when it ends nowhere. */
function targetOf(link: string): { readonly real: string; readonly stats: Stats } | undefined {
  try {
    const real = realpathSync(link);
    return { real, stats: statSync(real) };
  } catch {
    return undefined;
  }
}

/** Node decodes bytes that are no UTF-8 to U+FFFD, and no file has the name that comes out. */
function exists(place: Place, entry: Dirent): boolean {
  return lstatSync(join(place.real, entry.name), { throwIfNoEntry: false }) !== undefined;
}

function holds(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
