import { urlKey } from "@rs-emit/documents";
import { excludedDigest } from "../model/own-attributes.ts";
import { hasSameContent, type Resource, type SnapshotEntry } from "../model/resources.ts";
import { alternateUrls, isBelow, slashVariants } from "../model/url.ts";
import type { CollectionPublication } from "../recall/publication.ts";
import type { OutputIndex } from "./output-index.ts";

/** What was published, over all collections. */
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

  timeOf(collection: string): number {
    return this.#byUrl.get(collection)?.time ?? 0;
  }

  /**
   * Whether a page that is new to its collection stood there before: in another collection, excluded
   * from all, or under the URL that another choice of `cleanUrls` gave it. An edit that came with the
   * move is news, so the page must be the same one as far as that can be told.
   */
  wasElsewhere(resource: Resource, site: string, standing: OutputIndex): boolean {
    const { file, url } = resource;
    const keys = (file === undefined ? slashVariants(site, url) : alternateUrls(site, file))
      .map(urlKey)
      .filter((key) => standing.collectionOf(key) === undefined);
    keys.push(urlKey(resource.url));
    if (this.#excluded(resource.url, keys)) return true;
    const entries = this.#published.flatMap(({ snapshot, left }) =>
      keys.map((key) => snapshot.get(key) ?? left.get(key)),
    );
    return entries.some(
      (entry) =>
        entry !== undefined && (entry.hash === resource.hash || hasSameContent(entry, resource)),
    );
  }

  /**
   * Only the Resource List that was written last knows what has become of a page since: of those of
   * the collections that held it, or of all where it was outside every one.
   */
  #excluded(url: string, keys: readonly string[]): boolean {
    const holding = this.#published.filter((collection) => isBelow(url, collection.url));
    const [newest] = (holding.length > 0 ? holding : [...this.#published]).sort(
      (one, other) => other.time - one.time,
    );
    return newest !== undefined && keys.some((key) => newest.excluded.has(excludedDigest(key)));
  }
}
