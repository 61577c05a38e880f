import { memoryIn, type PageMemory, type ReadableMemory } from "../model/page-memory.ts";

/** In a smaller collection, blocks repeat on most pages by chance. */
const FEWEST_PAGES = 5;

/** Finds menus, footers and the like, wherever they stand: blocks on most of a collection's pages. */
export class ChromeCounter {
  readonly #counts = new Map<number, number>();
  readonly #wanted: ReadonlySet<number> | undefined;
  #pages = 0;

  /** @param wanted keys of the only blocks that are counted */
  constructor(wanted?: ReadonlySet<number>) {
    this.#wanted = wanted;
  }

  add(blocks: PageMemory | undefined): void {
    this.#count(blocks, 1);
  }

  remove(blocks: PageMemory | undefined): void {
    this.#count(blocks, -1);
  }

  isOnMost(key: number): boolean {
    return this.#pages >= FEWEST_PAGES && (this.#counts.get(key) ?? 0) * 2 > this.#pages;
  }

  #count(blocks: PageMemory | undefined, number: number): void {
    const memory = memoryIn(blocks);
    if (memory === undefined) return;
    this.#pages += number;
    const wanted = this.#wanted;
    const keys = memory.keys().filter((key) => wanted?.has(key) !== false);
    for (const key of new Set(keys)) {
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + number);
    }
  }
}

export interface AskedBlocks {
  readonly collection: string;
  readonly keys: Iterable<number>;
}

/** When a block is on most pages of a collection: before a publication, or only since. Else `undefined`. */
export type ChromeTest = (key: number) => "before" | "now" | undefined;

export interface ChromeSource {
  chromeOf(collection: string, keys: ReadonlySet<number>): ChromeTest;
}

export function chromeTest(isBefore: Test, isNow: Test): ChromeTest {
  return (key) => (isBefore(key) ? "before" : isNow(key) ? "now" : undefined);
}

type Test = (key: number) => boolean;

/** Reads each collection once, for all blocks. */
export function chromeTests(
  asked: Iterable<AskedBlocks>,
  site: ChromeSource,
): (collection: string) => ChromeTest {
  const wanted = new Map<string, Set<number>>();
  for (const { collection, keys } of asked) {
    const own = wanted.get(collection) ?? new Set();
    wanted.set(collection, own);
    for (const key of keys) own.add(key);
  }
  const tests = new Map([...wanted].map(([url, keys]) => [url, site.chromeOf(url, keys)]));
  return (collection) => tests.get(collection) ?? (() => undefined);
}

/** What a page says outside its page chrome, in page order. */
export function ownKeys(memory: ReadableMemory, chrome: ChromeTest): Float64Array {
  return memory.keys().filter((key) => chrome(key) === undefined);
}
