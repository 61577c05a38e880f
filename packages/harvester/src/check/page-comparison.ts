import type { Kysely } from "kysely";
import { KnownPages } from "../lists/known-pages.ts";
import type { ListedPage } from "../lists/listed-page.ts";
import type { PageTaker } from "../lists/read-lists.ts";
import {
  forgetDifferences,
  noteDifferences,
  noteMissing,
  type ReadingOfLists,
} from "../store/page-difference.ts";
import type { Schema } from "../store/schema.ts";
import { addList } from "../store/watched-list.ts";
import { countWatched, watchedPages } from "../store/watched-page.ts";

/** Pages that are stored with one statement. */
const AT_ONCE = 2_000;

/**
 * Compares a site's lists with what is known of them while they are read, and stores the pages that differ. Nothing of that
 * counts before the reading is recorded.
 */
export class PageComparison implements PageTaker {
  readonly #database: Kysely<Schema>;
  readonly #of: ReadingOfLists;
  #known: KnownPages | undefined;
  /** Pages that are not yet stored. */
  readonly #differing: ListedPage[] = [];

  constructor(database: Kysely<Schema>, of: ReadingOfLists) {
    this.#database = database;
    this.#of = of;
  }

  /** Known pages that have a date; 0 if no list was read. */
  get dated(): number {
    return this.#known?.dated ?? 0;
  }

  add(url: string): Promise<number> {
    return addList(this.#database, this.#of.source, url);
  }

  async take(pages: readonly ListedPage[]): Promise<void> {
    const known = await this.#load();
    for (const page of pages) if (known.see(page)) this.#differing.push(page);
    if (this.#differing.length >= AT_ONCE) await this.#store();
  }

  async forget(list: number): Promise<void> {
    this.#known?.forget(list);
    await this.#store();
    await forgetDifferences(this.#database, this.#of, list);
  }

  /** Whether pages are missing that may have moved to lists that were not read. */
  async hasMissing(unread: readonly number[]): Promise<boolean> {
    return (await this.#load()).hasMissing(new Set(unread));
  }

  /** Stores the rest. */
  async end(): Promise<void> {
    await this.#store();
  }

  /** Stores which pages are missing. */
  async noteMissing(unread: readonly number[]): Promise<void> {
    const known = await this.#load();
    const lists = new Set(unread);
    if (!known.hasMissing(lists)) return;
    for await (const pages of watchedPages(this.#database, this.#of.source)) {
      const missing = pages.filter(({ key }) => known.isMissing(key, lists));
      const keys = missing.map(({ key }) => key);
      if (keys.length > 0) await noteMissing(this.#database, this.#of, keys);
    }
  }

  async #store(): Promise<void> {
    if (this.#differing.length === 0) return;
    await noteDifferences(this.#database, this.#of, this.#differing.splice(0));
  }

  async #load(): Promise<KnownPages> {
    if (this.#known !== undefined) return this.#known;
    const { source } = this.#of;
    this.#known = new KnownPages(await countWatched(this.#database, source));
    for await (const pages of watchedPages(this.#database, source)) {
      for (const page of pages) this.#known.add(page);
    }
    return this.#known;
  }
}
