import { linkedBytes, publishedBytes } from "./insertions.ts";
import type { Entry } from "./log.ts";
import { named } from "./names.ts";
import { isPage, markupOf, type OwnContent, ownContent, sha256, typeOf } from "./page.ts";
import type { Site, Standing } from "./site.ts";

/** What the last publication said of a resource. */
export interface Known {
  readonly url: string;
  /** The file that made it. */
  readonly file: string;
  readonly hash: string;
  readonly length: number;
  readonly type: string;
  readonly title?: string;
  readonly content: OwnContent | undefined;
  readonly markup: string | undefined;
  readonly lastmod: number;
  /** The note that was last told of it; empty where none was. */
  readonly told: string;
}

/** What one collection has published. */
export interface CollectionState {
  readonly log: readonly Entry[];
  readonly snapshot: ReadonlyMap<string, Known>;
  /**
   * Keys of the pages that stood and were no resources when it last changed: those below its URL, and
   * those outside every collection.
   */
  readonly withheld: ReadonlySet<string>;
  /**
   * Pages that left though their files stood, by a publication that was cut short: until the next
   * one is whole, it is known that they did not begin to exist.
   */
  readonly left: ReadonlyMap<string, Known>;
  /** The publication that last changed it. */
  readonly time: number;
  /** Where its log begins: with its first entry, or when it was published without any. */
  readonly from: number;
}

/** What was published, by the URL of the collection. Empty before the first publication. */
export type State = ReadonlyMap<string, CollectionState>;

/** What the last snapshot knows of a page with the same bytes, wherever it stood. */
export function sameBytes(
  page: Standing,
  site: Site,
  before: Iterable<CollectionState>,
): Known | undefined {
  const hash = sha256(linkedBytes(page, site));
  return [...before]
    .flatMap(({ snapshot }) => [...snapshot.values()])
    .findLast((was) => was.hash === hash);
}

export function contentOf({ file, page }: Standing, site: Site): OwnContent | undefined {
  return isPage(file) ? ownContent(page, site.choices.content) : undefined;
}

/** The file's time, where it is news; else the datetime. Evidence from the future counts as now. */
export function lastmodOf({ modified }: Standing, was: Known | undefined, time: number): number {
  return was && modified <= was.lastmod ? time : Math.min(modified, time);
}

/**
 * A resource as a publication would describe it, but for what is written into its list of changes;
 * see `finished`.
 */
export function known(
  standing: Standing,
  site: Site,
  { url, content, lastmod, told }: Pick<Known, "url" | "content" | "lastmod" | "told">,
): Known {
  const { file, page } = standing;
  const bytes = linkedBytes(standing, site);
  return {
    url,
    file,
    hash: sha256(bytes),
    length: bytes.length,
    type: typeOf(file),
    ...(isPage(file) && page.title !== "" ? { title: page.title } : {}),
    content,
    markup: markupOf(file, page),
    lastmod,
    told,
  };
}

/** The digests of a collection's pages as they are published, by their keys. */
export function finished(
  collection: string,
  log: readonly Entry[],
  site: Site,
): ReadonlyMap<string, Pick<Known, "hash" | "length">> {
  const pages = site.standing().filter((page) => page.collection === collection);
  return new Map(
    pages.map((page) => {
      const bytes = publishedBytes(page, site, log);
      return [page.key, { hash: sha256(bytes), length: bytes.length }];
    }),
  );
}

/** A collection after a publication that changed it. */
export function published(
  collection: string,
  log: readonly Entry[],
  snapshot: ReadonlyMap<string, Known>,
  site: Site,
  time: number,
): CollectionState {
  const withheld = site.standing().filter((one) => {
    const isOutside = !one.withheld && one.collection === undefined;
    return isOutside || (one.withheld && one.url.startsWith(collection));
  });
  return {
    log,
    snapshot,
    withheld: new Set(withheld.map(({ key }) => key)),
    left: new Map(),
    time,
    from: log[0]?.datetime ?? time,
  };
}

/** A change of a continuation carries what the snapshot must know. */
export function entryOf(
  kind: "created" | "updated",
  { url, hash, length, type, title, lastmod }: Known,
  datetime: number,
  minor: boolean,
  message: string | undefined,
): Entry {
  return {
    ...{ url, kind, datetime, lastmod, hash, length, type },
    ...(title === undefined ? {} : { title }),
    ...(minor ? { minor } : {}),
    ...(message === undefined ? {} : { message }),
  };
}

/** A deletion carries the last title. */
export function deletionOf({ url, title }: Known, time: number): Entry {
  const entry: Entry = { url, kind: "deleted", datetime: time, lastmod: time };
  return title === undefined ? entry : { ...entry, title };
}

/** By datetime, then lastmod, then URL. */
export function inOrder(one: Entry, other: Entry): number {
  return (
    one.datetime - other.datetime ||
    one.lastmod - other.lastmod ||
    (one.url < other.url ? -1 : Number(one.url > other.url))
  );
}

/** A collection as it stands after its first publication, by the log that history told. */
export function toldState(
  collection: string,
  log: readonly Entry[],
  site: Site,
  time: number,
): CollectionState {
  const lastmods = new Map(log.map(({ url, lastmod }) => [url, lastmod]));
  const snapshot = new Map<string, Known>();
  for (const page of site.standing()) {
    if (page.collection !== collection) continue;
    const { url } = page;
    const lastmod = lastmods.get(url) ?? Number.NaN;
    const content = contentOf(page, site);
    const told = lastmods.has(url) && isPage(page.file) ? page.page.note : "";
    snapshot.set(page.key, known(page, site, { url, content, lastmod, told }));
  }
  const titles = new Map([...snapshot.values()].map(({ url, title }) => [url, title]));
  const titled = log
    .map((entry): Entry => {
      // Git knows what a page was called then, and beside which others.
      if (entry.title !== undefined) return entry;
      const title = titles.get(entry.url);
      return title === undefined ? entry : named({ ...entry, title }, collection, site);
    })
    .toSorted(inOrder);
  for (const [key, digest] of finished(collection, titled, site)) {
    const page = snapshot.get(key);
    if (page !== undefined) snapshot.set(key, { ...page, ...digest });
  }
  return published(collection, titled, snapshot, site, time);
}
