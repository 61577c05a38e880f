import { urlKey } from "@rs-emit/documents";
import type { CollectionPublication, HalfMove } from "../model/publication.ts";
import {
  compareVersions,
  hasDigest,
  type Resource,
  type SnapshotEntry,
} from "../model/resources.ts";
import { alternateUrls, isBelow, slashVariants } from "../model/url.ts";
import type { OutputIndex } from "./output-index.ts";

export class PublishedIndex {
  readonly #published: readonly CollectionPublication[];
  readonly #byUrl: ReadonlyMap<string, CollectionPublication>;

  constructor(published: readonly CollectionPublication[]) {
    this.#published = published;
    this.#byUrl = new Map(published.map((one) => [one.url, one]));
  }

  entryOf(collection: string, url: string): SnapshotEntry | undefined {
    return this.#byUrl.get(collection)?.snapshot.get(urlKey(url));
  }

  /** The side that an interrupted publication reported of a move to or from a page. */
  halfMove(url: string): HalfMove | undefined {
    const sideOf = (one: string) =>
      this.#published.flatMap(({ halfMoves }) => halfMoves?.get(urlKey(one)) ?? [])[0];
    const side = sideOf(url);
    const isWhole = side !== undefined && sideOf(side.url) !== undefined;
    return isWhole ? undefined : side;
  }

  timeOf(collection: string): number {
    return this.#byUrl.get(collection)?.time ?? 0;
  }

  /**
   * In another collection, under another spelling, or excluded. Resource Lists say so, and the log of an
   * interrupted publication. In another collection its content must be equal: an edit made with the move is a
   * change.
   */
  elsewhere(
    resource: Resource,
    site: string,
    output: OutputIndex,
  ): SnapshotEntry | "excluded" | undefined {
    const keys = otherSpellings(resource, site, output)
      .map(urlKey)
      .filter((key) => output.collectionOf(key) === undefined);
    keys.push(urlKey(resource.url));
    const own = this.#byUrl.get(resource.collection);
    if (own?.left.has(urlKey(resource.url)) || this.#excluded(resource.url, keys)) {
      return "excluded";
    }
    const entries = this.#published.flatMap(({ snapshot, left }) =>
      keys.map((key) => snapshot.get(key) ?? left.get(key)),
    );
    return entries.find(
      (entry) => entry !== undefined && compareVersions(entry, resource) !== "full",
    );
  }

  inAnother(url: string): { readonly entry: SnapshotEntry; readonly time: number } | undefined {
    const key = urlKey(url);
    for (const { snapshot, left, time } of this.#published) {
      const entry = snapshot.get(key) ?? left.get(key);
      if (entry !== undefined && hasDigest(entry)) return { entry, time };
    }
    return undefined;
  }

  /** Only the newest Resource List of its collections, or of all, has the last state of the page. */
  #excluded(url: string, keys: readonly string[]): boolean {
    const holding = this.#published.filter((collection) => isBelow(url, collection.url));
    const [newest] = (holding.length > 0 ? holding : [...this.#published]).sort(
      (one, other) => other.time - one.time,
    );
    return newest !== undefined && keys.some((key) => newest.excluded.has(key));
  }
}

/** Without its slash, the URL of `a/index.html` is the clean URL of `a.html`, if that file exists. */
function otherSpellings(
  { file, url }: Resource,
  site: string,
  output: OutputIndex,
): readonly string[] {
  if (file === undefined) return slashVariants(site, url);
  const [, folder] = /^(.+)\/index\.s?html$/.exec(file) ?? [];
  const isOfAnother = folder !== undefined && output.hasFile(`${folder}.html`);
  return isOfAnother ? [] : alternateUrls(site, file);
}
