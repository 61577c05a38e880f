import { type Memory, memoryIn } from "./memory.ts";

/** In a smaller collection, blocks stand on most pages by chance. */
const FEWEST_PAGES = 5;

/**
 * Menus and footers of pages without `main` and `article`: on how many pages of a collection each block
 * stands. Those on more than half are the pages' chrome.
 */
export class ChromeCounter {
  readonly #counts = new Map<number, number>();
  readonly #wanted: ReadonlySet<number> | undefined;
  #pages = 0;

  /** @param wanted keys of the only blocks that will be asked for */
  constructor(wanted?: ReadonlySet<number>) {
    this.#wanted = wanted;
  }

  /** @param blocks as a Resource List remembers the page; absent where it does not */
  add(blocks: string | undefined): void {
    this.#count(blocks, 1);
  }

  remove(blocks: string | undefined): void {
    this.#count(blocks, -1);
  }

  isOnMost(key: number): boolean {
    return this.#pages >= FEWEST_PAGES && (this.#counts.get(key) ?? 0) * 2 > this.#pages;
  }

  #count(blocks: string | undefined, number: number): void {
    this.#pages += number;
    const memory = memoryIn(blocks);
    if (!memory?.mayHoldChrome) return;
    for (const key of new Set(memory.keys)) {
      if (this.#wanted?.has(key) === false) continue;
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + number);
    }
  }
}

/** What a page says without its chrome, in page order. */
export function ownKeys(memory: Memory, isChrome: (key: number) => boolean): readonly number[] {
  return memory.mayHoldChrome ? memory.keys.filter((key) => !isChrome(key)) : memory.keys;
}
