import { urlKey } from "@rs-emit/documents";
import { placeKey } from "../../model/redirects.ts";

/** A placeholder until all ids of the page are known. */
export const ID = "\0";

/** Limits the cache of spellings. A site's menu is on every page, so the cache saves most work. */
const MOST_KNOWN = 5000;

/** Builders write digests of eight characters and more. */
const SHORTEST_DIGEST = 8;
/** Letters of a case, or digits. */
const RUNS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\d+/gu;

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
  return withoutDigest(path.slice(path.lastIndexOf("/") + 1));
}

/**
 * A file's path without a builder's digest before the extension: `photo-3f9ac21b.jpg`, `photo.CK1tR3hX_Z1a2b.webp`. Words and
 * numbers are the author's: `2026-05-28_LosAngeles.jpg`.
 */
export function withoutDigest(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  if (dot < 0) return path;
  const digest = digestIn(name.slice(0, dot));
  const from = path.length - name.length + dot;
  return path.slice(0, from - digest.length) + path.slice(from);
}

/** What a builder added to a name, with the separator before it; empty for nothing. */
function digestIn(name: string): string {
  const parts = name.split(/(?=[.\-_])/);
  let from = parts.length;
  while (from > 1 && isDigest(parts[from - 1]?.slice(1) ?? "")) from -= 1;
  // Each part begins with its separator.
  const random = parts.slice(from);
  return random.some((part) => part.length > SHORTEST_DIGEST) ? random.join("") : "";
}

/** Hexadecimal digits may have long runs of one kind: `9b74c9897bac770ffc02`. */
function isDigest(part: string): boolean {
  return /^(?=.*\d)(?=.*[a-f])[\da-f]{8,}$/.test(part) || isRandom(part, 2);
}

/**
 * Whether capitals, small letters and digits alternate as in no word: `Gg7RBUt`, `3f9ac21b`.
 * @param fewest characters that a run of one kind has in names by authors, on average
 */
export function isRandom(part: string, fewest: number): boolean {
  return /^[a-z\d]+$/i.test(part) && part.length < fewest * (part.match(RUNS)?.length ?? 0);
}
