import { rmSync } from "node:fs";
import { type Entry as ListEntry, openDocument, secondsOf } from "@rs-emit/documents";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { HarvestError } from "../errors.ts";
import type { Transport } from "../http/answer.ts";
import { resolveUrl } from "../read/place.ts";
import { receive } from "./download.ts";
import { ConflictError, DifferentError, PackageError } from "./errors.ts";
import type { CopyFolder } from "./folder.ts";
import { type Gathered, resourceKey } from "./gather.ts";
import type { Source } from "./source.ts";
import type { Update } from "./update.ts";

/**
 * Bounds on a package: files in it, and bytes of its manifest (ResourceSync 1.1, section 7, allows as many); how many
 * times larger a file may be than its compressed bytes.
 */
const LIMITS = { files: 50_001, manifest: 64_000_000, ratio: 200 };

/** What unpacking works with. */
export interface UnpackTools {
  readonly update: Update;
  readonly folder: CopyFolder;
  readonly files: Transport;
}

/**
 * Takes resources from the packages of dumps (ResourceSync 1.1, sections 11 and 13): of Resource Dumps for a first
 * copy, of Change Dumps later. Lists say what is wanted, and with which hash; what no package holds is fetched
 * afterwards, so that a package that is broken costs time, and nothing else.
 *
 * @returns what is wrong with packages
 */
export async function unpackAll(
  source: Source,
  gathered: readonly Gathered[],
  tools: UnpackTools,
): Promise<string[]> {
  const notes: string[] = [];
  const attempt = async (act: () => Promise<void>) => {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof HarvestError)) throw error;
      notes.push(error.message);
    }
  };
  for (const { collection, since } of gathered) {
    const dump = since === undefined ? collection.resourceDump : collection.changeDump;
    if (dump === undefined) continue;
    const packages: NamedPackage[] = [];
    await attempt(async () => {
      await source.readDump(dump, since, (entries, base) => {
        packages.push(...entries.flatMap((entry) => packageIn(entry, base)));
      });
    });
    for (const named of packages) {
      const isOld = since !== undefined && (named.until ?? Number.POSITIVE_INFINITY) <= since;
      if (!isOld) await attempt(() => unpack(source, named, tools));
    }
  }
  return notes;
}

/** A package, as a dump names it. */
interface NamedPackage {
  readonly url: string;
  readonly hash: string | null;
  readonly length: number | null;
  /** Up to when it tells of changes, in UTC seconds. */
  readonly until: number | undefined;
}

function packageIn({ loc, metadata = {} }: ListEntry, base: string): NamedPackage[] {
  const url = resolveUrl(loc, base);
  const { hash = null, length = "", until } = metadata;
  const size = /^\d{1,15}$/.test(length) ? Number(length) : null;
  return url === undefined ? [] : [{ url, hash, length: size, until: secondsOf(until) }];
}

/** Fetches a package, and takes what is wanted of it. */
async function unpack(
  source: Source,
  named: NamedPackage,
  { update, folder, files }: UnpackTools,
): Promise<void> {
  const { url } = named;
  source.require(url);
  const path = folder.nextIncoming();
  try {
    const answer = await files.get(url, {}, async (asked) => source.require(asked));
    if (answer.status === "unchanged") return;
    const { length } = await receive(answer.body, named, path);
    update.counts.bytes += length;
    await readPackage(url, path, (key, body) => update.supply(key, body));
  } catch (error) {
    if (error instanceof HarvestError) throw error;
    if (error instanceof Error && "syscall" in error) throw error;
    throw new PackageError(url, `is no ZIP file that can be read (${wordsOf(error)})`, error);
  } finally {
    rmSync(path, { force: true });
  }
}

/**
 * Reads the files that a package's manifest names. Their names in the package are looked up, and never used on
 * disk.
 *
 * @throws {PackageError} where it has names twice, links, encrypted files, no manifest, or one that does not fit
 */
async function readPackage(
  url: string,
  path: string,
  take: (key: string, body: () => Promise<AsyncIterable<Uint8Array>>) => Promise<boolean>,
): Promise<void> {
  const zip = await openPromise(path, {
    lazyEntries: true,
    strictFileNames: true,
    autoClose: false,
  });
  try {
    const entries = await directoryOf(url, zip);
    const manifest = entries.get("manifest.xml");
    if (manifest === undefined) throw new PackageError(url, "has no manifest.xml");
    if (manifest.uncompressedSize > LIMITS.manifest) {
      throw new PackageError(url, "has a manifest that is too large");
    }
    const reader = await openDocument(await zip.openReadStreamPromise(manifest));
    for await (const batch of reader.batches()) {
      for (const { loc, metadata } of batch) {
        const resource = resolveUrl(loc, url);
        const name = metadata?.path?.replace(/^\//, "");
        if (resource === undefined || name === undefined || metadata?.change === "deleted")
          continue;
        const entry = entries.get(name);
        if (entry === undefined) throw new PackageError(url, "has not all that its manifest names");
        await takeFitting(async () =>
          take(resourceKey(resource), () => zip.openReadStreamPromise(entry)),
        );
      }
    }
  } finally {
    zip.close();
  }
}

/** Bytes that the lists do not state are another version's: what is wanted is fetched by itself. */
async function takeFitting(take: () => Promise<boolean>): Promise<void> {
  try {
    await take();
  } catch (error) {
    // What stands in the way here is named when it is fetched.
    if (!(error instanceof DifferentError || error instanceof ConflictError)) throw error;
  }
}

/** The files of a package, by name. */
async function directoryOf(url: string, zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > LIMITS.files) throw new PackageError(url, "has too many files");
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    const { fileName } = entry;
    if (entries.has(fileName)) throw new PackageError(url, `has two files of the name ${fileName}`);
    if (entry.isEncrypted()) throw new PackageError(url, "is encrypted");
    if (entry.uncompressedSize > LIMITS.ratio * (entry.compressedSize + 5000)) {
      throw new PackageError(url, `would unpack ${fileName} to far more than it is`);
    }
    if (isLink(entry)) throw new PackageError(url, `holds a link, ${fileName}`);
    entries.set(fileName, entry);
  }
  return entries;
}

/** By the mode that Unix systems write. */
function isLink({ externalFileAttributes }: Entry): boolean {
  return ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : String(error);
}
