import {
  atomFeed,
  calledByName,
  entryTag,
  extract,
  type FeedChange,
  type FeedCollection,
  type FeedEntry,
  instantOf,
  type OwnEntries,
  ownEntryName,
  ownFeedTag,
  ownPeriod,
  periodEnd,
  utcDay,
} from "@rs-emit/feeds";
import type { Collection } from "../model/collections.ts";
import { asLogged } from "../model/entry-attributes.ts";
import { CHANGE_LIST_INDEX, FEED_COMMENT } from "../model/layout.ts";
import type { Change } from "../model/log.ts";
import type { HasPage } from "../model/resources.ts";
import type { ValidQuotes } from "../news/valid-quotes.ts";

const MOST_ENTRIES = 50;

/** Seconds before the first publication at which the feed begins. */
const PAST = 30 * 86_400;

interface FeedFacts {
  readonly collection: Collection & { readonly title: string };
  /** The URL from which ids are made. */
  readonly id: string;
  readonly since: number;
  /** The entry of a period is written when the period is over. */
  readonly now: number;
  readonly file: string;
  readonly hub: string | undefined;
  readonly minor: boolean;
  readonly entries: OwnEntries;
  /** In pieces, newest first, each in log order; read only as far as needed. */
  readonly log: AsyncIterable<readonly Change[]>;
  readonly validQuotes: ValidQuotes;
  /** A deleted page is not linked. */
  readonly hasPage: HasPage;
}

/**
 * Atom (RFC 4287). A first publication without known history is one entry. Otherwise it has one for each day
 * (week, month) of the thirty days before it, or one for the newest change before that. Entries depend on the
 * log alone, and never grow.
 */
export async function composeFeed(facts: FeedFacts): Promise<string> {
  const { collection, file, hub, id, since } = facts;
  const { url, title, author, language } = collection;
  const authors = author === undefined ? [] : [author];
  const feedId = ownFeedTag(id);
  const self = url + file;
  const about: FeedCollection = { title, url, authors, language, feedId, feedUrl: self };
  const entries: FeedEntry[] = [];
  for await (const { name, changes, isFirst = false } of newestGroups(facts)) {
    const updated = isFirst ? since : (changes.at(-1)?.datetime ?? since);
    const { shown, counts } = extract(changes.map(toFeedChange(facts)));
    entries.push({
      id: entryTag(id, name),
      published: updated,
      updated,
      collection: about,
      isFirst,
      changes: [...shown],
      counts,
      all: url + CHANGE_LIST_INDEX,
    });
  }
  const feed = {
    id: feedId,
    title,
    subtitle: collection.description,
    language,
    rights: collection.rights,
    authors,
    self,
    alternate: url,
    via: url + CHANGE_LIST_INDEX,
    hub,
    generator: "rs-emit",
    comment: FEED_COMMENT,
    updated: entries[0]?.updated ?? since,
    page: { kind: "subscription" },
    entries,
  } as const;
  return atomFeed(feed);
}

interface PublicationGroup {
  readonly name: string;
  readonly changes: readonly Change[];
  readonly isFirst?: boolean;
}

/** Newest first, one in memory at a time. */
async function* newestGroups(facts: FeedFacts): AsyncGenerator<PublicationGroup> {
  const firstDay = utcDay(facts.since - PAST);
  let count = 0;
  let isPast = false;
  for await (const group of groupsOf(namedChanges(facts))) {
    const last = group.changes.at(-1)?.datetime ?? facts.since;
    if (count === MOST_ENTRIES || (isPast && utcDay(last) < firstDay)) return;
    yield group;
    count += 1;
    isPast = last <= facts.since;
  }
}

async function* groupsOf(
  newestFirst: AsyncIterable<NamedChange>,
): AsyncGenerator<PublicationGroup> {
  let group: NamedChange[] = [];
  for await (const one of newestFirst) {
    if (group[0] !== undefined && group[0].name !== one.name) {
      yield* groupOf(group);
      group = [];
    }
    group.push(one);
  }
  yield* groupOf(group);
}

function groupOf(newestFirst: readonly NamedChange[]): PublicationGroup[] {
  const [newest] = newestFirst;
  if (newest === undefined) return [];
  const changes = newestFirst.map(({ change }) => change).reverse();
  return [{ name: newest.name, isFirst: newest.isFirst, changes }];
}

interface NamedChange {
  readonly name: string;
  readonly isFirst: boolean;
  readonly change: Change;
}

/** New pages of a first publication and the days before it are one group: times of copied files. */
async function* namedChanges(facts: FeedFacts): AsyncGenerator<NamedChange> {
  const { log, minor, since, entries } = facts;
  const named = (change: Change): NamedChange => ({
    name: ownEntryName(change, since, entries),
    isFirst: false,
    change,
  });
  const pages: Change[] = [];
  let isOfPages = true;
  for await (const piece of log) {
    for (const change of piece.toReversed()) {
      if ((change.minor && !minor) || !isOver(change, facts)) continue;
      if (change.datetime > since) yield named(change);
      else if (isOfPages && change.kind === "created") pages.push(change);
      else {
        if (isOfPages) yield* pages.map(named);
        isOfPages = false;
        yield named(change);
      }
    }
  }
  if (!isOfPages) return;
  for (const change of pages) yield { name: instantOf(since), isFirst: true, change };
}

function isOver({ datetime }: Change, { since, entries, now }: FeedFacts): boolean {
  const period = ownPeriod(datetime, since, entries);
  return period === undefined || datetime <= since || periodEnd(datetime, period) <= now;
}

/** The same words, whether the change is read from the log or new. */
function toFeedChange({
  validQuotes,
  hasPage,
}: Pick<FeedFacts, "validQuotes" | "hasPage">): (change: Change) => FeedChange {
  return (change) => {
    const logged = calledByName({ ...asLogged(change), quotes: validQuotes(change) });
    const { url, kind, datetime, lastmod, title, message, moved, partOf, quotes, minor } = logged;
    const words = message;
    const told = { title, words, moved, partOf, quotes, isMinor: minor === true };
    const there = kind === "deleted" ? (moved ?? url) : url;
    return { url, kind, datetime, lastmod, ...told, isGone: !hasPage(there) };
  };
}
