import { urlKey } from "@rs-emit/documents";
import { compareVersions, type Version } from "../derive/versions.ts";
import { excludedDigest } from "../model/own-attributes.ts";
import { type CollectionPublication, newestChanges, newestFirst } from "../model/publication.ts";
import { entryOf } from "./comparison.ts";

/**
 * Whether a file on the site is only left over: its page's deletion was published, and the file was not
 * deleted with it. Another file that was put there since is none.
 */
export class LeftOvers {
  readonly #collections: readonly CollectionPublication[];
  /** What the pages were before they were deleted; `undefined` where that is not known. */
  #deleted: Promise<ReadonlyMap<string, Version | undefined>> | undefined;

  constructor(collections: readonly CollectionPublication[]) {
    this.#collections = collections;
  }

  async has(key: string, file: Version): Promise<boolean> {
    if (entryOf(this.#collections, key) !== undefined) return false;
    if (this.#collections.some(({ excluded }) => excluded.has(excludedDigest(key)))) return false;
    this.#deleted ??= deletedIn(this.#collections);
    const deleted = await this.#deleted;
    if (!deleted.has(key)) return false;
    const before = deleted.get(key);
    return before === undefined || compareVersions(before, file) !== "full";
  }
}

async function deletedIn(
  collections: readonly CollectionPublication[],
): Promise<ReadonlyMap<string, Version | undefined>> {
  const deleted = new Map<string, Version | undefined>();
  const seen = new Set<string>();
  for (const { log } of collections) {
    for await (const change of newestFirst(newestChanges(log, []))) {
      const key = urlKey(change.url);
      // What is minor left only the log.
      if (!seen.has(key) && change.kind === "deleted" && !change.minor) deleted.set(key, undefined);
      seen.add(key);
      const isBefore = deleted.has(key) && deleted.get(key) === undefined;
      if (isBefore && change.kind !== "deleted" && change.hash !== undefined) {
        deleted.set(key, change);
      }
    }
  }
  return deleted;
}
