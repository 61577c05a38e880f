import { hash } from "node:crypto";
import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beginsAsOurs } from "@rs-emit/core";
import { SOURCE_DESCRIPTION } from "@rs-emit/core/words";
import { CommandError, EXIT } from "../errors.ts";
import type { RemoteFile } from "./api.ts";

export interface LocalFile extends Omit<RemoteFile, "updated"> {
  /** The last write, UTC seconds. */
  readonly written: number;
  readonly isDocument: boolean;
}

interface LocalFiles {
  readonly files: readonly LocalFile[];
  /** Files of the author's that are not uploaded, and what is no file. */
  readonly leftOut: readonly string[];
}

const OWN = /^(?:\.rs-emit\b.*|rs-emit\.config\.(?:ts|js|mjs|json))$/;
const FOLDERS_OF_TOOLS = new Set(["node_modules", ".git"]);
/** What Windows and macOS write into folders that somebody looks at. */
const OF_SYSTEMS = /^(?:thumbs\.db|desktop\.ini|\.ds_store)$/i;

/**
 * Skips names with a leading dot, except `.well-known`, and does not follow links.
 * @throws {CommandError} for an unreadable file
 */
export function readFolder(folder: string): LocalFiles {
  const files: LocalFile[] = [];
  const leftOut: string[] = [];
  const visit = (below: string) => {
    for (const entry of direntsIn(join(folder, below))) {
      const path = below + entry.name;
      if (entry.isDirectory() && !isLeftOut(entry.name)) visit(`${path}/`);
      else if (entry.isFile() && !isLeftOut(entry.name)) files.push(readLocal(folder, path));
      else if (!isOfTools(entry.name)) leftOut.push(path);
    }
  };
  visit("");
  return { files, leftOut };
}

export function bytesOf(folder: string, path: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(readFileSync(join(folder, path)));
  } catch (error) {
    throw unreadable(path, error);
  }
}

function readLocal(folder: string, path: string): LocalFile {
  const bytes = bytesOf(folder, path);
  return {
    path,
    size: bytes.length,
    sha1: sha1Of(bytes),
    written: statSync(join(folder, path)).mtimeMs / 1000,
    isDocument: isDocument(path, bytes),
  };
}

export function sha1Of(bytes: Uint8Array): string {
  return hash("sha1", bytes, "hex");
}

export function isDocument(path: string, bytes: Uint8Array): boolean {
  return mayBeDocument(path) && beginsAsOurs(bytes);
}

export function mayBeDocument(path: string): boolean {
  return path === SOURCE_DESCRIPTION || /\.(?:xml|atom)$/.test(path);
}

/** No author misses such files on the site. */
function isOfTools(name: string): boolean {
  return OWN.test(name) || OF_SYSTEMS.test(name) || FOLDERS_OF_TOOLS.has(name);
}

/** Files and folders with this name are neither sent nor fetched. */
function isLeftOut(name: string): boolean {
  if (name === ".well-known") return false;
  return name.startsWith(".") || isOfTools(name);
}

function direntsIn(folder: string): readonly Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    throw unreadable(folder, error);
  }
}

function unreadable(path: string, error: unknown): CommandError {
  const reason = error instanceof Error ? error.message : String(error);
  return new CommandError({
    code: "UNREADABLE_FILE",
    problem: `${path} cannot be read (${reason}). Nothing more was sent.`,
    cure: "Make it readable, then run the same command again.",
    exitCode: EXIT.failed,
    cause: error,
  });
}

/** Windows refuses these in a name, or gives them another meaning. */
const NOT_ON_WINDOWS = /[<>:"|?*\p{Cc}]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;

/** Whether a path of a site stays below the folder, and is a file that rs-emit would send too. */
export function isFetchable(path: string, platform: string = process.platform): boolean {
  if (path.includes("\\") || path.includes("\0")) return false;
  return path.split("/").every((name) => {
    if (name === "" || name === "." || name === ".." || isLeftOut(name)) return false;
    return platform !== "win32" || !NOT_ON_WINDOWS.test(name);
  });
}

/** Some disks treat `Moss.html` and `moss.html` as one file: each would overwrite the other. */
export function refuseTwins(paths: Iterable<string>): void {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const folded = path.normalize("NFC").toLowerCase();
    const twin = seen.get(folded);
    seen.set(folded, path);
    if (twin === undefined || twin === path) continue;
    throw new CommandError({
      code: "SAME_NAME",
      problem: `On this disk, ${twin} and ${path} are one file. Nothing was changed here.`,
      cure: "Rename or delete one of them, on the site or here, then run again.",
      exitCode: EXIT.failed,
    });
  }
}
