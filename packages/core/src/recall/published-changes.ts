import { EMIT, foreignValue, type ParsedDocument } from "@rs-emit/documents";
import { isFolder } from "../model/file-system.ts";
import {
  CAPABILITY_LIST,
  CHANGE_LIST_INDEX,
  isNoLogMarker,
  SOURCE_DESCRIPTION,
} from "../model/layout.ts";
import type { Change, ChangeListReference } from "../model/log.ts";
import { parseSiteUrl } from "../model/site-address.ts";
import { type ValidQuotes, validQuotesIn } from "../page/texts/valid-quotes.ts";
import { parseList, readIndex } from "./change-lists.ts";
import { CollectionStore } from "./collection-store.ts";
import { folderOf } from "./description.ts";
import { type DocumentStore, FolderStore, StoredDocument } from "./document-store.ts";
import { noLogError } from "./errors.ts";
import { SiteStore } from "./live-site.ts";
import { refuseNoLogFile } from "./nothing-published.ts";
import { readSnapshot } from "./snapshot.ts";

/** A change and the collection whose log contains it. */
export interface PublishedChange extends Change {
  readonly collection: string;
}

/** The published change logs of a site, or of one of its collections. */
export interface PublishedChanges {
  /** The URL that the documents were published under; ends with a slash. */
  readonly site: string;
  readonly collections: readonly string[];
  /**
   * Newest first. One Change List of each collection is in memory at a time.
   * @param since UTC seconds: only changes of that time or later
   */
  read(collections: readonly string[], since?: number): AsyncGenerator<PublishedChange>;
  /** Like `read`, without quotes whose text is no longer on its page. */
  readWithQuotes(collections: readonly string[], since?: number): AsyncGenerator<PublishedChange>;
  /** @throws {EmitError} `NO_LOG` `NEWER_FORMAT` `DAMAGED_DOCUMENT` */
  lastOf(collection: string): Promise<LastPublication>;
}

export interface LastPublication {
  /** UTC seconds. */
  readonly time: number;
  /** Absent after a first publication. */
  readonly previous: number | undefined;
  /** Change Lists that are not closed; URLs, as the following. */
  readonly openLists: readonly string[];
  readonly index: string;
  readonly capabilityList: string;
  /** Of its notifications; absent without a hub. */
  readonly topic: string | undefined;
}

/**
 * Opens published documents to read their changes.
 * @param where a folder, or the URL of a site or of one of its collections
 * @throws {EmitError} `NO_LOG` where nothing was published, `LOG_ELSEWHERE` where a build went on without the
 * log, `DAMAGED_DOCUMENT` `MISSING_DOCUMENT` `SITE_UNREACHABLE`
 */
export async function openPublished(where: string): Promise<PublishedChanges> {
  const store = storeOf(where);
  const places = (await placesOfSource(store)) ?? (await placesOfCollection(store));
  const [first] = places ?? [];
  if (places === undefined || first === undefined) {
    await refuseNoLogFile(store);
    throw noLogError(store.place);
  }
  const logsOf = (collections: readonly string[], since = Number.NEGATIVE_INFINITY) =>
    places.flatMap(({ place }) =>
      collections.includes(place.url) ? [{ place, log: newestOf(place, since) }] : [],
    );
  return {
    site: first.site,
    collections: places.map(({ place }) => place.url),
    read: (collections, since) =>
      mergedNewestFirst(logsOf(collections, since).map(({ log }) => log)),
    readWithQuotes: (collections, since) =>
      mergedNewestFirst(logsOf(collections, since).map(({ place, log }) => validIn(place, log))),
    lastOf: async (collection) => {
      const found = places.find(({ place }) => place.url === collection);
      if (found === undefined) throw noLogError(collection);
      return lastIn(found);
    },
  };
}

async function lastIn({ place, topic }: FoundCollection): Promise<LastPublication> {
  const index = await readIndex(place);
  if (index === undefined) throw noLogError(place.url);
  const open = index.lists.filter(({ until }) => until === undefined);
  return {
    time: index.publication,
    previous: index.previous,
    openLists: open.map(({ name }) => place.url + name),
    index: place.url + CHANGE_LIST_INDEX,
    capabilityList: place.url + CAPABILITY_LIST,
    topic,
  };
}

function storeOf(where: string): DocumentStore {
  if (!/^https?:/i.test(where)) {
    if (!isFolder(where)) throw noLogError(where);
    return new FolderStore(where);
  }
  const site = parseSiteUrl("url", where);
  return new SiteStore({ site, first: false, cacheFolder: undefined });
}

interface FoundCollection {
  readonly place: CollectionStore;
  readonly site: string;
  readonly topic: string | undefined;
}

async function placesOfSource(
  store: DocumentStore,
): Promise<readonly FoundCollection[] | undefined> {
  const bytes = await store.bytes(SOURCE_DESCRIPTION);
  // The documents may still be beside the no-log file.
  if (bytes && isNoLogMarker(bytes)) return undefined;
  const description = await new StoredDocument(store, SOURCE_DESCRIPTION).readOurs(
    "source-description",
  );
  if (description === undefined) return undefined;
  const found: FoundCollection[] = [];
  for (const { loc, metadata } of description.entries) {
    if (metadata === undefined || foreignValue(metadata, EMIT, "since") === undefined) continue;
    const known = found.map(({ site }) => site).find((site) => loc.startsWith(site));
    const paths = known === undefined ? suffixesOf(loc) : [loc.slice(known.length)];
    for (const path of paths) {
      const folder = folderOf(path.slice(0, -CAPABILITY_LIST.length));
      const place = folder === undefined ? undefined : await placeAt(store, folder);
      if (place === undefined) continue;
      found.push(place);
      break;
    }
  }
  return found.length === 0 ? undefined : found;
}

async function placesOfCollection(
  store: DocumentStore,
): Promise<readonly FoundCollection[] | undefined> {
  const found = await placeAt(store, "");
  return found && [found];
}

async function placeAt(store: DocumentStore, folder: string): Promise<FoundCollection | undefined> {
  const list = await new StoredDocument(store, folder + CAPABILITY_LIST).readOurs(
    "capability-list",
  );
  const url = list && linkOf(list, "describes");
  const up = list && linkOf(list, "up");
  if (url === undefined || !up?.endsWith(SOURCE_DESCRIPTION)) return undefined;
  const site = up.slice(0, -SOURCE_DESCRIPTION.length);
  const topic = list?.entries.find(({ metadata }) => metadata?.capability === NOTIFICATIONS)?.loc;
  return { place: new CollectionStore(store, folder, url, { base: site, site }), site, topic };
}

const NOTIFICATIONS = "change-notification";

function linkOf({ links }: ParsedDocument, rel: string): string | undefined {
  return links.find((link) => link.rel === rel)?.href;
}

/** Possible places in a folder under any base path: `a/b.xml`, then `b.xml`. */
function suffixesOf(loc: string): string[] {
  const segments = new URL(loc).pathname.split("/").slice(1);
  return segments.map((_, position) => segments.slice(position).join("/"));
}

async function* newestOf(place: CollectionStore, since: number): AsyncGenerator<PublishedChange> {
  const { lists = [], id = place.url } = (await readIndex(place)) ?? {};
  const identified = place.identified(id);
  for (const list of lists.toReversed()) {
    if (list.until !== undefined && list.until < since) return;
    for (const change of (await readEntriesOf(identified, list)).toReversed()) {
      if (change.datetime < since) return;
      yield { ...change, collection: place.url };
    }
  }
}

/** The Resource List is read at the first change with quotes. */
async function* validIn(
  place: CollectionStore,
  log: AsyncGenerator<PublishedChange>,
): AsyncGenerator<PublishedChange> {
  let validQuotes: ValidQuotes | undefined;
  for await (const change of log) {
    if (change.quotes !== undefined) {
      validQuotes ??= validQuotesIn((await readSnapshot(place))?.entries.values() ?? []);
    }
    yield validQuotes === undefined ? change : { ...change, quotes: validQuotes(change) };
  }
}

async function readEntriesOf(place: CollectionStore, { name, hash }: ChangeListReference) {
  const document = place.document(name);
  const digest = await document.digest(hash);
  if (digest === undefined) throw document.missing("the Change List Index names it.");
  return (await parseList(place, name, digest)).entries;
}

async function* mergedNewestFirst(
  logs: readonly AsyncGenerator<PublishedChange>[],
): AsyncGenerator<PublishedChange> {
  const heads = await Promise.all(logs.map(async (log) => ({ log, next: await log.next() })));
  for (;;) {
    let newest: (typeof heads)[number] | undefined;
    for (const head of heads) {
      if (head.next.done) continue;
      const isNewer =
        newest?.next.done !== false || head.next.value.datetime > newest.next.value.datetime;
      if (isNewer) newest = head;
    }
    if (newest === undefined || newest.next.done) return;
    yield newest.next.value;
    newest.next = await newest.log.next();
  }
}
