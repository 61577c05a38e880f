import { urlKey } from "@rs-emit/documents";
import { isChangeListName, isResourceListPartName } from "../model/layout.ts";
import { type Addresses, firstSite, presentUrl } from "../model/site-address.ts";
import { type DocumentStore, FolderStore, StoredDocument } from "./document-store.ts";
import { addressIn, OneAddress } from "./one-address.ts";

const RENAMED =
  "If you renamed the collection's folder, put its documents into a folder of the old name again and " +
  "run again: the log is kept, and its pages are reported as moved.";

export class CollectionStore {
  readonly store: DocumentStore;
  readonly folder: string;
  readonly url: string;
  readonly #addresses: Addresses;

  constructor(store: DocumentStore, folder: string, url: string, addresses: Addresses) {
    this.store = store;
    this.folder = folder;
    this.url = url;
    this.#addresses = addresses;
  }

  get copies(): CollectionStore {
    const folder = new FolderStore(this.store.folder);
    const store = this.store instanceof OneAddress ? this.store.over(folder) : folder;
    return new CollectionStore(store, this.folder, this.url, this.#addresses);
  }

  /** The same place, with the address that a document names: it has digests of others as they are there. */
  async at(name: string): Promise<CollectionStore> {
    const { site, movedFrom } = this.#addresses;
    if (movedFrom === undefined) return this;
    const store = this.store instanceof OneAddress ? this.store.mixed : this.store;
    const base = addressIn(await store.bytes(this.folder + name), [site, movedFrom]);
    if (base === undefined) return this;
    const one = new OneAddress(store, base === site ? movedFrom : site, base);
    return new CollectionStore(one, this.folder, this.url, { ...this.#addresses, base });
  }

  /** Whether documents that were read name different addresses. */
  isMixedWith(other: CollectionStore): boolean {
    const isMixed = ({ store }: CollectionStore) => store instanceof OneAddress && store.isMixed;
    return this.#addresses.base !== other.#addresses.base || isMixed(this) || isMixed(other);
  }

  identified(id: string): CollectionStore {
    const first = firstSite(id, this.url, this.#addresses.site);
    return new CollectionStore(this.store, this.folder, this.url, { ...this.#addresses, first });
  }

  get publishedUrl(): string {
    const { base, site } = this.#addresses;
    return base + this.url.slice(site.length);
  }

  /** The key of a page's URL in the documents; see {@link rebase}. */
  publishedKey(url: string): string {
    const { base, site } = this.#addresses;
    return urlKey(base) + urlKey(url).slice(urlKey(site).length);
  }

  /** Whether the site had another address before the published one. */
  get hasMoved(): boolean {
    const { first, base } = this.#addresses;
    return first !== undefined && first !== base;
  }

  document(name: string): StoredDocument {
    return new StoredDocument(this.store, this.folder + name);
  }

  /** @throws {EmitError} `DAMAGED_DOCUMENT` for a URL of another site */
  rebase(document: StoredDocument, url: string): string {
    const { base, site } = this.#addresses;
    if (!url.startsWith(base)) {
      throw document.damaged(`it names ${url}, which is not below ${base}.`);
    }
    return site + url.slice(base.length);
  }

  /** @returns `undefined` for a page of another site */
  present(url: string): string | undefined {
    return presentUrl(url, this.#addresses);
  }

  /** @throws {EmitError} `DAMAGED_DOCUMENT` when the list is in another folder */
  fileName(document: StoredDocument, loc: string): string {
    const url = this.rebase(document, loc);
    const name = url.slice(this.url.length);
    if (!url.startsWith(this.url) || !(isChangeListName(name) || isResourceListPartName(name))) {
      throw document.damaged(`it names ${loc}, which is not a document beside it. ${RENAMED}`);
    }
    return name;
  }
}
