import type { Entry } from "@rs-emit/documents";
import { digest } from "@rs-emit/feeds";

/** Hexadecimal digits of 52 bits: numbers of the language are exact up to 53. */
const DIGITS = 13;

/**
 * What a list says of a page, in a number of 52 bits: the beginning of a digest. Equal for equal texts in the same list; of
 * two different entries with a chance of 1 to 4,500,000,000,000,000.
 *
 * @param list its id
 */
export function fingerprintOf(list: number, { loc, lastmod, metadata }: Entry): number {
  // No text of a document has this character.
  const stated = `${list}\0${loc}\0${lastmod ?? ""}\0${metadata?.hash ?? ""}`;
  return Number.parseInt(digest(stated).slice(0, DIGITS), 16) || 1;
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
  /** The list that is read, and the slots of what it was the first to have. */
  #list = NONE;
  #slots: number[] = [];

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
   * Notes that a list has a fingerprint. Lists follow one another.
   *
   * @returns whether it is known
   */
  see(fingerprint: number, list: number): boolean {
    const slot = this.#find(fingerprint);
    if (this.#known[slot] === NONE) return false;
    if (this.#seenIn[slot] === NONE) {
      if (this.#list !== list) this.#slots = [];
      this.#list = list;
      this.#slots.push(slot);
      this.#seenIn[slot] = list;
      this.unseen -= 1;
    }
    return true;
  }

  isSeen(fingerprint: number): boolean {
    return this.#seenIn[this.#find(fingerprint)] !== NONE;
  }

  /** Undoes what was noted of the list that was read last. */
  forget(list: number): void {
    if (this.#list !== list) return;
    for (const slot of this.#slots.splice(0)) {
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
