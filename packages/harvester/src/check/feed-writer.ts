import { extract, groupChanges } from "@rs-emit/feeds";
import type { Transaction } from "kysely";
import type { IdentifiedChange } from "../changes/select-new.ts";
import type { CollectionRow } from "../store/collection.ts";
import { addEntries, type NewEntry } from "../store/entry.ts";
import { type FeedNews, feedsOf } from "../store/feed.ts";
import type { FeedName } from "../store/queries/feed-name.ts";
import type { Schema } from "../store/schema.ts";
import type { Harvester } from "./harvester.ts";

export interface UnpublishedChanges {
  /** As it was before these changes. */
  readonly row: CollectionRow;
  readonly changes: readonly IdentifiedChange[];
  /** What the harvester says of each of their entries. */
  readonly note?: string;
}

export class FeedWriter {
  readonly #transaction: Transaction<Schema>;
  readonly #harvester: Harvester;
  readonly #now: number;
  readonly #news = new Map<FeedName, { entries: number[]; updated: number }>();

  constructor(transaction: Transaction<Schema>, harvester: Harvester) {
    this.#transaction = transaction;
    this.#harvester = harvester;
    this.#now = harvester.now();
  }

  get news(): ReadonlyMap<FeedName, FeedNews> {
    return this.#news;
  }

  begin(row: CollectionRow): void {
    for (const feed of feedsOf(row)) this.#add(feed, [], this.#now);
  }

  /** Marks feeds as changed when a source or collection is described differently. */
  touch(source: number, collection?: number): void {
    const own = collection === undefined ? [] : [`collection/${collection}` as const];
    for (const feed of [...own, `source/${source}` as const, "all" as const]) {
      this.#add(feed, [], this.#now);
    }
  }

  async write(unpublished: readonly UnpublishedChanges[]): Promise<ReadonlyMap<number, number>> {
    const { settings } = this.#harvester;
    const told = new Map<number, number>();
    const entries: NewEntry[] = [];
    const owners: CollectionRow[] = [];
    for (const { row, changes, note } of unpublished) {
      const shown = changes.filter(({ isMinor }) => settings.withMinor || !isMinor);
      told.set(row.id, shown.length);
      for (const entry of this.#entriesOf(row, shown)) {
        entries.push({ ...entry, note });
        owners.push(row);
      }
    }
    await this.#addEntries(entries, owners);
    return told;
  }

  /** Makes an entry that tells no change, and says something of its collection. */
  async announce(row: CollectionRow, name: string, note: string): Promise<void> {
    const nothing = { changes: [], ...extract([]) };
    await this.#addEntries(
      [{ collectionId: row.id, name, time: this.#now, note, ...nothing }],
      [row],
    );
  }

  async #addEntries(entries: readonly NewEntry[], owners: readonly CollectionRow[]): Promise<void> {
    const ids = await addEntries(this.#transaction, entries, this.#now);
    const inOrder = entries
      .map(({ time }, at) => ({ time, at }))
      .sort((one, other) => one.time - other.time || one.at - other.at);
    for (const { time, at } of inOrder) {
      const [owner, id] = [owners[at], ids[at]];
      if (owner === undefined || id === undefined) continue;
      for (const feed of feedsOf(owner)) this.#add(feed, [id], time);
    }
  }

  #entriesOf(row: CollectionRow, changes: readonly IdentifiedChange[]): Omit<NewEntry, "note">[] {
    const { entries: mode } = this.#harvester.settings;
    const isPast = row.is_whole === 0;
    return groupChanges(changes, mode, isPast).map(({ name, datetime, changes }) => ({
      collectionId: row.id,
      name,
      time: mode === "check" && !isPast ? this.#now : Math.min(datetime, this.#now),
      changes,
      ...extract(changes),
    }));
  }

  #add(feed: FeedName, entries: readonly number[], updated: number): void {
    const news = this.#news.get(feed) ?? { entries: [], updated };
    this.#news.set(feed, news);
    if (entries.length === 0) return;
    // An empty feed is as old as its first check; another one as its newest entry.
    news.updated = news.entries.length === 0 ? updated : Math.max(news.updated, updated);
    news.entries.push(...entries);
  }
}
