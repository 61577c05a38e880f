import { createHash } from "node:crypto";
import {
  closeSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { setImmediate } from "node:timers/promises";
import { codeOf, reasonOf } from "@rs-emit/reader";
import { makeFolder } from "../../folders.ts";
import { temporaryFileError } from "../../store/errors.ts";
import { ConflictError, copyError, foreignFileError, longNameError } from "../errors.ts";

const OWN = ".rs-harvest";

/** Where bytes stand while they are hashed: a stream, or memory, for each of many small files costs more than all else. */
const CHUNK = Buffer.allocUnsafeSlow(262_144);

/** What stands where a file of a copy should be. */
type Found = "nothing" | "file" | "other";

/**
 * The files of a copy. No path leads out of it: no symbolic link in it is followed, and none is replaced.
 */
export class CopyFolder implements Disposable {
  readonly #folder: string;
  #incoming: string | undefined;
  #count = 0;
  /** The last folder that was looked at, where nothing is in the way to it: many files in turn are in the same one. */
  #clear: string | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Removes bytes that were on their way in a run that writes nothing here. */
  [Symbol.dispose](): void {
    const isTemporary = this.#incoming?.startsWith(join(this.#folder, OWN)) === false;
    if (isTemporary && this.#incoming !== undefined) rmSync(this.#incoming, { recursive: true });
  }

  get isCopy(): boolean {
    return statsOf(this.state)?.isFile() === true;
  }

  get state(): string {
    return join(this.#folder, OWN, STATE);
  }

  /**
   * Makes the folders that sync needs.
   *
   * @throws {HarvestError} where there is something else in their place
   */
  prepare(): void {
    try {
      makeFolder(this.#folder);
      const incoming = join(this.#folder, OWN, INCOMING);
      for (const path of [dirname(incoming), incoming]) {
        if (statsOf(path)?.isDirectory() !== true) mkdirSync(path);
      }
      if (statsOf(this.state)?.isFile() === false) throw new Error(`${this.state} is no file`);
      this.#incoming = incoming;
    } catch (error) {
      throw copyError(
        `${this.#folder} cannot hold a copy (${reasonOf(error)}).`,
        "Choose a folder that can be written.",
        error,
      );
    }
  }

  /** Clears what a run that was ended has left. Call it with the state locked: another run may be at work. */
  clearIncoming(): void {
    const incoming = join(this.#folder, OWN, INCOMING);
    for (const name of readdirSync(incoming)) rmSync(join(incoming, name), { recursive: true });
  }

  /**
   * A place for bytes that are on their way: below the copy, so that renaming it moves no bytes; elsewhere where
   * nothing is to be written in the copy.
   */
  nextIncoming(): string {
    this.#incoming ??= newTemporaryFolder();
    this.#count += 1;
    return join(this.#incoming, String(this.#count));
  }

  /** What stands at a path, and how long it is in bytes. */
  look(file: string): { readonly found: Found; readonly length: number } {
    if (this.#obstacleAbove(file) !== undefined) return { found: "other", length: 0 };
    const stats = statsOf(join(this.#folder, file));
    if (stats === undefined) return { found: "nothing", length: 0 };
    return { found: stats.isFile() ? "file" : "other", length: stats.size };
  }

  /** All files, but those of our own; links too, which are not followed. */
  *files(below = ""): Generator<string> {
    for (const entry of readdirSync(join(this.#folder, below), { withFileTypes: true })) {
      const path = below + entry.name;
      if (path === OWN) continue;
      if (entry.isDirectory()) yield* this.files(`${path}/`);
      else yield path;
    }
  }

  /** The digest of a file's bytes, in hex; `undefined` where there is no file. */
  async hashOf(file: string, algorithm = "sha256"): Promise<string | undefined> {
    if (this.look(file).found !== "file") return undefined;
    const hash = createHash(algorithm);
    const opened = openSync(join(this.#folder, file), "r");
    try {
      for (let length = readSync(opened, CHUNK); length > 0; length = readSync(opened, CHUNK)) {
        hash.update(CHUNK.subarray(0, length));
        if (length === CHUNK.length) await setImmediate(); // A large file holds up nobody's answers.
      }
    } finally {
      closeSync(opened);
    }
    return hash.digest("hex");
  }

  setTime(file: string, time: number | undefined): void {
    if (this.look(file).found === "file") setFileTime(join(this.#folder, file), time);
  }

  /**
   * Puts bytes that have arrived in their place, all at once.
   *
   * @param isNew whether nothing stood there when they arrived
   * @throws {ConflictError} where something else than a folder is on the way, or than a file in its place, or where
   *   somebody has put a file there since
   */
  place(incoming: string, file: string, isNew: boolean): void {
    if (this.#requireFree(file) && isNew) throw foreignFileError(file);
    const path = join(this.#folder, file);
    try {
      renameSync(incoming, path);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      makeFolder(dirname(path));
      renameSync(incoming, path);
    }
  }

  /**
   * Moves files out of the copied tree, into a new folder of our own.
   *
   * @returns that folder, relative to the copy
   */
  keepBeside(files: readonly string[]): string {
    const kept = mkdtempSync(join(this.#folder, OWN, "kept-"));
    for (const file of files) {
      makeFolder(dirname(join(kept, file)));
      renameSync(join(this.#folder, file), join(kept, file));
    }
    return relative(this.#folder, kept);
  }

  remove(file: string): void {
    this.#requireFree(file);
    rmSync(join(this.#folder, file), { force: true });
    this.#clear = undefined;
    for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) {
      try {
        rmdirSync(join(this.#folder, folder));
      } catch {
        return;
      }
    }
  }

  /** @returns whether a file stands there */
  #requireFree(file: string): boolean {
    const obstacle = this.#obstacleAbove(file);
    if (obstacle !== undefined) throw new ConflictError(obstacle, "stands where a folder must be");
    const stats = statsOf(join(this.#folder, file));
    if (stats?.isFile() === false) {
      throw new ConflictError(file, "is no plain file, and stands where one must be");
    }
    return stats !== undefined;
  }

  /** The first path above a file that is there, and is no folder: a file, or a link. */
  #obstacleAbove(file: string): string | undefined {
    const folder = dirname(file);
    if (folder === "." || folder === this.#clear) return undefined;
    let path = "";
    for (const name of folder.split("/")) {
      path = path === "" ? name : `${path}/${name}`;
      const stats = statsOf(join(this.#folder, path));
      if (stats === undefined) return undefined;
      if (!stats.isDirectory()) return path;
    }
    this.#clear = folder;
    return undefined;
  }
}

/** Times that every file system holds: those of 32 bits. UTC seconds. */
const LAST = 2 ** 32 - 1;

/** Sets the modification time of a file, where one is known: UTC seconds. */
export function setFileTime(path: string, time: number | undefined): void {
  if (time !== undefined && time >= 0 && time <= LAST) utimesSync(path, time, time);
}

const STATE = "copy.sqlite";
const INCOMING = "incoming";

/**
 * Of what stands there itself, even where it is a link; `undefined` where nothing does.
 *
 * @throws {HarvestError}
 */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (codeOf(error) === "ENOTDIR") return undefined;
    throw codeOf(error) === "ENAMETOOLONG" ? longNameError(path) : error;
  }
}

function newTemporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), "rs-harvest-"));
  } catch (error) {
    throw temporaryFileError(error);
  }
}
