import { hash } from "node:crypto";
import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beginsAsOurs } from "@rs-emit/core";
import { CommandError, EXIT } from "../errors.ts";

/** A file of the folder that is uploaded. */
export interface LocalFile {
  /** Below the folder, with slashes. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** SHA-1 of the bytes, in hex. */
  readonly sha1: string;
  /** Whether it is a document of the change log. */
  readonly isDocument: boolean;
}

/** The files of a folder, and what is there besides. */
export interface LocalFiles {
  readonly files: readonly LocalFile[];
  /** Paths that are not uploaded: they are the author's, or no files. */
  readonly leftOut: readonly string[];
}

const OWN = /^(?:\.rs-emit\b.*|rs-emit\.config\.(?:ts|js|mjs|json))$/;
const FOLDERS_OF_TOOLS = new Set(["node_modules", ".git"]);

/**
 * Reads the files of a published folder. Names that begin with a dot are left out, except for
 * `.well-known`; links are not followed.
 *
 * @throws {CommandError} for a file that cannot be read
 */
export function readFolder(folder: string): LocalFiles {
  const files: LocalFile[] = [];
  const leftOut: string[] = [];
  const visit = (below: string) => {
    for (const entry of entriesOf(join(folder, below))) {
      const path = below + entry.name;
      if (entry.isDirectory() && !isLeftOut(entry.name)) visit(`${path}/`);
      else if (entry.isFile() && !isLeftOut(entry.name)) files.push(readLocal(folder, path));
      else if (!OWN.test(entry.name) && !FOLDERS_OF_TOOLS.has(entry.name)) leftOut.push(path);
    }
  };
  visit("");
  return { files, leftOut };
}

/** The bytes of a file of the folder. */
export function bytesOf(folder: string, path: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(readFileSync(join(folder, path)));
  } catch (error) {
    throw unreadable(path, error);
  }
}

function readLocal(folder: string, path: string): LocalFile {
  const bytes = bytesOf(folder, path);
  const sha1 = hash("sha1", bytes, "hex");
  return { path, size: bytes.length, sha1, isDocument: isDocument(path, bytes) };
}

function isDocument(path: string, bytes: Uint8Array): boolean {
  return /(?:\.xml|\.atom|^\.well-known\/resourcesync)$/.test(path) && beginsAsOurs(bytes);
}

function isLeftOut(name: string): boolean {
  if (name === ".well-known") return false;
  return name.startsWith(".") || name === "node_modules" || OWN.test(name);
}

function entriesOf(folder: string): readonly Dirent[] {
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
