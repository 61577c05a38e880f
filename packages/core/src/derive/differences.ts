import { statSync } from "node:fs";
import { join } from "node:path";
import { alternateUrls, decodePath, isBelow, urlKey } from "../inventory/url.ts";
import type { ChangeKind, Inventory, Resource, SnapshotEntry } from "../model.ts";
import type { CollectionPublication } from "../recall/publication.ts";
import { withheldDigest } from "../withheld.ts";

/** One resource of one collection that is not as it was published. */
export interface Difference {
  readonly collection: string;
  /** In the spelling that was published, where it was. */
  readonly url: string;
  readonly kind: ChangeKind;
  readonly minor: boolean;
  /** As it stands; absent when it is gone. */
  readonly resource: Resource | undefined;
  /** As it was published; absent when it is new. */
  readonly before: SnapshotEntry | undefined;
  /** When the collection was last published; evidence that is older explains nothing new. */
  readonly publishedAt: number;
}

/**
 * What differs between the last publication and the output folder. This alone decides that something
 * changed; evidence only adds when and why.
 *
 * @param folder the output folder
 * @param site the site's URL
 */
export function findDifferences(
  folder: string,
  site: string,
  inventory: Inventory,
  published: readonly CollectionPublication[],
): Difference[] {
  const standing = new Standing(folder, site, inventory);
  const before = new Before(published);
  const differences: Difference[] = [];
  for (const resource of inventory.resources) {
    const { collection } = resource;
    const entry = before.in(collection, resource.url);
    if (entry?.hash === resource.hash) continue;
    differences.push({
      collection,
      url: entry?.url ?? resource.url,
      kind: entry === undefined ? "created" : "updated",
      minor:
        entry === undefined
          ? before.knew(resource, site, standing)
          : hasSameContent(entry, resource),
      resource,
      before: entry,
      publishedAt: before.timeOf(collection),
    });
  }
  for (const { url: collection, snapshot, time } of published) {
    for (const [key, entry] of snapshot) {
      if (standing.collectionOf(key) === collection || standing.isStale(key)) continue;
      const minor = standing.isStillThere(key, entry.url);
      const { url } = entry;
      differences.push({
        collection,
        url,
        kind: "deleted",
        minor,
        resource: undefined,
        before: entry,
        publishedAt: time,
      });
    }
  }
  return differences;
}

/** Identities of different schemes are never equal: the scheme is part of them. */
function hasSameContent({ content }: SnapshotEntry, resource: Resource): boolean {
  return content !== undefined && content === resource.content;
}

/** What was published, over all collections. */
class Before {
  readonly #published: readonly CollectionPublication[];
  readonly #byUrl: ReadonlyMap<string, CollectionPublication>;

  constructor(published: readonly CollectionPublication[]) {
    this.#published = published;
    this.#byUrl = new Map(published.map((one) => [one.url, one]));
  }

  in(collection: string, url: string): SnapshotEntry | undefined {
    return this.#byUrl.get(collection)?.snapshot.get(urlKey(url));
  }

  timeOf(collection: string): number {
    return this.#byUrl.get(collection)?.time ?? 0;
  }

  /**
   * Whether a page that is new to its collection stood there before: in another collection, withheld
   * from all, or under the URL that another choice of `cleanUrls` gave it. An edit that came with the
   * move is news, so the page must be the same one as far as that can be told.
   */
  knew(resource: Resource, site: string, standing: Standing): boolean {
    const keys = alternateUrls(site, resource.file)
      .map(urlKey)
      .filter((key) => standing.collectionOf(key) === undefined);
    keys.push(urlKey(resource.url));
    if (this.#withheld(resource.url, keys)) return true;
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
  #withheld(url: string, keys: readonly string[]): boolean {
    const holding = this.#published.filter((collection) => isBelow(url, collection.url));
    const [newest] = (holding.length > 0 ? holding : [...this.#published]).sort(
      (one, other) => other.time - one.time,
    );
    return newest !== undefined && keys.some((key) => newest.withheld.has(withheldDigest(key)));
  }
}

/** What stands in the output folder. */
class Standing {
  readonly #folder: string;
  readonly #site: string;
  readonly #resources: ReadonlyMap<string, Resource>;
  readonly #stale: ReadonlySet<string>;
  readonly #withheld: ReadonlySet<string>;

  constructor(folder: string, site: string, { resources, stale, withheld }: Inventory) {
    this.#folder = folder;
    this.#site = site;
    this.#resources = new Map(resources.map((resource) => [urlKey(resource.url), resource]));
    this.#stale = new Set(stale.map(({ url }) => urlKey(url)));
    this.#withheld = new Set(withheld.map(({ url }) => urlKey(url)));
  }

  collectionOf(key: string): string | undefined {
    return this.#resources.get(key)?.collection;
  }

  isStale(key: string): boolean {
    return this.#stale.has(key);
  }

  /** Whether a page that left its collection is still on the site: another one's, or no resource. */
  isStillThere(key: string, url: string): boolean {
    return this.#resources.has(key) || this.#withheld.has(key) || this.#hasFile(url);
  }

  #hasFile(url: string): boolean {
    const path = decodePath(url.slice(this.#site.length));
    const files =
      path === "" || path.endsWith("/") ? [`${path}index.html`] : [path, `${path}.html`];
    // The file may be spelled in another normal form than the URL that was published.
    const spellings = files.flatMap((file) => [file, file.normalize("NFC"), file.normalize("NFD")]);
    return spellings.some((file) =>
      statSync(join(this.#folder, file), { throwIfNoEntry: false })?.isFile(),
    );
  }
}
