import { urlKey } from "@rs-emit/documents";
import { type CollectionPublication, newestChanges, newestFirst } from "../model/publication.ts";
import { compareVersions, type Version } from "../model/versions.ts";
import { entryOf } from "../recall/comparison.ts";

/** The page's deletion was published without deleting the file. A different file there does not count. */
export class LeftOvers {
  readonly #collections: readonly CollectionPublication[];
  #deleted: Promise<ReadonlyMap<string, readonly LoggedPast[]>> | undefined;

  constructor(collections: readonly CollectionPublication[]) {
    this.#collections = collections;
  }

  /** `unknown` where the page had a version at that time which the log does not describe. */
  async has(key: string, file: Version): Promise<boolean | "unknown"> {
    const versions = await this.#versionsOf(key);
    const isPast = (one: LoggedPast) => one !== UNKNOWN && compareVersions(one, file) !== "full";
    return versions.some(isPast) || (versions.includes(UNKNOWN) && "unknown");
  }

  async wasPage(key: string): Promise<boolean> {
    return (await this.#versionsOf(key)).length > 0;
  }

  async #versionsOf(key: string): Promise<readonly LoggedPast[]> {
    if (entryOf(this.#collections, key) !== undefined) return [];
    if (this.#collections.some(({ excluded }) => excluded.has(key))) return [];
    this.#deleted ??= deletedIn(this.#collections);
    return (await this.#deleted).get(key) ?? [];
  }
}

const UNKNOWN = Symbol("unknown");

/** Unknown for a change from git or file times, and for the deletion of a file that is no page. */
type LoggedPast = Version | typeof UNKNOWN;

/** Each page's versions, newest first: an upload may have missed the last one before the deletion. */
async function deletedIn(
  collections: readonly CollectionPublication[],
): Promise<ReadonlyMap<string, readonly LoggedPast[]>> {
  const deleted = new Map<string, LoggedPast[]>();
  const seen = new Set<string>();
  /** Whether the deletion that follows describes the page's version. */
  const isReported = new Map<string, boolean>();
  for (const { log } of collections) {
    for await (const change of newestFirst(newestChanges(log, []))) {
      const key = urlKey(change.url);
      // A minor deletion only removed the page from the log.
      if (!seen.has(key) && change.kind === "deleted" && !change.minor) deleted.set(key, []);
      seen.add(key);
      const versions = deleted.get(key);
      if (change.kind === "deleted") {
        if (change.markup !== undefined) versions?.push(change);
        isReported.set(key, change.markup !== undefined);
        continue;
      }
      if (change.hash !== undefined) versions?.push(change);
      else if (!isReported.get(key)) versions?.push(UNKNOWN);
      isReported.set(key, false);
    }
  }
  for (const versions of deleted.values()) if (versions.length === 0) versions.push(UNKNOWN);
  return deleted;
}
