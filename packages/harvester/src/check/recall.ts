import type { ChangeKind } from "@rs-emit/documents";
import { isOfHost } from "@rs-emit/reader";
import type { Transaction } from "kysely";
import type { ComparedPages } from "../changes/select-new.ts";
import { pageKey } from "../page-lists/list-contents.ts";
import {
  type CollectionRow,
  collectionsOf,
  comparedCollection,
  sourceComparing,
} from "../store/collection.ts";
import { reportedChanges } from "../store/entry.ts";
import { blockedAmong } from "../store/host.ts";
import type { Schema } from "../store/schema.ts";
import { lockLeased, type SourceRow, sourcesAt } from "../store/source.ts";
import { sourceWatching, type WatchRow, watchOf } from "../store/watch.ts";
import { knownPages } from "../store/watched-page.ts";
import { foundIn, placeCollections } from "./collections.ts";
import { type Check, type Facts, hasNews } from "./facts.ts";
import { addressesIn, type Neighbours } from "./home.ts";
import { type KnownCollection, recallChanges, recallReported } from "./memory.ts";

/** What is stored of a source, as far as a check may change it, and of those beside it. Its row is locked. */
export interface Stored extends Neighbours {
  readonly source: SourceRow;
  /** Its collections, each with the changes that were found in it, and what is known of these; none where nothing is new. */
  readonly collections: readonly KnownCollection[];
  /** The events of these changes that entries report already. */
  readonly reported: ReadonlySet<string>;
  readonly watch: WatchRow | undefined;
  /** Pages in compared lists that its changes are about. */
  readonly pages: ComparedPages;
  /** The collection of its compared lists. */
  readonly compared: CollectionRow | undefined;
  /** Another source that compares the same list. */
  readonly twin: number | undefined;
  /** Another source that has compared the lists of the site that was found. */
  readonly watcher?: number | undefined;
}

/**
 * Locks the source of a check, and reads all that decides what becomes of its facts.
 *
 * @param now UTC seconds
 * @returns `undefined` if another worker has the source now, or it is not followed any more
 */
export async function recall(
  transaction: Transaction<Schema>,
  { source: before, token, facts }: Check,
  now: number,
): Promise<Stored | undefined> {
  const source = await lockLeased(transaction, before, token);
  if (source === undefined) return undefined;
  const isNews = hasNews(facts);
  const known = isNews ? await collectionsOf(transaction, source.id) : [];
  const named = facts.reading?.collections ?? [];
  const collections: KnownCollection[] = [];
  for (const placed of isNews ? placeCollections(source.id, named, known, now) : []) {
    const found = foundIn(placed, facts.remembered, now);
    collections.push(await recallChanges(transaction, found, now));
  }
  // Of a source without any collection nothing was reported.
  const reported = known.length === 0 ? NONE : await recallReported(transaction, collections);
  const isListed = before.from_lists === 1 || facts.lists !== undefined;
  const watch = isListed ? await watchOf(transaction, source.id) : undefined;
  const addresses = addressesIn(source, facts);
  const hosts = addresses.map((url) => new URL(url).hostname);
  return {
    source,
    collections,
    reported,
    watch,
    pages: await pagesOf(transaction, collections, watch),
    compared: isListed ? await comparedCollection(transaction, source.id) : undefined,
    twin: await twinOf(transaction, source, facts, watch),
    watcher: await watcherOf(transaction, source, facts, watch),
    sites: await sourcesAt(transaction, addresses),
    blocked: addresses.length === 0 ? NONE : await blockedAmong(transaction, hosts),
  };
}

const NONE: ReadonlySet<string> = new Set();

async function pagesOf(
  transaction: Transaction<Schema>,
  known: readonly KnownCollection[],
  watch: WatchRow | undefined,
): Promise<ComparedPages> {
  if (watch?.began_at == null) return new Map();
  const { source_id, began_at, compared_at } = watch;
  const unseen = known.flatMap((one) => one.unseen);
  const keys = new Set(unseen.map(({ url }) => pageKey(url)));
  if (keys.size === 0) return new Map();
  const listed = await knownPages(transaction, source_id, [...keys]);
  const pages = new Map(
    [...listed.keys()].map((key) => [key, { isListed: true, told: new Map<ChangeKind, number>() }]),
  );
  const first = unseen.reduce((time, { datetime }) => Math.min(time, datetime), Infinity);
  if (first > (compared_at ?? 0)) return pages;
  const reported = { isCompared: true, since: Math.max(first, began_at) };
  for await (const changes of reportedChanges(transaction, source_id, reported)) {
    for (const { url, kind, taken_at } of changes) {
      const key = pageKey(url);
      if (!keys.has(key)) continue;
      const page = pages.get(key) ?? { isListed: false, told: new Map<ChangeKind, number>() };
      page.told.set(kind, taken_at);
      pages.set(key, page);
    }
  }
  return pages;
}

/** A site may be followed at several addresses of its host. */
async function twinOf(
  transaction: Transaction<Schema>,
  { id, address }: SourceRow,
  { lists }: Facts,
  watch: WatchRow | undefined,
): Promise<number | undefined> {
  const [root] = lists?.roots ?? [];
  if (root === undefined || watch?.began_at != null || !isOfHost(address, root)) return undefined;
  return sourceComparing(transaction, root, id);
}

/** A page of the site may have been followed before the site had a Change List. */
async function watcherOf(
  transaction: Transaction<Schema>,
  { id, address, description_url }: SourceRow,
  { descriptionUrl }: Facts,
  watch: WatchRow | undefined,
): Promise<number | undefined> {
  if (description_url !== null || descriptionUrl === undefined) return undefined;
  if (watch?.began_at != null || !isOfHost(address, descriptionUrl)) return undefined;
  return sourceWatching(transaction, descriptionUrl, id);
}
