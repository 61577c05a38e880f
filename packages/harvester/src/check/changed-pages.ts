import type { Entry } from "@rs-emit/documents";
import type { Kysely } from "kysely";
import { Fingerprints, fingerprintOf } from "../lists/fingerprints.ts";
import type { PageTaker } from "../lists/list-contents.ts";
import { type ListedPage, type PageRules, pageOf } from "../lists/listed-page.ts";
import {
  differingFingerprints,
  dropDifferences,
  forgetDifferences,
  forgetMissing,
  noteDifferences,
  noteMissing,
  type ReadingOfLists,
} from "../store/page-difference.ts";
import type { Schema } from "../store/schema.ts";
import { addList } from "../store/watched-list.ts";
import { countWatched, fingerprintsOf, listedPages } from "../store/watched-page.ts";

/** Pages that are stored with one statement. */
const PAGES_AT_ONCE = 2_000;

/**
 * Compares a site's lists with what is known of them while they are read, and stores the pages that differ. Nothing of that
 * counts before the reading is recorded.
 */
export class ChangedPages implements PageTaker {
  readonly #database: Kysely<Schema>;
  readonly #of: ReadingOfLists;
  #known: Fingerprints | undefined;
  /** Pages that are not yet stored. */
  readonly #differing: ListedPage[] = [];

  constructor(database: Kysely<Schema>, of: ReadingOfLists) {
    this.#database = database;
    this.#of = of;
  }

  add(url: string): Promise<number> {
    return addList(this.#database, this.#of.source, url);
  }

  async take(entries: readonly Entry[], rules: PageRules): Promise<readonly Entry[]> {
    const known = await this.#load();
    const { list } = rules;
    const pages: Entry[] = [];
    for (const entry of entries) {
      const fingerprint = fingerprintOf(list, entry);
      const isKnown = known.see(fingerprint, list);
      const page = isKnown ? undefined : pageOf(entry, fingerprint, rules);
      if (page !== undefined) this.#differing.push(page);
      if (isKnown || page !== undefined) pages.push(entry);
    }
    if (this.#differing.length >= PAGES_AT_ONCE) await this.#store();
    return pages;
  }

  async forget(list: number): Promise<void> {
    this.#known?.forget(list);
    await this.#store();
    await forgetDifferences(this.#database, this.#of, list);
  }

  /**
   * Stores which pages are in no list any more.
   *
   * @param unread lists that were not read: their pages stay
   * @returns how many
   */
  async noteMissing(unread: readonly number[]): Promise<number> {
    const known = await this.#load();
    await this.#store();
    const lists = new Set(unread);
    let count = 0;
    if (known.unseen === 0) return count;
    for await (const pages of listedPages(this.#database, this.#of.source)) {
      const unseen = pages.filter(
        ({ list, fingerprint }) => !lists.has(list) && !known.isSeen(fingerprint),
      );
      const keys = unseen.map(({ key }) => key);
      if (keys.length > 0) count += await noteMissing(this.#database, this.#of, keys);
    }
    return count;
  }

  forgetMissing(): Promise<void> {
    return forgetMissing(this.#database, this.#of);
  }

  /** Stores the rest. A page that a list has as it was does not differ, whatever other entries say of it. */
  async end(): Promise<void> {
    await this.#store();
    const known = this.#known;
    if (known === undefined) return;
    for await (const pages of differingFingerprints(this.#database, this.#of)) {
      const seen = pages.filter(({ fingerprint }) => known.isSeen(fingerprint));
      const keys = seen.map(({ key }) => key);
      if (keys.length > 0) await dropDifferences(this.#database, this.#of, keys);
    }
  }

  async #store(): Promise<void> {
    if (this.#differing.length === 0) return;
    await noteDifferences(this.#database, this.#of, this.#differing.splice(0));
  }

  async #load(): Promise<Fingerprints> {
    if (this.#known !== undefined) return this.#known;
    const { source } = this.#of;
    this.#known = new Fingerprints(await countWatched(this.#database, source));
    for await (const fingerprints of fingerprintsOf(this.#database, source)) {
      for (const fingerprint of fingerprints) this.#known.add(fingerprint);
    }
    return this.#known;
  }
}
