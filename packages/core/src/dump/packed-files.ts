import { readFileSync } from "node:fs";
import { join } from "node:path";
import { urlKey } from "@rs-emit/documents";
import { withInsertions } from "../insertions/finish-pages.ts";
import { RunningDigest, readChunks } from "../model/digest.ts";
import { pageChangedError } from "../model/errors.ts";
import { statIfThere } from "../model/file-system.ts";
import type { FinishedPage } from "../model/plan.ts";
import { type Inventory, ON_DEMAND, type SnapshotEntry } from "../model/resources.ts";
import { hasDigestOf } from "../write/existing-files.ts";
import { onDemandDumpError } from "./errors.ts";
import type { PackedFile, PackedFileReader } from "./package.ts";

/** The files of resources as they are published, with the links and lists that pages get. */
export class PackedPageFiles implements PackedFileReader {
  readonly #folder: string;
  readonly #byUrl: ReadonlyMap<string, string>;
  readonly #stale: ReadonlySet<string>;
  readonly #finished: ReadonlyMap<string, FinishedPage>;

  constructor(folder: string, { resources, stale }: Inventory, pages: readonly FinishedPage[]) {
    this.#folder = folder;
    const files = [...stale, ...resources];
    this.#byUrl = new Map(files.flatMap(({ url, file }) => (file ? [[urlKey(url), file]] : [])));
    this.#stale = new Set(stale.map(({ file }) => file));
    const written = pages.filter(({ isLink }) => !isLink);
    this.#finished = new Map(written.map((page) => [page.file, page]));
  }

  /** @returns `undefined` where no file has the bytes that were published */
  fileOf({ url, hash, length }: SnapshotEntry): Omit<PackedFile, "name"> | undefined {
    const file = this.#byUrl.get(urlKey(url));
    if (file === undefined || hash === undefined || length === undefined) return undefined;
    // A file left over from an earlier build was not read in this run.
    const isRead = !this.#stale.has(file);
    if (!isRead && !hasDigestOf(join(this.#folder, file), { hash, length })) return undefined;
    return { file, hash, length };
  }

  /** @throws {EmitError} `PAGE_CHANGED` where the file is no longer as it was read */
  *read(packed: PackedFile): Generator<Uint8Array> {
    const digest = new RunningDigest();
    yield* digest.of(this.chunks(packed));
    if (digest.finish().hash !== packed.hash) throw pageChangedError(packed.file);
  }

  /** @throws {EmitError} `PAGE_CHANGED` where the file is gone */
  *chunks({ file }: PackedFile): Generator<Uint8Array> {
    const path = join(this.#folder, file);
    const page = this.#finished.get(file);
    if (statIfThere(path)?.isFile() !== true) throw pageChangedError(file);
    if (page === undefined) yield* readChunks(path);
    else yield withInsertions(readFileSync(path), page, page.insertions);
  }
}

/** @throws {EmitError} `DUMP_ON_DEMAND` */
export function refuseOnDemand({ resources }: Inventory): void {
  const urls = resources.flatMap(({ url, content }) => (content === ON_DEMAND ? [url] : []));
  if (urls.length > 0) throw onDemandDumpError(urls);
}
