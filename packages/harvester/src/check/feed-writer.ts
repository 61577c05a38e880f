import { eventOf, extract, groupChanges } from "@rs-emit/feeds";
import type { Transaction } from "kysely";
import type { IdentifiedChange } from "../changes/select-new.ts";
import type { CollectionRow } from "../store/collection.ts";
import { addEntries, type NewChange, type NewEntry, toldEvents } from "../store/entry.ts";
import { type FeedNews, feedsOf, ownFeedOf } from "../store/feed.ts";
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

type PublishableChange = IdentifiedChange & NewChange;

interface Publishable extends UnpublishedChanges {
  readonly changes: readonly PublishableChange[];
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
    const { withMinor } = this.#harvester.settings;
    const told = new Map<number, number>();
    const shown = unpublished.map((one): Publishable => {
      const changes = one.changes
        .filter(({ isMinor }) => withMinor || !isMinor)
        .map((change) => ({ ...change, event: eventOf(change) }));
      told.set(one.row.id, changes.length);
      return { ...one, changes };
    });
    const repeats = await toldBefore(this.#transaction, shown);
    const entries: NewEntry[] = [];
    const owners: CollectionRow[] = [];
    for (const one of shown) {
      for (const entry of this.#entriesOf(one, repeats)) {
        entries.push(entry);
        owners.push(one.row);
      }
    }
    await this.#addEntries(entries, owners);
    return told;
  }

  /** Makes an entry that tells no change, and says something of its collection. */
  async announce(row: CollectionRow, name: string, note: string): Promise<void> {
    const nothing = extract([]);
    const entry = { collectionId: row.id, name, time: this.#now, note, changes: [] };
    await this.#addEntries([{ ...entry, own: nothing, joint: nothing }], [row]);
  }

  async #addEntries(entries: readonly NewEntry[], owners: readonly CollectionRow[]): Promise<void> {
    const ids = await addEntries(this.#transaction, entries, this.#now);
    const inOrder = entries
      .map((entry, at) => ({ entry, at }))
      .sort((one, other) => one.entry.time - other.entry.time || one.at - other.at);
    for (const { entry, at } of inOrder) {
      const [owner, id] = [owners[at], ids[at]];
      if (owner === undefined || id === undefined) continue;
      const isRepeat = entry.changes.length > 0 && entry.joint.shown.size === 0;
      const feeds = isRepeat ? [ownFeedOf(owner)] : feedsOf(owner);
      for (const feed of feeds) this.#add(feed, [id], entry.time);
    }
  }

  #entriesOf(
    { row, changes, note }: Publishable,
    repeats: ReadonlySet<PublishableChange>,
  ): NewEntry[] {
    const { entries: mode } = this.#harvester.settings;
    const isPast = row.is_whole === 0;
    return groupChanges(changes, mode, isPast).map(({ name, datetime, isCheck, changes }) => {
      const own = extract(changes);
      const news = changes.filter((change) => !repeats.has(change));
      return {
        collectionId: row.id,
        name,
        time: isCheck ? this.#now : Math.min(datetime, this.#now),
        note,
        changes,
        own,
        joint: news.length === changes.length ? own : extract(news),
      };
    });
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

/** Changes that an entry of their source tells already: a page may be in two of its collections. */
async function toldBefore(
  transaction: Transaction<Schema>,
  unpublished: readonly Publishable[],
): Promise<ReadonlySet<PublishableChange>> {
  const told = new Set(
    await toldEvents(
      transaction,
      unpublished.flatMap(({ row: { source_id }, changes }) =>
        changes.map(({ event }) => ({ source_id, event })),
      ),
    ),
  );
  const repeats = new Set<PublishableChange>();
  for (const { row, changes } of unpublished) {
    for (const change of changes) {
      const name = `${row.source_id} ${change.event}`;
      if (told.has(name)) repeats.add(change);
      told.add(name);
    }
  }
  return repeats;
}
