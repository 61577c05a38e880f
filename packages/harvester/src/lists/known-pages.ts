import type { ListedPage } from "./listed-page.ts";

/** A page as it was last compared. */
export interface KnownPage extends Pick<ListedPage, "key" | "list" | "lastmod" | "hash"> {
  /** It was in no list. */
  readonly isMissing: boolean;
}

/** Room for this many pages for each one that is known: lookups in a fuller table are slow. */
const ROOM = 1.25;

/** In place of a list: the slot is empty, or its page was in no list. */
const EMPTY = 0;
const NOWHERE = 1;

/**
 * The known pages of a site, to be compared with its lists: a hash table of 28 bytes a slot, so 35 MB for 1,000,000 pages.
 * Keys are digests, of which 64 bits tell pages apart; of hashes 52 bits are compared.
 */
export class KnownPages {
  /** Pages that have a date. */
  dated = 0;
  readonly #capacity: number;
  readonly #high: Int32Array;
  readonly #low: Int32Array;
  /** 0 for none. */
  readonly #lastmod: Uint32Array;
  /** 0 for none. */
  readonly #hash: Float64Array;
  /** The list in which the page stood, and the one in which it was seen now. */
  readonly #home: Uint32Array;
  readonly #seenIn: Uint32Array;

  /** @param most pages that are added */
  constructor(most: number) {
    this.#capacity = Math.ceil(most * ROOM) + 1;
    this.#high = new Int32Array(this.#capacity);
    this.#low = new Int32Array(this.#capacity);
    this.#lastmod = new Uint32Array(this.#capacity);
    this.#hash = new Float64Array(this.#capacity);
    this.#home = new Uint32Array(this.#capacity);
    this.#seenIn = new Uint32Array(this.#capacity);
  }

  add({ key, list, lastmod, hash, isMissing }: KnownPage): void {
    const slot = this.#find(key);
    this.#high[slot] = highOf(key);
    this.#low[slot] = lowOf(key);
    this.#lastmod[slot] = lastmod ?? 0;
    this.#hash[slot] = hashOf(hash);
    this.#home[slot] = isMissing ? NOWHERE : numberOf(list);
    if (lastmod !== null) this.dated += 1;
  }

  /**
   * Notes that a list names a page.
   *
   * @returns whether it differs from what is known. A page counts where it is seen first.
   */
  see({ key, list, lastmod, hash }: ListedPage): boolean {
    const slot = this.#find(key);
    if (this.#home[slot] === EMPTY) return true;
    if (this.#seenIn[slot] !== EMPTY) return false;
    this.#seenIn[slot] = numberOf(list);
    return (
      this.#home[slot] !== numberOf(list) ||
      (lastmod !== null && this.#lastmod[slot] !== lastmod) ||
      (hash !== null && this.#hash[slot] !== hashOf(hash))
    );
  }

  /** Undoes what was noted of a list. */
  forget(list: number): void {
    const number = numberOf(list);
    for (let slot = 0; slot < this.#capacity; slot += 1) {
      if (this.#seenIn[slot] === number) this.#seenIn[slot] = EMPTY;
    }
  }

  /**
   * Whether pages are missing that were not before.
   *
   * @param unread lists that were not read: their pages stay
   */
  hasMissing(unread: ReadonlySet<number>): boolean {
    for (let slot = 0; slot < this.#capacity; slot += 1) {
      if (this.#isMissing(slot, unread)) return true;
    }
    return false;
  }

  isMissing(key: string, unread: ReadonlySet<number>): boolean {
    return this.#isMissing(this.#find(key), unread);
  }

  #isMissing(slot: number, unread: ReadonlySet<number>): boolean {
    const home = this.#home[slot] ?? EMPTY;
    return this.#seenIn[slot] === EMPTY && home > NOWHERE && !unread.has(home - NOWHERE);
  }

  /** The slot of a page, or an empty one for it. */
  #find(key: string): number {
    const high = highOf(key);
    const low = lowOf(key);
    let slot = (high >>> 1) % this.#capacity;
    while (this.#home[slot] !== EMPTY && (this.#low[slot] !== low || this.#high[slot] !== high)) {
      slot = slot + 1 === this.#capacity ? 0 : slot + 1;
    }
    return slot;
  }
}

/** The first 32 bits of a digest. */
function highOf(key: string): number {
  return bitsOf(key, 0);
}

/** Those after them. */
function lowOf(key: string): number {
  return bitsOf(key, 8);
}

/** 32 bits of a text in hex. `parseInt` takes several times as long. */
function bitsOf(text: string, start: number): number {
  let bits = 0;
  for (let at = start; at < start + 8; at += 1) {
    const code = text.charCodeAt(at);
    bits = (bits << 4) | (code < LETTERS ? code - DIGITS : code - LETTERS + 10);
  }
  return bits;
}

/** The codes of `0` and `a`. */
const DIGITS = 48;
const LETTERS = 97;

/** @param hash as `algorithm:hex` */
function hashOf(hash: string | null): number {
  if (hash === null) return 0;
  const start = hash.indexOf(":") + 1;
  return Number.parseInt(hash.slice(start, start + 13), 16);
}

function numberOf(list: number): number {
  return list + NOWHERE;
}
