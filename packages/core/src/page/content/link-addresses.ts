import { urlKey } from "@rs-emit/documents";
import { placeKey } from "../../model/redirects.ts";

/** A placeholder until all ids of the page are known. */
export const ID = "\0";

/** Limits the cache of spellings. A site's menu is on every page, so the cache saves most work. */
const MOST_KNOWN = 5000;

/** A builder's digest before the extension: `photo-3f9ac21b.jpg`. */
const DIGEST = /[.\-_]([A-Za-z0-9_-]{8,})(?=\.\w+$)/;
/** Authors write such words there: `winter2024`, `20240528`, `2024Winter`. */
const WORD = /^\d*(?:[A-Za-z]?[a-z]*|[A-Z]*)\d*$/;

/** Normalizes the addresses in a page: all spellings of one place become equal. */
export class LinkAddresses {
  readonly #page: string;
  /** Equal whether hosts serve the page with or without `.html`. */
  readonly #place: string;
  readonly #site: string;
  readonly #known = new Map<string, string>();

  /** @param site the site's URL. A site can move, so URLs below it are made relative. */
  constructor(page: string, site: string) {
    this.#page = page.replace(/[?#].*$/s, "");
    this.#place = placeKey(this.#page);
    this.#site = urlKey(site);
  }

  /** A link within the page becomes `#`, {@link ID} and the id. */
  link(written: string): string {
    const href = written.trim();
    if (href.startsWith("#")) return idLink(href);
    const known = this.#known.get(href);
    if (known !== undefined) return known;
    const link = this.#resolved(href);
    if (this.#known.size < MOST_KNOWN) this.#known.set(href, link);
    return link;
  }

  #resolved(href: string): string {
    if (!URL.canParse(href, this.#page)) return href;
    const { href: url, hash, protocol } = new URL(href, this.#page);
    if (protocol !== "http:" && protocol !== "https:") return href;
    const key = urlKey(url);
    if (hash !== "" && placeKey(key) === this.#place) return idLink(hash);
    return this.#relative(key) + hash;
  }

  /** A file of the site counts by its name, without query and without a builder's digest. */
  file(written: string): string {
    const source = written.trim();
    if (/^data:/i.test(source) || !URL.canParse(source, this.#page)) return source;
    const url = this.#relative(urlKey(new URL(source, this.#page).href));
    if (/^[a-z][a-z\d+.-]*:/i.test(url)) return url;
    return fileName(url);
  }

  #relative(key: string): string {
    return key.startsWith(this.#site) ? `/${key.slice(this.#site.length)}` : key;
  }
}

function idLink(hash: string): string {
  return `#${ID}${hash.slice(1)}`;
}

function fileName(url: string): string {
  const path = url.replace(/[?#].*$/s, "");
  return withoutDigest(path.slice(path.lastIndexOf("/") + 1)).toLowerCase();
}

/** A file's path without a builder's digest in its name. */
export function withoutDigest(path: string): string {
  const digest = DIGEST.exec(path)?.[1];
  return digest === undefined || WORD.test(digest) ? path : path.replace(DIGEST, "");
}
