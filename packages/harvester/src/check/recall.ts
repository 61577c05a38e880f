import type { ChangeKind } from "@rs-emit/documents";
import { isOfHost } from "@rs-emit/reader";
import type { Transaction } from "kysely";
import { type ComparedPages, unseenIn } from "../changes/select-new.ts";
import { pageKey } from "../page-lists/list-contents.ts";
import {
  type CollectionRow,
  collectionsOf,
  comparedCollections,
  sourceComparing,
} from "../store/collection.ts";
import { reportedChanges } from "../store/entry.ts";
import { blockedAmong } from "../store/host.ts";
import type { Schema } from "../store/schema.ts";
import { lockLeased, type SourceRow, sourcesAt } from "../store/source.ts";
import { sourceWatching, type WatchRow, watchesOf } from "../store/watch.ts";
import { knownPages } from "../store/watched-page.ts";
import { foundIn, placeCollections } from "./collections.ts";
import { type Check, type Facts, hasNews } from "./facts.ts";
import { addressesIn, type Neighbours } from "./home.ts";
import { type Known, recallChanges } from "./memory.ts";

/** What is stored of a source, as far as a check may change it. Its row is locked. */
export interface Stored {
  readonly source: SourceRow;
  /** Its collections, each with the changes that were found in it, and what is known of these; none where nothing is new. */
  readonly collections: readonly Known[];
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

/** What is stored of some sources, and of those beside them. */
export interface Recalled extends Neighbours {
  /** By id. Sources that another worker has now, or that are not followed any more, are missing. */
  readonly sources: ReadonlyMap<number, Stored>;
}

/**
 * Locks the sources of checks, and reads all that decides what becomes of their facts: with as many statements for one
 * source as for hundreds.
 *
 * @param now UTC seconds
 */
export async function recall(
  transaction: Transaction<Schema>,
  checks: readonly Check[],
  now: number,
): Promise<Recalled> {
  const locked = await lockLeased(
    transaction,
    checks.map(({ source, token }) => ({ id: source.id, host: source.host, token })),
  );
  const held = checks.flatMap(({ source: before, facts }) => {
    const source = locked.get(before.id);
    return source === undefined ? [] : [{ source, before, facts }];
  });
  const addresses = held.flatMap(({ source, facts }) => addressesIn(source, facts));
  const hosts = addresses.map((url) => new URL(url).hostname);
  const changed = held.flatMap(({ source, facts }) => (hasNews(facts) ? [source.id] : []));
  const collections = await collectionsOf(transaction, changed);
  const found = held.flatMap(({ source: { id }, facts }) => {
    if (!hasNews(facts)) return [];
    const named = facts.reading?.collections ?? [];
    const placed = placeCollections(id, named, collections.get(id) ?? [], now);
    return placed.map((one) => foundIn(one, facts.remembered, now));
  });
  const known = await recallChanges(transaction, found, now);
  const bySource = Map.groupBy(known, (one) => one.found.row.source_id);
  const listed = held.filter(({ before, facts }) => before.from_lists === 1 || facts.lists);
  const compared = await comparedCollections(
    transaction,
    listed.map(({ source }) => source.id),
  );
  const watches = await watchesOf(transaction, [
    ...changed,
    ...listed.map(({ source }) => source.id),
  ]);
  const sources = new Map<number, Stored>();
  for (const { source, facts } of held) {
    const { id } = source;
    const [own, watch] = [bySource.get(id) ?? [], watches.get(id)];
    sources.set(id, {
      source,
      collections: own,
      watch,
      pages: await pagesOf(transaction, own, watch),
      compared: compared.get(id),
      twin: await twinOf(transaction, source, facts, watch),
      watcher: await watcherOf(transaction, source, facts, watch),
    });
  }
  return {
    sources,
    sites: new Map(await sourcesAt(transaction, addresses)),
    blocked: addresses.length === 0 ? new Set() : await blockedAmong(transaction, hosts),
  };
}

async function pagesOf(
  transaction: Transaction<Schema>,
  known: readonly Known[],
  watch: WatchRow | undefined,
): Promise<ComparedPages> {
  if (watch?.began_at == null) return new Map();
  const { source_id, began_at, compared_at } = watch;
  const unseen = known.flatMap((one) => unseenIn(one.found.stated, one));
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
