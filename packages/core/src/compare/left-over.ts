import { urlKey } from "@rs-emit/documents";
import { excludedDigest } from "../model/own-attributes.ts";
import { type CollectionPublication, newestChanges, newestFirst } from "../model/publication.ts";
import { compareVersions, type Version } from "../model/versions.ts";
import { entryOf } from "./comparison.ts";

/**
 * Whether a file on the site is only left over: its page's deletion was published, and the file was not
 * deleted with it. Another file that was put there since is none.
 */
export class LeftOvers {
  readonly #collections: readonly CollectionPublication[];
  /** What the pages were before they were deleted. */
  #deleted: Promise<ReadonlyMap<string, readonly Past[]>> | undefined;

  constructor(collections: readonly CollectionPublication[]) {
    this.#collections = collections;
  }

  /** Whether it has this file; `unknown` where the page was another one at a time that the log does not describe. */
  async has(key: string, file: Version): Promise<boolean | "unknown"> {
    if (entryOf(this.#collections, key) !== undefined) return false;
    if (this.#collections.some(({ excluded }) => excluded.has(excludedDigest(key)))) return false;
    this.#deleted ??= deletedIn(this.#collections);
    const [last, ...older] = (await this.#deleted).get(key) ?? [];
    if (last === undefined) return false;
    const isPast = (one: Past) => one !== UNKNOWN && compareVersions(one, file) !== "full";
    if (last === UNKNOWN || isPast(last) || older.some(isPast)) return true;
    return older.includes(UNKNOWN) ? "unknown" : false;
  }
}

const UNKNOWN = Symbol("unknown");

/** A change from git or file times does not say what the page was. */
type Past = Version | typeof UNKNOWN;

/** All versions of each page whose last change deleted it, newest first: an upload may have left out the last. */
async function deletedIn(
  collections: readonly CollectionPublication[],
): Promise<ReadonlyMap<string, readonly Past[]>> {
  const deleted = new Map<string, Past[]>();
  const seen = new Set<string>();
  for (const { log } of collections) {
    for await (const change of newestFirst(newestChanges(log, []))) {
      const key = urlKey(change.url);
      // What is minor left only the log.
      if (!seen.has(key) && change.kind === "deleted" && !change.minor) deleted.set(key, []);
      seen.add(key);
      if (change.kind === "deleted") continue;
      deleted.get(key)?.push(change.hash === undefined ? UNKNOWN : change);
    }
  }
  for (const versions of deleted.values()) if (versions.length === 0) versions.push(UNKNOWN);
  return deleted;
}
