import { memoryIn, type PageMemory } from "../page/texts/memory.ts";

/** In a smaller collection, blocks repeat on most pages by chance. */
const FEWEST_PAGES = 5;

/** Finds menus and footers of pages without `main` and `article`: blocks on most of a collection's pages. */
export class ChromeCounter {
  readonly #counts = new Map<number, number>();
  readonly #wanted: ReadonlySet<number> | undefined;
  #pages = 0;

  /** @param wanted keys of the only blocks that are counted */
  constructor(wanted?: ReadonlySet<number>) {
    this.#wanted = wanted;
  }

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
    const memory = memoryIn(blocks);
    if (memory === undefined) return;
    this.#pages += number;
    if (!memory.mayHoldChrome) return;
    for (const key of new Set(memory.keys)) {
      if (this.#wanted?.has(key) === false) continue;
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + number);
    }
  }
}

export interface AskedBlocks {
  readonly collection: string;
  readonly keys: Iterable<number>;
}

interface ChromeSource {
  /** Whether a block is on most pages of a collection, before or now. */
  chromeOf(collection: string, keys: ReadonlySet<number>): (key: number) => boolean;
}

/** Reads each collection once, for all blocks. */
export function chromeTests(
  asked: Iterable<AskedBlocks>,
  site: ChromeSource,
): (collection: string) => (key: number) => boolean {
  const wanted = new Map<string, Set<number>>();
  for (const { collection, keys } of asked) {
    const own = wanted.get(collection) ?? new Set();
    wanted.set(collection, own);
    for (const key of keys) own.add(key);
  }
  const tests = new Map([...wanted].map(([url, keys]) => [url, site.chromeOf(url, keys)]));
  return (collection) => tests.get(collection) ?? (() => false);
}

/** What a page says outside its page chrome, in page order. */
export function ownKeys(memory: PageMemory, isChrome: (key: number) => boolean): readonly number[] {
  return memory.mayHoldChrome ? memory.keys.filter((key) => !isChrome(key)) : memory.keys;
}
