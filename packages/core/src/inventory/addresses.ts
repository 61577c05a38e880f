import { urlKey } from "@rs-emit/documents";
import { placeKey } from "./redirects.ts";

/** Stands in place of an id until all ids of the page are known. */
export const ID = "\0";

/** So many spellings are remembered: a site's menu stands on each of its pages. */
const MOST_KNOWN = 5000;

/** A builder's digest before the ending: `photo-3f9ac21b.jpg`. */
const DIGEST = /[.\-_]([A-Za-z0-9_-]{8,})(?=\.\w+$)/;
/** What authors write there: `winter2024`, `20240528`, `2024Winter`. */
const WORD = /^\d*(?:[A-Za-z]?[a-z]*|[A-Z]*)\d*$/;

/** Spells the addresses in a page as they are compared: however they are written, one place is one address. */
export class LinkAddresses {
  readonly #page: string;
  /** The same whether hosts serve the page with `.html` or without. */
  readonly #place: string;
  readonly #site: string;
  readonly #known = new Map<string, string>();

  /**
   * @param page the page's URL
   * @param site the site's, which may move: what is below it is spelled relative to it
   */
  constructor(page: string, site: string) {
    this.#page = page.replace(/[?#].*$/s, "");
    this.#place = placeKey(this.#page);
    this.#site = urlKey(site);
  }

  /** Of a place in the page: `#`, {@link ID} and the id. */
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

  /** A file of the site is told by its name, without query and without a builder's digest. */
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
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const original = path.slice(path.lastIndexOf("/") + 1);
  const digest = DIGEST.exec(original)?.[1];
  if (digest === undefined || WORD.test(digest)) return name;
  return original.replace(DIGEST, "").toLowerCase();
}
