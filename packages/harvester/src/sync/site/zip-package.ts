import { closeSync, createReadStream, fstatSync, openSync, readSync } from "node:fs";
import type { Readable } from "node:stream";
import { type Entry as ListEntry, openDocument } from "@rs-emit/documents";
import { HarvestError, resolveLoc } from "@rs-emit/reader";
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from "yauzl";
import { badPackageError } from "../errors.ts";

/**
 * Bounds on a package: files in it, and bytes of its manifest (ResourceSync 1.1, section 7, allows as many); how many
 * times larger a file may be than its compressed bytes.
 */
export const PACKAGE_LIMITS = { files: 50_001, manifest: 64_000_000, ratio: 200 };

const MANIFEST = "manifest.xml";

/** Bytes up to which a file that is not compressed is read at once. */
const SMALL = 1_000_000;

const STORED = 0;

export interface PackagedFile {
  /** What the manifest says of it: its resource, hash, length, times. */
  readonly entry: ListEntry;
  readonly url: string;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** A ZIP file with a manifest (ResourceSync 1.1, sections 11.2 and 13.2). */
export class Package implements Disposable {
  readonly #url: string;
  readonly #reader: FileReader;
  readonly #zip: ZipFile;
  readonly #files: ReadonlyMap<string, Entry>;

  private constructor(url: string, { reader, zip }: OpenZip, files: ReadonlyMap<string, Entry>) {
    this.#url = url;
    this.#reader = reader;
    this.#zip = zip;
    this.#files = files;
  }

  /**
   * Opens a package, and judges its directory before anything of it is read.
   *
   * @param path of its file
   * @throws {HarvestError} where it has names twice, paths that lead out, links, or unpacks to far more than it is
   */
  static async open(url: string, path: string): Promise<Package> {
    const opened = await orBadPackage(url, openZip(path));
    try {
      return new Package(url, opened, await orBadPackage(url, directoryOf(url, opened.zip)));
    } catch (error) {
      opened.zip.close();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#zip.close();
  }

  /**
   * What its manifest says, in order.
   *
   * @throws {HarvestError} where it has none, or one that cannot be read
   */
  async *manifest(): AsyncGenerator<readonly ListEntry[]> {
    const file = this.#files.get(MANIFEST);
    if (file === undefined) throw badPackageError(this.#url, `has no ${MANIFEST}`);
    if (file.uncompressedSize > PACKAGE_LIMITS.manifest) {
      throw badPackageError(this.#url, "has a manifest that is too large");
    }
    try {
      const reader = await openDocument(await this.#zip.openReadStreamPromise(file));
      for await (const batch of reader.batches()) yield batch;
    } catch (error) {
      throw packageError(this.#url, error);
    }
  }

  /**
   * The files that its manifest names. Their names in the package are looked up, and never used on disk.
   *
   * @throws {HarvestError} where the manifest names one that is missing
   */
  async *files(): AsyncGenerator<PackagedFile> {
    for await (const batch of this.manifest()) {
      for (const entry of batch) {
        const url = resolveLoc(entry.loc, this.#url);
        const name = entry.metadata?.path?.replace(/^\//, "");
        if (url === undefined || name === undefined) continue;
        const file = this.#files.get(name);
        if (file === undefined) {
          throw badPackageError(this.#url, "has not all that its manifest names");
        }
        yield { entry, url, open: () => this.#open(file) };
      }
    }
  }

  /** A stream for each of many small files would cost more than all else. */
  async #open(file: Entry): Promise<AsyncIterable<Uint8Array>> {
    const isSmall = file.compressionMethod === STORED && file.compressedSize <= SMALL;
    if (!isSmall) return this.#zip.openReadStreamPromise(file);
    const { fileDataStart } = await this.#zip.readLocalFileHeaderPromise(file, { minimal: true });
    return once(this.#reader.bytes(fileDataStart, file.compressedSize));
  }
}

interface OpenZip {
  readonly reader: FileReader;
  readonly zip: ZipFile;
}

async function openZip(path: string): Promise<OpenZip> {
  const reader = new FileReader(path);
  const options = { lazyEntries: true, strictFileNames: true, autoClose: false };
  try {
    return { reader, zip: await fromRandomAccessReaderPromise(reader, reader.length, options) };
  } catch (error) {
    reader.close(() => {});
    throw error;
  }
}

/** Bytes that are read at once: of many small files, which follow each other, and of their headers. */
const WINDOW = 262_144;

/** Reads a file without the round trips to other threads that each of many small reads would cost. */
class FileReader extends RandomAccessReader {
  readonly length: number;
  readonly #path: string;
  readonly #file: number;
  readonly #buffer = Buffer.allocUnsafeSlow(WINDOW);
  #window = this.#buffer.subarray(0, 0);
  #windowStart = 0;
  #isOpen = true;

  constructor(path: string) {
    super();
    this.#path = path;
    this.#file = openSync(path, "r");
    this.length = fstatSync(this.#file).size;
  }

  bytes(start: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafe(length);
    return buffer.subarray(0, this.#read(buffer, start));
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    let bytesRead: number;
    try {
      bytesRead = this.#read(buffer.subarray(offset, offset + length), position);
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    callback(null, bytesRead);
  }

  /** Fills a buffer, and returns how many bytes there are. */
  #read(into: Buffer, start: number): number {
    if (into.length > WINDOW) return readSync(this.#file, into, 0, into.length, start);
    const isThere =
      start >= this.#windowStart && start + into.length <= this.#windowStart + this.#window.length;
    if (!isThere) {
      this.#window = this.#buffer.subarray(0, readSync(this.#file, this.#buffer, 0, WINDOW, start));
      this.#windowStart = start;
    }
    const from = start - this.#windowStart;
    return this.#window.copy(into, 0, from, from + into.length);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return createReadStream(this.#path, { start, end: end - 1 });
  }

  override close(callback: (error: Error | null) => void): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
    callback(null);
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function directoryOf(url: string, zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > PACKAGE_LIMITS.files) throw badPackageError(url, "has too many files");
  const files = new Map<string, Entry>();
  let bytes = 0;
  for await (const file of zip.eachEntry()) {
    const { fileName: name, compressedSize, uncompressedSize } = file;
    if (files.has(name)) throw badPackageError(url, `has two files of the name ${name}`);
    if (file.isEncrypted()) throw badPackageError(url, "is encrypted");
    if (isLink(file)) throw badPackageError(url, `holds a link, ${name}`);
    if (uncompressedSize > PACKAGE_LIMITS.ratio * (compressedSize + 5000)) {
      throw badPackageError(url, `would unpack ${name} to far more than it is`);
    }
    bytes += compressedSize;
    if (bytes > zip.fileSize) throw badPackageError(url, "has files that share their bytes");
    files.set(name, file);
  }
  return files;
}

/** By the mode that Unix systems write. */
function isLink({ externalFileAttributes }: Entry): boolean {
  return ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;
}

async function orBadPackage<Value>(url: string, reading: Promise<Value>): Promise<Value> {
  try {
    return await reading;
  } catch (error) {
    throw packageError(url, error);
  }
}

/** Names the package in what the libraries throw that read it. A disk's errors stay as they are. */
export function packageError(url: string, error: unknown): unknown {
  if (error instanceof HarvestError) return error;
  if (!(error instanceof Error) || "syscall" in error) return error;
  const words = error.message.slice(0, 200);
  return badPackageError(url, `is no ZIP file that can be read (${words})`, error);
}
