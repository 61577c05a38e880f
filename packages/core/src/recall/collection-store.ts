import { isChangeListName, isResourceListPartName } from "../model/layout.ts";
import { type DocumentStore, FolderStore } from "./store.ts";
import { StoredDocument } from "./stored-document.ts";

const RENAMED =
  "If you renamed the collection's folder, put its documents into a folder of the old name again and " +
  "run again: the log is kept, and its pages are reported as moved.";

export class CollectionStore {
  readonly store: DocumentStore;
  readonly folder: string;
  readonly url: string;
  readonly #base: string;
  readonly #site: string;

  /** @param base the published base URL; `site` unless the site has moved */
  constructor(store: DocumentStore, folder: string, url: string, base: string, site: string) {
    this.store = store;
    this.folder = folder;
    this.url = url;
    this.#base = base;
    this.#site = site;
  }

  get copies(): CollectionStore {
    const { folder, url } = this;
    return new CollectionStore(
      new FolderStore(this.store.folder),
      folder,
      url,
      this.#base,
      this.#site,
    );
  }

  get publishedUrl(): string {
    return this.#base + this.url.slice(this.#site.length);
  }

  document(name: string): StoredDocument {
    return new StoredDocument(this.store, this.folder + name);
  }

  /** @throws {DamagedDocumentError} for a URL of another site */
  rebase(document: StoredDocument, url: string): string {
    if (!url.startsWith(this.#base)) {
      throw document.damaged(`it names ${url}, which is not below ${this.#base}.`);
    }
    return this.#site + url.slice(this.#base.length);
  }

  /** @throws {DamagedDocumentError} when the list is in another folder */
  fileName(document: StoredDocument, loc: string): string {
    const url = this.rebase(document, loc);
    const name = url.slice(this.url.length);
    if (!url.startsWith(this.url) || !(isChangeListName(name) || isResourceListPartName(name))) {
      throw document.damaged(`it names ${loc}, which is not a document beside it. ${RENAMED}`);
    }
    return name;
  }
}
