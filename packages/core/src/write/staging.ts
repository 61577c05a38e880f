import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { withInsertions } from "../insertions/finish-pages.ts";
import { type Digest, digestBytes, RunningDigest } from "../model/digest.ts";
import { EmitError, foreignFileError, pageChangedError, writeError } from "../model/errors.ts";
import { type FileSystem, statIfThere } from "../model/file-system.ts";
import {
  ABOUT,
  CHANGE_DUMP,
  documentName,
  FOLDERS_OF_MANY,
  inCommitOrder,
  isChangeListName,
  isFeedName,
  isOfDump,
  isResourceListPartName,
  NO_LOG,
  NOTIFICATION,
  RESOURCE_DUMP,
  TEMPORARY,
} from "../model/layout.ts";
import type { FinishedPage } from "../model/plan.ts";
import { type ComposedDocument, isSame, lengthOf } from "./composed-document.ts";
import { hasDigestOf, isForeign, isNoFile, isOurView, requireRoom } from "./existing-files.ts";

/** A package of a dump, which is too large for memory. */
interface ComposedPackage {
  readonly path: string;
  readonly chunks: Iterable<Uint8Array>;
}

export interface PublishedDocument {
  readonly path: string;
  readonly status: "written" | "unchanged";
  readonly length: number;
}

/** Documents that options turn off, and the no-log file. */
const OPTIONAL = new Set([ABOUT, NOTIFICATION, RESOURCE_DUMP, CHANGE_DUMP, NO_LOG]);

const OWNER_WRITES = 0o200;

/** Milliseconds by which a file system's clock may be behind. */
const CLOCK_TICK = 20;

/** One after the other, 120 files take twice as long. */
const FLUSHES = 16;

interface StagingOptions {
  readonly dryRun: boolean;
  readonly force: boolean;
  /** A builder can make its pages again. */
  readonly isBuilt: boolean;
}

/**
 * All documents or none. Each is written beside its target as soon as it is composed, to save memory. Then
 * all are flushed, and renamed in an order that recall can repair after a kill.
 */
export class Staging {
  readonly #folder: string;
  readonly #files: FileSystem;
  readonly #options: StagingOptions;
  readonly #documents: PublishedDocument[] = [];
  readonly #foreign: string[] = [];
  readonly #temporary = new Set<string>();
  /** Each page's file, with its time when it was read. */
  readonly #pages = new Map<string, number>();
  readonly #builtPages: FinishedPage[] = [];
  /** Whether files of the site may have been replaced. */
  #hasBegun = false;

  constructor(folder: string, files: FileSystem, options: StagingOptions) {
    this.#folder = folder;
    this.#files = files;
    this.#options = options;
  }

  /** @throws {EmitError} `DISK_FULL` `READ_ONLY` `WRITE_FAILED` */
  add(document: ComposedDocument): void {
    const target = join(this.#folder, document.path);
    this.#attempt(target, () => this.#stage(document, target));
  }

  /** @throws {EmitError} `DISK_FULL` `READ_ONLY` `WRITE_FAILED`, and whatever the chunks throw */
  addPackage({ path, chunks }: ComposedPackage): Digest {
    const target = join(this.#folder, path);
    return this.#attempt(target, () => {
      requireRoom(this.#folder, path);
      if (isForeign(target) && !this.#options.force) this.#foreign.push(path);
      const running = new RunningDigest();
      const passing = running.of(chunks);
      if (this.#options.dryRun || this.#foreign.length > 0) for (const _ of passing);
      else {
        this.#files.makeFolder(dirname(target));
        this.#temporary.add(path);
        this.#files.writeChunks(target + TEMPORARY, passing);
      }
      const digest = running.finish();
      const isThere = hasDigestOf(target, digest);
      if (isThere && this.#temporary.delete(path)) this.#remove(path + TEMPORARY);
      const status = isThere ? "unchanged" : "written";
      this.#documents.push({ path, status, length: digest.length });
      return digest;
    });
  }

  /** @throws {EmitError} `PAGE_CHANGED` when the page changed after it was read */
  addPage(page: FinishedPage): void {
    if (this.#options.isBuilt) {
      this.#builtPages.push(page);
      return;
    }
    const target = join(this.#folder, page.file);
    this.#attempt(target, () => {
      requireRoom(this.#folder, page.file);
      const { mtimeMs } = statSync(target);
      const bytes = this.#finishedBytes(target, page);
      if (this.#options.dryRun) return;
      this.#pages.set(page.file, mtimeMs);
      this.#writeBeside(page.file, bytes);
    });
  }

  #writeBeside(file: string, bytes: Uint8Array): void {
    const target = join(this.#folder, file);
    this.#temporary.add(file);
    this.#files.write(target + TEMPORARY, bytes);
    this.#files.imitate(target + TEMPORARY, target);
  }

  #stage(document: ComposedDocument, target: string): void {
    const { path } = document;
    const length = lengthOf(document);
    requireRoom(this.#folder, path);
    if (isSame(target, document, length)) {
      this.#documents.push({ path, status: "unchanged", length });
      return;
    }
    const isTaken = "isAuthors" in document ? isNoFile(target) : isForeign(target);
    if (isTaken && !this.#options.force) this.#foreign.push(path);
    this.#documents.push({ path, status: "written", length });
    if (this.#options.dryRun || this.#foreign.length > 0) return;
    this.#files.makeFolder(dirname(target));
    this.#temporary.add(path);
    if ("bytes" in document) this.#files.write(target + TEMPORARY, document.bytes);
    else if ("chunks" in document) this.#files.writeChunks(target + TEMPORARY, document.chunks);
    else this.#files.copy(document.copyOf, target + TEMPORARY);
  }

  /** @throws {EmitError} `FOREIGN_FILE` when a document would replace a file that rs-emit did not write */
  async commit(): Promise<readonly PublishedDocument[]> {
    if (this.#foreign.length > 0) throw foreignFileError(this.#foreign, this.#folder);
    if (this.#options.dryRun) return this.#documents;
    const documents = this.#documents.filter(({ status }) => status === "written");
    // The next run writes a page that is newer than the log again.
    const written = [
      ...this.#pages.keys(),
      ...documents.toSorted(inCommitOrder).map(({ path }) => path),
    ];
    await this.#flush(written);
    this.#requireUnchanged();
    this.#writeBuilt();
    if (written.length > 0) uninterrupted(() => this.#rename(written));
    this.#sweep();
    return this.#documents;
  }

  /** An edit made meanwhile must not be lost. */
  #requireUnchanged(): void {
    for (const [file, time] of this.#pages) {
      if (statIfThere(join(this.#folder, file))?.mtimeMs !== time) throw pageChangedError(file);
    }
  }

  /** Not flushed: a torn page is made again. */
  #writeBuilt(): void {
    for (const page of this.#builtPages) {
      const target = join(this.#folder, page.file);
      this.#attempt(target, () => this.#writeBuiltPage(target, page));
    }
  }

  #writeBuiltPage(target: string, page: FinishedPage): void {
    const { mode, mtimeMs, nlink } = statSync(target);
    const { bytes, readAt } = page.kept ?? { readAt: 0 };
    const isAsRead = bytes !== undefined && mtimeMs < readAt - CLOCK_TICK;
    const finished = isAsRead
      ? withInsertions(bytes, page, page.insertions)
      : this.#finishedBytes(target, page);
    // Where the disk is full, an overwritten page is torn.
    this.#hasBegun = true;
    // Another name of the file may be its source.
    if (nlink === 1 && (mode & OWNER_WRITES) !== 0) this.#files.overwrite(target, finished);
    else {
      requireRoom(this.#folder, page.file);
      this.#writeBeside(page.file, finished);
      this.#files.rename(target + TEMPORARY, target);
    }
  }

  async #flush(written: readonly string[]): Promise<void> {
    const queue = written.values();
    const flushSome = async () => {
      for (const path of queue) {
        const target = join(this.#folder, path);
        await this.#files.flush(target + TEMPORARY).catch((error) => {
          throw this.#asWriteError(target, error);
        });
      }
    };
    await Promise.all(Array.from({ length: FLUSHES }, flushSome));
  }

  #rename(written: readonly string[]): void {
    for (const path of written) {
      const target = join(this.#folder, path);
      this.#attempt(target, () => this.#files.rename(target + TEMPORARY, target));
      this.#hasBegun = true;
    }
  }

  discard(): void {
    for (const path of this.#temporary) this.#remove(path + TEMPORARY);
  }

  /**
   * Removes documents that are no longer published, and leftovers of killed runs. In a folder with only
   * pages, documents belong to another site.
   */
  #sweep(): void {
    const documents = this.#documents.map(({ path }) => path);
    const current = new Set([...this.#pages.keys(), ...documents]);
    const own = new Set(documents.map(collectionOf));
    for (const folder of new Set([...current].map(collectionOf))) {
      for (const name of ["", ...FOLDERS_OF_MANY].flatMap((one) => this.#namesIn(folder, one))) {
        if (current.has(folder + name)) continue;
        const isLeftover = own.has(folder)
          ? this.#isLeftover(folder + name, name)
          : name.endsWith(TEMPORARY);
        if (isLeftover) this.#remove(folder + name);
      }
    }
  }

  #namesIn(collection: string, folder: string): readonly string[] {
    return entriesIn(join(this.#folder, collection, folder)).map((name) => folder + name);
  }

  #isLeftover(path: string, name: string): boolean {
    if (name.endsWith(TEMPORARY) || isResourceListPartName(name)) return true;
    const target = join(this.#folder, path);
    return isChangeListName(name) || isOfDump(name) || OPTIONAL.has(name)
      ? !isForeign(target)
      : isFeedName(name) && isOurView(target);
  }

  /** A file that cannot be removed does no harm: no document names it. */
  #remove(path: string): void {
    try {
      this.#files.remove(join(this.#folder, path));
    } catch {
      // An error here must not hide the publication or the first error.
    }
  }

  #finishedBytes(target: string, page: FinishedPage): Uint8Array {
    const bytes = withInsertions(readFileSync(target), page, page.insertions);
    if (digestBytes(bytes).hash !== page.hash) throw pageChangedError(page.file, this.#hasBegun);
    return bytes;
  }

  #attempt<Result>(path: string, action: () => Result): Result {
    try {
      return action();
    } catch (error) {
      throw this.#asWriteError(path, error);
    }
  }

  #asWriteError(path: string, error: unknown): unknown {
    if (error instanceof EmitError) return error;
    return error instanceof Error ? writeError(path, error, this.#hasBegun) : error;
  }
}

function collectionOf(path: string): string {
  return path.slice(0, -documentName(path).length);
}

/** A folder that cannot be listed keeps its leftovers, which do no harm. */
function entriesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** At other times there is no signal handler, so that the system ends the run at once. */
function uninterrupted(action: () => void): void {
  const ignore = () => {};
  for (const signal of SIGNALS) process.on(signal, ignore);
  try {
    action();
  } finally {
    for (const signal of SIGNALS) process.off(signal, ignore);
  }
}
