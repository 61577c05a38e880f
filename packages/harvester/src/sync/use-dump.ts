import { secondsOf } from "@rs-emit/documents";
import { HarvestError, hasCode, type ListedBytes, listedDigest, listedIn } from "@rs-emit/reader";
import type { Wanted, WorkingSet } from "./copy/working-set.ts";
import { badPackageError, ConflictError } from "./errors.ts";
import { type Gathered, keyOfUrl } from "./read-collection.ts";
import type { Dump, NamedPackage } from "./site/read-dump.ts";
import { type PackagedFile, packageError } from "./site/zip-package.ts";
import type { Update } from "./update.ts";

/** Bytes that a request costs, about: what a host sends in the time of a round trip. */
const REQUEST = 16_384;

/**
 * Takes resources from the packages of dumps (ResourceSync 1.1, sections 11 and 13), where that is cheaper than to
 * fetch them by themselves. Lists say what is wanted; what no package holds is fetched afterwards, so that a package
 * that is broken costs time, and nothing else.
 *
 * @returns what is wrong with packages
 */
export async function unpackAll(
  gathered: readonly Gathered[],
  working: WorkingSet,
  update: Update,
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
  for (const { dumps, mark } of gathered) {
    for (const dump of dumps) {
      if (working.neededCount === 0) return notes;
      await attempt(async () => {
        for (const named of await dump.packages()) {
          const isUseful = isWorthwhile(dump, named, working);
          if (isUseful)
            await attempt(() => unpack(dump, named, { working, update, listed: mark.at }));
          dump.discard(named);
        }
      });
    }
  }
  return notes;
}

/** Whether a package is smaller than all that is needed, or is there already. */
function isWorthwhile(dump: Dump, named: NamedPackage, working: WorkingSet): boolean {
  const { neededCount } = working;
  if (neededCount === 0 || dump.has(named)) return neededCount > 0;
  return (named.length ?? 0) <= neededCount * REQUEST + working.neededBytes;
}

/** @param listed the `at` of the Resource List; UTC seconds */
async function unpack(
  dump: Dump,
  named: NamedPackage,
  {
    working,
    update,
    listed,
  }: {
    readonly working: WorkingSet;
    readonly update: Update;
    readonly listed: number | null;
  },
): Promise<void> {
  using opened = await dump.open(named);
  for await (const file of opened.files()) {
    const wanted = working.neededAt(keyOfUrl(file.url));
    if (wanted === undefined) continue;
    const held = listedIn(file.entry.metadata);
    if (isVersion(file, held, wanted, { at: named.at, listed })) {
      await take(file, held, wanted, { named, update });
    }
  }
}

/** When the bytes of a Resource Dump were taken, and when its Resource List was; UTC seconds. */
interface Taken {
  readonly at: number | undefined;
  readonly listed: number | null;
}

/**
 * Whether a file of a package may be the version that the lists speak of: by its digest where both state one, else by
 * its time.
 */
function isVersion(
  { entry: { metadata, lastmod } }: PackagedFile,
  held: ListedBytes,
  wanted: Wanted,
  { at, listed }: Taken,
): boolean {
  if (metadata?.change === "deleted") return false;
  if (held.length !== null && wanted.length !== null && held.length !== wanted.length) return false;
  const ours = listedDigest(wanted.hash ?? undefined);
  const theirs = listedDigest(held.hash ?? undefined);
  if (ours !== undefined) return theirs?.algorithm !== ours.algorithm || theirs.hex === ours.hex;
  const changed = wanted.datetime ?? secondsOf(wanted.lastmod ?? undefined);
  // Version 0.9.1 dates changes by `lastmod`.
  if (metadata?.change !== undefined) {
    return (
      changed !== undefined && changed === (secondsOf(metadata.datetime) ?? secondsOf(lastmod))
    );
  }
  if (at === undefined) return false;
  if (wanted.datetime === null && listed !== null && listed <= at) return true;
  // A date alone leaves open when on that day.
  const isExact = wanted.datetime !== null || wanted.lastmod?.includes("T") === true;
  return isExact && changed !== undefined && changed <= at;
}

async function take(
  { url, entry, open }: PackagedFile,
  held: ListedBytes,
  wanted: Wanted,
  { named, update }: { readonly named: NamedPackage; readonly update: Update },
): Promise<void> {
  const [ours, theirs] = [wanted.hash, held.hash].map((hash) => listedDigest(hash ?? undefined));
  const expected = ours === undefined ? { url, ...held } : wanted;
  const isOfManifest = theirs !== undefined && theirs.hex === (ours ?? theirs).hex;
  const validators =
    named.at === undefined ? {} : { lastModified: new Date(named.at * 1000).toUTCString() };
  try {
    await update.supply(wanted, await open(), {
      expected,
      validators,
      modified: secondsOf(entry.lastmod),
    });
  } catch (error) {
    // What stands in the way here is named when it is fetched.
    if (error instanceof ConflictError) return;
    if (!hasCode(error, "DIFFERENT")) throw packageError(named.url, error);
    if (!isOfManifest) return;
    throw badPackageError(named.url, `holds other bytes of ${url} than its manifest states`);
  }
}
