import {
  atomFeed,
  calledByName,
  entryTag,
  extract,
  type FeedChange,
  type FeedCollection,
  type FeedEntry,
  loadCatalogues,
  type OwnEntries,
  ownEntryName,
  ownFeedTag,
  periodEnd,
  utcDay,
} from "@rs-emit/feeds";
import type { Collection } from "../model/collections.ts";
import { CHANGE_LIST_INDEX, FEED_COMMENT } from "../model/layout.ts";
import type { Change } from "../model/log.ts";
import { asLogged } from "../model/log-attributes.ts";
import type { HasPage } from "../model/resources.ts";
import type { ValidQuotes } from "../page/texts/valid-quotes.ts";

const MOST_ENTRIES = 50;

/** Seconds before the first publication at which the feed begins: a harvester's first reading tells as many. */
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
 * Atom (RFC 4287). It has an entry for each instant (day, week, month) at which something changed: of the time since thirty
 * days before the first publication, or of the newest day before that. Entries depend on the log alone, and never grow.
 */
export async function composeFeed(facts: FeedFacts): Promise<string> {
  const { collection, file, hub, id, since } = facts;
  const { url, title, author, language } = collection;
  const authors = author === undefined ? [] : [author];
  const catalogueOf = await loadCatalogues([language]);
  const feedId = ownFeedTag(id);
  const self = url + file;
  const about: FeedCollection = { title, url, authors, language, feedId, feedUrl: self };
  const entries: FeedEntry[] = [];
  for await (const changes of newestGroups(facts)) {
    const updated = changes.at(-1)?.datetime ?? since;
    const { shown, counts } = extract(changes.map(toFeedChange(facts)));
    entries.push({
      id: entryTag(id, ownEntryName({ datetime: updated }, facts.entries)),
      published: updated,
      updated,
      collection: about,
      changes: [...shown],
      counts,
      all: url + CHANGE_LIST_INDEX,
    });
  }
  const feed = {
    id: feedId,
    title: catalogueOf(language).feedTitle({ title }),
    subtitle: collection.description,
    language,
    rights: collection.rights,
    authors: authors.length === 0 ? [title] : authors,
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
  return atomFeed(feed, { catalogueOf });
}

/** The changes of each entry, the newest entry first, one in memory at a time. */
async function* newestGroups(facts: FeedFacts): AsyncGenerator<readonly Change[]> {
  let firstDay: string | undefined;
  let count = 0;
  for await (const group of groupsOf(reportedChanges(facts), facts)) {
    if (group.every((change) => isSpent(change, facts))) continue;
    const last = group.at(-1)?.datetime ?? facts.since;
    if (last <= facts.since) firstDay ??= utcDay(Math.min(last, facts.since - PAST));
    if (count === MOST_ENTRIES || (firstDay !== undefined && utcDay(last) < firstDay)) return;
    yield group;
    count += 1;
  }
}

/** All that it said is gone from its page. A change that never had a quote says that the page has news. */
function isSpent(change: Change, { validQuotes }: Pick<FeedFacts, "validQuotes">): boolean {
  const { kind, message, quotes } = change;
  return (
    kind === "updated" && !message && quotes !== undefined && validQuotes(change) === undefined
  );
}

async function* groupsOf(
  newestFirst: AsyncIterable<Change>,
  { entries }: Pick<FeedFacts, "entries">,
): AsyncGenerator<readonly Change[]> {
  let group: Change[] = [];
  let groupName = "";
  for await (const change of newestFirst) {
    const name = ownEntryName(change, entries);
    if (group.length > 0 && name !== groupName) {
      yield group.reverse();
      group = [];
    }
    groupName = name;
    group.push(change);
  }
  if (group.length > 0) yield group.reverse();
}

async function* reportedChanges({ log, minor, entries, now }: FeedFacts): AsyncGenerator<Change> {
  const isOver = ({ datetime }: Change) =>
    entries === "publication" || periodEnd(datetime, entries) <= now;
  for await (const piece of log) {
    for (const change of piece.toReversed()) {
      if ((!change.minor || minor) && isOver(change)) yield change;
    }
  }
}

/** The same words, whether the change is read from the log or new. */
function toFeedChange({
  validQuotes,
  hasPage,
}: Pick<FeedFacts, "validQuotes" | "hasPage">): (change: Change) => FeedChange {
  return (change) => {
    const logged = calledByName({ ...asLogged(change), quotes: validQuotes(change) });
    const { url, kind, datetime, lastmod, title, message, moved, quotes, minor } = logged;
    const words = message;
    const told = { title, words, moved, quotes, isMinor: minor === true };
    const there = kind === "deleted" ? (moved ?? url) : url;
    return { url, kind, datetime, lastmod, ...told, isGone: !hasPage(there) };
  };
}
