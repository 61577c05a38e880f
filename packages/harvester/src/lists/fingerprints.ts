import type { Entry } from "@rs-emit/documents";

/**
 * What a list says of a page, in a number of 53 bits. Equal for equal texts in the same list; of two different entries with
 * a chance of 1 to 9,000,000,000,000,000 (after `cyrb53`, which is public domain).
 *
 * @param list its id
 */
export function fingerprintOf(list: number, { loc, lastmod, metadata }: Entry): number {
  let one = 0xdeadbeef ^ list;
  let other = 0x41c6ce57 ^ list;
  for (const text of [loc, lastmod, metadata?.hash]) {
    if (text !== undefined) {
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        one = Math.imul(one ^ code, 2_654_435_761);
        other = Math.imul(other ^ code, 1_597_334_677);
      }
    }
    // Where a text ends counts, too. No character has this code.
    one = Math.imul(one ^ 0x10000, 2_654_435_761);
    other = Math.imul(other ^ 0x10000, 1_597_334_677);
  }
  one =
    Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
  other =
    Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
  return (other & 0x1fffff) * 2 ** 32 + (one >>> 0) || 1;
}

/** Room for this many fingerprints for each one that is known: lookups in a fuller table are slow. */
const ROOM = 1.25;

/** In place of a fingerprint: the slot is empty. In place of a list: it was not seen. */
const NONE = 0;

/**
 * The fingerprints of a site's known pages, and which lists have them now. A hash table of 12 bytes a slot, so 15 MB for
 * 1,000,000 pages.
 */
export class Fingerprints {
  /** Of how many pages none was seen. */
  unseen = 0;
  readonly #capacity: number;
  readonly #known: Float64Array;
  readonly #seenIn: Uint32Array;

  /** @param most fingerprints that are added */
  constructor(most: number) {
    this.#capacity = Math.ceil(most * ROOM) + 1;
    this.#known = new Float64Array(this.#capacity);
    this.#seenIn = new Uint32Array(this.#capacity);
  }

  add(fingerprint: number): void {
    const slot = this.#find(fingerprint);
    if (this.#known[slot] === NONE) this.unseen += 1;
    this.#known[slot] = fingerprint;
  }

  /**
   * Notes that a list has a fingerprint.
   *
   * @returns whether it is known
   */
  see(fingerprint: number, list: number): boolean {
    const slot = this.#find(fingerprint);
    if (this.#known[slot] === NONE) return false;
    if (this.#seenIn[slot] === NONE) {
      this.#seenIn[slot] = list;
      this.unseen -= 1;
    }
    return true;
  }

  isSeen(fingerprint: number): boolean {
    return this.#seenIn[this.#find(fingerprint)] !== NONE;
  }

  /** Undoes what was noted of a list. */
  forget(list: number): void {
    for (let slot = 0; slot < this.#capacity; slot += 1) {
      if (this.#seenIn[slot] !== list) continue;
      this.#seenIn[slot] = NONE;
      this.unseen += 1;
    }
  }

  /** The slot of a fingerprint, or an empty one for it. */
  #find(fingerprint: number): number {
    let slot = ((fingerprint | 0) >>> 1) % this.#capacity;
    while (this.#known[slot] !== NONE && this.#known[slot] !== fingerprint) {
      slot = slot + 1 === this.#capacity ? 0 : slot + 1;
    }
    return slot;
  }
}
