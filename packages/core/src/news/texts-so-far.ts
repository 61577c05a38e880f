import { keysIn } from "../model/page-memory.ts";
import { MOST_NAMESAKES } from "./copies.ts";
import { titleForms } from "./echoes.ts";
import type { SiteBefore } from "./judge.ts";
import { headedTitle, type PageState, type PageStates } from "./page-change.ts";
import { ChromeCounter, chromeTest } from "./page-chrome.ts";
import { TitleCounts } from "./title-counts.ts";

/** The number of newest changes whose quotes count, as in a published log. */
const MOST_ASKED = 1000;

/** The site's state after each of its past publications. */
export class GrowingSite {
  readonly #texts = new Map<number, number>();
  readonly #titles = new Map<string, number>();
  readonly #titleCounts = new TitleCounts();
  /** By title and URL. */
  readonly #titled = new Map<string, Map<string, PageStates>>();
  readonly #chrome = new Map<string, ChromeCounter>();
  readonly #quoted: (readonly string[])[] = [];
  readonly #timesQuoted = new Map<string, number>();
  #pages = 0;

  before(pages: readonly PageStates[], time: number): SiteBefore {
    return {
      time,
      isEmpty: this.#pages === 0,
      quoted: this.#timesQuoted,
      having: () => (name) =>
        this.#texts.has(name.key) || (name.form !== "" && this.#titles.has(name.form)),
      isCommon: (title) => this.#titleCounts.isCommon(title),
      titled: (titles) => this.#pagesTitled(titles),
      chromeOf: (collection, keys) => {
        const counter = this.#chromeOf(collection);
        const isBefore = new Set([...keys].filter((key) => counter.isOnMost(key)));
        const own = pages.filter((page) => page.collection === collection);
        for (const { before, now } of own) countChrome(counter, before, now);
        const isNow = new Set([...keys].filter((key) => counter.isOnMost(key)));
        for (const { before, now } of own) countChrome(counter, now, before);
        return chromeTest(
          (key) => isBefore.has(key),
          (key) => isNow.has(key),
        );
      },
    };
  }

  /** @param quoted the digests that each change told */
  publish(pages: readonly PageStates[], quoted: readonly (readonly string[])[]): void {
    for (const page of pages) {
      const { collection, before, now } = page;
      countChrome(this.#chromeOf(collection), before, now);
      count(this.#texts, keysIn(before?.blocks), -1);
      count(this.#texts, keysIn(now?.blocks), 1);
      count(this.#titles, titleForms(before?.title), -1);
      count(this.#titles, titleForms(now?.title), 1);
      this.#titleCounts.count({ ...page, title: before?.title }, -1);
      this.#titleCounts.count({ ...page, title: now?.title }, 1);
      this.#titled.get(headedTitle(before))?.delete(page.url);
      const title = headedTitle(now);
      if (title !== "") {
        const titled = this.#titled.get(title) ?? new Map<string, PageStates>();
        this.#titled.set(title, titled.set(page.url, { ...page, before: now }));
      }
      this.#pages += Number(now !== undefined) - Number(before !== undefined);
    }
    this.#quoted.push(...quoted);
    const forgotten = this.#quoted.splice(0, Math.max(0, this.#quoted.length - MOST_ASKED));
    for (const digest of quoted.flat()) add(this.#timesQuoted, digest, 1);
    for (const digest of forgotten.flat()) add(this.#timesQuoted, digest, -1);
  }

  *#pagesTitled(titles: ReadonlySet<string>): Generator<PageStates> {
    for (const title of titles) {
      const pages = this.#titled.get(title);
      if (pages !== undefined && pages.size <= MOST_NAMESAKES) yield* pages.values();
    }
  }

  #chromeOf(collection: string): ChromeCounter {
    const counter = this.#chrome.get(collection) ?? new ChromeCounter();
    this.#chrome.set(collection, counter);
    return counter;
  }
}

function countChrome(
  counter: ChromeCounter,
  before: PageState | undefined,
  now: PageState | undefined,
): void {
  if (before?.blocks?.equals(now?.blocks)) return;
  if (before !== undefined) counter.remove(before.blocks);
  if (now !== undefined) counter.add(now.blocks);
}

function count<Key>(counts: Map<Key, number>, keys: Iterable<Key>, number: number): void {
  for (const key of new Set(keys)) add(counts, key, number);
}

function add<Key>(counts: Map<Key, number>, key: Key, number: number): void {
  const sum = (counts.get(key) ?? 0) + number;
  if (sum === 0) counts.delete(key);
  else counts.set(key, sum);
}
