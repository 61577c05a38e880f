import { join } from "node:path";
import { urlKey } from "@rs-emit/documents";
import { statIfThere } from "../model/file-system.ts";
import { destination, placeKey, redirectsOf } from "../model/redirects.ts";
import type { Inventory, Resource } from "../model/resources.ts";
import { decodePath, servedFiles, slashVariants } from "../model/url.ts";

export class OutputIndex {
  readonly #folder: string;
  readonly #site: string;
  readonly #resources: ReadonlyMap<string, Resource>;
  readonly #byFile: ReadonlyMap<string, string>;
  readonly #stale: ReadonlySet<string>;
  readonly #excluded: ReadonlySet<string>;
  readonly #redirects: ReadonlyMap<string, string>;

  constructor(folder: string, site: string, { resources, stale, excluded }: Inventory) {
    this.#folder = folder;
    this.#site = site;
    this.#resources = new Map(resources.map((resource) => [urlKey(resource.url), resource]));
    this.#byFile = new Map(
      resources.flatMap(({ file, url }) => (file ? [[file, urlKey(url)]] : [])),
    );
    this.#stale = new Set(stale.map(({ url }) => urlKey(url)));
    this.#excluded = new Set(excluded.map(({ url }) => urlKey(url)));
    this.#redirects = redirectsOf(excluded);
  }

  collectionOf(key: string): string | undefined {
    return this.#resources.get(key)?.collection;
  }

  isStale(key: string): boolean {
    return this.#stale.has(key);
  }

  destinationOf(url: string): string | undefined {
    const leadsTo = this.#redirects.get(placeKey(url));
    return leadsTo && destination(leadsTo, this.#redirects);
  }

  isStillThere(key: string, url: string, wasPublished: (key: string) => boolean): boolean {
    if (this.#resources.has(key)) return true;
    if (slashVariants(this.#site, url).some((one) => this.#excluded.has(urlKey(one)))) return true;
    const file = this.#fileOf(url);
    if (file === undefined) return false;
    const owner = this.#byFile.get(file);
    // If the other page was published before, it is a different page, and this one is gone.
    return owner === undefined || !wasPublished(owner);
  }

  #fileOf(url: string): string | undefined {
    const path = decodePath(url.slice(this.#site.length));
    return servedFiles(path).find((file) => this.hasFile(file));
  }

  /** Includes files that are no pages for readers. */
  hasFile(path: string): boolean {
    return statIfThere(join(this.#folder, path))?.isFile() ?? false;
  }
}
