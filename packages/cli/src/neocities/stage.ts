import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { CommandError, EXIT } from "../errors.ts";
import { bytesOf, sha1Of } from "./files.ts";

/** Names with this prefix are never sent. */
const FOLDER = ".rs-emit-pull";

/** The list of steps that are left. */
const REST = "rest.json";

/** A file of the folder; its SHA-1 is absent where there is none. */
interface Step {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Holds complete, checked downloads until all of them are there. A killed run leaves it for the next one. */
export class Stage {
  /** The site's documents in the site's layout. */
  readonly documents: string;
  readonly #folder: string;
  readonly #stage: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#stage = join(folder, FOLDER);
    this.documents = join(this.#stage, "documents");
    writing(this.documents, () => {
      rmSync(this.documents, { recursive: true, force: true });
      mkdirSync(this.documents, { recursive: true });
    });
  }

  /** Whether `Moss.html` and `moss.html` are one file on the disk. */
  get isCaseBlind(): boolean {
    return existsSync(join(this.#folder, FOLDER.toUpperCase()));
  }

  has(sha1: string): boolean {
    const isDigest = /^[\da-f]{40}$/.test(sha1);
    return isDigest && existsSync(this.#place(sha1)) && sha1Of(this.bytes(sha1)) === sha1;
  }

  bytes(sha1: string): Uint8Array<ArrayBuffer> {
    return new Uint8Array(readFileSync(this.#place(sha1)));
  }

  keep(sha1: string, bytes: Uint8Array): void {
    writing(this.#place(sha1), () => writeFileSync(this.#place(sha1), bytes));
  }

  keepDocument(path: string, bytes: Uint8Array): void {
    const target = join(this.documents, path);
    writing(target, () => {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, bytes);
    });
  }

  /**
   * Replaces a file completely or not at all.
   * @param before the replaced file's SHA-1
   * @param time when the site got the file, UTC seconds: a first log dates pages by their files
   */
  put(path: string, sha1: string, before: string | undefined, time?: number): void {
    this.#requireUnchanged(path, before);
    const next = join(this.#stage, "next");
    const target = join(this.#folder, path);
    writing(target, () => {
      // A power failure after the rename must not leave an empty file.
      writeFileSync(next, this.bytes(sha1), { flush: true });
      if (time !== undefined) utimesSync(next, time, time);
      mkdirSync(dirname(target), { recursive: true });
      renameSync(next, target);
    });
  }

  remove(path: string, before: string): void {
    this.#requireUnchanged(path, before);
    const target = join(this.#folder, path);
    writing(target, () => rmSync(target, { force: true }));
  }

  /** A mixture of two logs cannot show what was edited: the next run completes a killed run's steps. */
  putTogether(steps: readonly Step[]): void {
    const rest = join(this.#stage, REST);
    writing(rest, () => {
      writeFileSync(`${rest}.new`, JSON.stringify(steps), { flush: true });
      renameSync(`${rest}.new`, rest);
    });
    this.finish();
  }

  /** Files that another run has changed since then are kept. */
  finish(): void {
    const rest = join(this.#stage, REST);
    if (!existsSync(rest)) return;
    const steps: readonly Step[] = JSON.parse(readFileSync(rest, "utf8"));
    const open = steps.filter(({ path, after }) => this.#sha1At(path) !== after);
    const isOwn = open.every(
      ({ path, before, after }) =>
        this.#sha1At(path) === before && (after === undefined || this.has(after)),
    );
    for (const { path, before, after } of isOwn ? open : []) {
      if (after !== undefined) this.put(path, after, before);
      else if (before !== undefined) this.remove(path, before);
    }
    writing(rest, () => rmSync(rest));
  }

  /** Keeps the folder while steps are left. */
  discard(): void {
    if (!existsSync(join(this.#stage, REST))) rmSync(this.#stage, { recursive: true });
  }

  /** The author may save a page meanwhile. */
  #requireUnchanged(path: string, before: string | undefined): void {
    if (this.#sha1At(path) === before) return;
    throw new CommandError({
      code: "FILE_CHANGED",
      problem: `${path} was changed while the site was fetched.`,
      cure: "Run the same command again: what was fetched stays.",
      exitCode: EXIT.failed,
    });
  }

  #sha1At(path: string): string | undefined {
    const isThere = existsSync(join(this.#folder, path));
    return isThere ? sha1Of(bytesOf(this.#folder, path)) : undefined;
  }

  #place(sha1: string): string {
    return join(this.#stage, sha1);
  }
}

/** A path that blocks a file: it is neither a file nor, above it, a folder. */
export function inTheWay(folder: string, path: string): string | undefined {
  const names = path.split("/");
  for (const depth of names.keys()) {
    const here = names.slice(0, depth + 1).join("/");
    const found = lstatSync(join(folder, here), { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    const isLast = depth === names.length - 1;
    if (isLast ? !found.isFile() : !found.isDirectory()) return here;
  }
  return undefined;
}

export function writing(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError({
      code: "WRITE_FAILED",
      problem: `${path} could not be written (${reason}).`,
      cure: "Make room or change permissions, then run again.",
      exitCode: EXIT.failed,
      cause: error,
    });
  }
}
