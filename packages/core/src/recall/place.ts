import { DamagedDocumentError } from "./errors.ts";
import { type DocumentStore, FolderStore } from "./store.ts";

const RENAMED =
  "If you renamed the collection's folder, put its documents into a folder of the old name again and " +
  "run again: its pages are then told as moved, and the log is kept.";

/** A collection's folder in a store, and how the URLs in its documents are to be read. */
export class Place {
  readonly store: DocumentStore;
  /** The collection's folder below the site: `""` or `"shrine/"`. */
  readonly folder: string;
  /** The collection's URL. */
  readonly url: string;
  readonly #base: string;
  readonly #site: string;

  /** @param base the URL the documents were published under; `site` unless the site has moved */
  constructor(store: DocumentStore, folder: string, url: string, base: string, site: string) {
    this.store = store;
    this.folder = folder;
    this.url = url;
    this.#base = base;
    this.#site = site;
  }

  /** The same, read from the copies of what was asked for already. */
  get copies(): Place {
    const { folder, url } = this;
    return new Place(new FolderStore(this.store.folder), folder, url, this.#base, this.#site);
  }

  /** The collection's URL as it was published. */
  get publishedUrl(): string {
    return this.#base + this.url.slice(this.#site.length);
  }

  /** The path of one of the collection's documents, below the site. */
  path(name: string): string {
    return this.folder + name;
  }

  /**
   * A published URL as it is now: under the site's URL, even where the site has moved.
   *
   * @param document where it stands
   * @throws {DamagedDocumentError} when it is a URL of another site
   */
  rebase(document: string, url: string): string {
    if (!url.startsWith(this.#base)) {
      const why = `it names ${url}, which is not below ${this.#base}.`;
      throw new DamagedDocumentError(document, this.store.place, why);
    }
    return this.#site + url.slice(this.#base.length);
  }

  /**
   * The file name of a list that an index names.
   *
   * @throws {DamagedDocumentError} when it does not stand in the collection's folder
   */
  nameOf(document: string, loc: string): string {
    const url = this.rebase(document, loc);
    const name = url.slice(this.url.length);
    if (!url.startsWith(this.url) || !/^[\w-]+\.xml$/.test(name)) {
      const why = `it names ${loc}, which is not a document beside it. ${RENAMED}`;
      throw new DamagedDocumentError(document, this.store.place, why);
    }
    return name;
  }
}
