import type { ChangeKind } from "@rs-emit/documents";
import type { ColumnType, Generated, Kysely } from "kysely";

export type Database = Kysely<Schema>;

/** The tables of `migrations.ts`. Times are UTC seconds, flags 0 or 1, JSON is text. */
export interface Schema {
  readonly source: SourceTable;
  readonly merged_source: MergedSourceTable;
  readonly source_label: SourceLabelTable;
  readonly source_check: SourceCheckTable;
  readonly source_day: SourceDayTable;
  readonly host: HostTable;
  readonly document: DocumentTable;
  readonly collection: CollectionTable;
  readonly seen: SeenTable;
  readonly listing: ListingTable;
  readonly entry: EntryTable;
  readonly change: ChangeTable;
  readonly feed: FeedTable;
  readonly feed_entry: FeedEntryTable;
  readonly subscription: SubscriptionTable;
  readonly ping: PingTable;
  readonly session: SessionTable;
  readonly polling: PollingTable;
  readonly polled_list: PolledListTable;
  readonly polled_page: PolledPageTable;
}

export type SourceState =
  | "followed"
  | "paused"
  | "gone"
  | "opted-out"
  | "blocked"
  /** Being deleted. */
  | "unfollowed";

/** How a source does, as its checks have found: `check/decide-condition.ts` decides it. */
export type Condition =
  /** It was not checked yet, or not since its sitemap was chosen. */
  | "waiting"
  | "well"
  | Unfollowed
  /** It was well, or a part of it is. */
  | "troubled"
  /** No check has succeeded so far. */
  | "not-read";

/** What a site without a Change List publishes besides, best first: a feed counts where it has no list of its pages. */
export type Published = "sitemap" | "feed" | "nothing";

/** It publishes no Change List, never did, and is not followed by its sitemap: what it publishes besides, where that is known. */
export type Unfollowed = `has-${Published}` | "no-change-log";

/** By what a source is followed. */
export type FollowedBy = "log" | "sitemap";

export interface SourceTable {
  readonly id: Generated<number>;
  /** As given, a bare name without scheme; `null` for an unfollowed source. */
  readonly address: string | null;
  readonly host: string;
  readonly description_url: string | null;
  /** `description_url` without scheme, if `address` is on its host. Sources with one are the same site. */
  readonly site_key: string | null;
  readonly state: ColumnType<SourceState, SourceState | undefined, SourceState>;
  readonly description: string | null;
  /** Given by a follower: it stands above the site's own title. */
  readonly name: string | null;
  /** Seconds; `null` for the default. */
  readonly interval: number | null;
  readonly followed_at: number;
  /** When a list that was imported last named it: the same for all of the list. */
  readonly listed_at: number | null;
  readonly next_check: number | null;
  readonly last_check: number | null;
  /** The last full check. */
  readonly last_full: number | null;
  /** The last full check without validators. */
  readonly last_unconditional: number | null;
  /** The next check is full. */
  readonly wants_full: Generated<number>;
  readonly last_success: number | null;
  readonly last_change: number | null;
  /** In a row. */
  readonly failures: Generated<number>;
  /** Checks that have begun since the last one that ended: one while it is checked, or more where workers were killed. */
  readonly unfinished_checks: Generated<number>;
  readonly problem_code: string | null;
  readonly problem: string | null;
  /** What was found at an address: a cause that other sites may have, too. */
  readonly finding: string | null;
  /** For followers, such as a re-dated log. */
  readonly notice: string | null;
  /** For its author: a JSON array of texts. */
  readonly notes: string | null;
  /** The target of permanent redirects, and how many checks in a row saw it. */
  readonly moved_to: string | null;
  readonly moved_sightings: Generated<number>;
  /** Checks without news since the last row of `source_check`. */
  readonly checks_without_news: Generated<number>;
  /** Rows ever written to `source_check`. */
  readonly checks_kept: Generated<number>;
  /** A follower has chosen that its lists of pages are compared while it publishes no Change List. */
  readonly polls_sitemap: Generated<number>;
  /** Checks, each on another day, that found nothing left of its log, and when the last one was. */
  readonly lost_checks: Generated<number>;
  readonly lost_at: number | null;
  /** When it was last searched for a Change List, and had none: only where its lists of pages are compared. */
  readonly searched_at: number | null;
  /** As far as its last check knows; `null` if nothing was found, or nothing is left. */
  readonly followed_by: FollowedBy | null;
  readonly condition: Generated<Condition>;
  /** When its condition became what it is; `null` before its first check. */
  readonly condition_since: number | null;
  /** The address of its own feed, where it publishes that alone. */
  readonly own_feed: string | null;
  /** The entry up to which `--json` has printed what it reports. */
  readonly printed_entry: Generated<number>;
}

/** A source that turned out to be the site of another one, and ended: who looks for it is led there. */
export interface MergedSourceTable {
  readonly source_id: number;
  readonly into_id: number;
  readonly address: string;
  readonly merged_at: number;
}

/** Followers' words for several sources: folders of a list that was imported. */
interface SourceLabelTable {
  readonly source_id: number;
  readonly label: string;
}

export interface SourceCheckTable {
  readonly source_id: number;
  /** Reused for newer rows. */
  readonly slot: number;
  /** Counts the source's rows from 0. */
  readonly number: number;
  readonly time: number;
  /** Changes in new entries. */
  readonly reported: number;
  /** Checks without news before this one. */
  readonly without_news: number;
  readonly problem_code: string | null;
  readonly finding: string | null;
}

/** The entries of a source with times on one day, whenever they were taken. */
export interface SourceDayTable {
  readonly source_id: number;
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly entries: number;
  /** The last place that one of them has in the source's feed. */
  readonly last: number;
  /** The newest of them, as a JSON array of `PlacedEntry`. */
  readonly newest: string;
  /** The newest one's time. */
  readonly time: number;
}

export interface HostTable {
  readonly name: string;
  readonly due_at: number | null;
  /** It has a source that was never checked. */
  readonly is_new: Generated<number>;
  /** From `Retry-After`. */
  readonly not_before: number | null;
  /** The lease's token; `lease_until` is by the database's clock. */
  readonly lease: string | null;
  readonly lease_until: number | null;
  /** A `KnownRobots` as JSON. */
  readonly robots: string | null;
  /** Nothing on it may be followed. */
  readonly is_blocked: Generated<number>;
}

export interface DocumentTable {
  readonly id: Generated<number>;
  readonly source_id: number;
  /** The collection whose changes it lists. */
  readonly collection_id: number | null;
  readonly url: string;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly fresh_until: number | null;
  readonly hash: string;
  /** JSON. */
  readonly summary: string | null;
  readonly is_closed: number;
}

export interface CollectionTable {
  readonly id: Generated<number>;
  readonly source_id: number;
  readonly key: string;
  readonly url: string;
  /** Ids derive from it, and survive a move. */
  readonly first_url: string;
  /** Identities are relative to it: the first URL, at the address that the site has now. */
  readonly base_url: string;
  readonly capability_list_url: string;
  /** Where its changes are pushed (Change Notification 1.0.1), and by which hub. */
  readonly topic: string | null;
  readonly hub: string | null;
  /** JSON. */
  readonly description: string | null;
  /** Earlier changes are not reported. */
  readonly known_from: number;
  /** It has had changes. Until then, what is read of it is its past. */
  readonly has_changes: Generated<number>;
  /** All of its lists were read once. */
  readonly is_whole: number;
  /** Its source still lists it. */
  readonly is_listed: number;
  /**
   * Its changes were found by comparing lists. Its `capability_list_url` is the first of those lists: where the
   * changes come from.
   */
  readonly is_compared: Generated<number>;
}

export interface SeenTable {
  readonly collection_id: number;
  readonly identity: string;
  /** A digest of its URL within the collection. */
  readonly resource: string;
  readonly kind: ChangeKind;
  readonly datetime: number;
  /** As the source writes it. */
  readonly hash: string | null;
}

/** A list has a change, as of its last reading. */
interface ListingTable {
  readonly collection_id: number;
  readonly identity: string;
  readonly document_id: number;
}

interface EntryTable {
  readonly id: Generated<number>;
  readonly collection_id: number;
  /** The group's name and part: with the collection, the `tag:` id. */
  readonly name: string;
  readonly part: number;
  readonly time: number;
  readonly taken_at: number;
  /** `PageCounts` as JSON. */
  readonly counts: string;
  /** The same for combined feeds; `null` if no other collection of the source had reported any of its changes. */
  readonly combined_counts: string | null;
  /** The harvester's own words on it. */
  readonly note: string | null;
  /** The feed of everything shows it: it reports a change that no other collection of the source had reported. */
  readonly is_combined: Generated<number>;
}

export interface ChangeTable {
  readonly id: Generated<number>;
  readonly entry_id: number;
  readonly url: string;
  readonly kind: ChangeKind;
  readonly datetime: number;
  readonly lastmod: number | null;
  readonly title: string | null;
  readonly words: string | null;
  /** URL of an archived copy of a deleted page. */
  readonly archived: string | null;
  /** Of a page that moved: the URL of its other entry. */
  readonly moved: string | null;
  /** What the page says now, as the log has it: see `quotesToAttribute`. */
  readonly quotes: string | null;
  readonly is_minor: number;
  /** What it reports, whichever collection of its source does: the source's id, and a digest of URL, instant and kind. */
  readonly event: string;
  /** Where it is among the newest of its entry, which are shown; `null` for nowhere. */
  readonly shown_in: ShownIn | null;
}

/** The feed of its collection; feeds of several collections, which are combined feeds; both. */
export type ShownIn = "own" | "combined" | "both";

interface FeedTable {
  readonly key: string;
  readonly entries: number;
  readonly updated: number;
  /** Raised with every change of a document. */
  readonly version: number;
}

interface FeedEntryTable {
  readonly feed: string;
  readonly number: number;
  readonly entry_id: number;
}

/** WebSub, section 5. Subscriptions that are `ending` or `ended` are no longer wanted. */
export type SubscriptionState = "wanted" | "asked" | "active" | "denied" | "ending" | "ended";

export interface SubscriptionTable {
  readonly id: Generated<number>;
  /** `null` ends the subscription: the collection is gone, or has another channel. */
  readonly collection_id: number | null;
  readonly topic: string;
  readonly hub: string;
  /** The secret part of the callback URL. */
  readonly token: string;
  readonly secret: string;
  readonly state: SubscriptionState;
  readonly due_at: number;
  /** In a row. */
  readonly failures: Generated<number>;
  readonly lease_until: number | null;
  /** Notifications are complete up to here (`until` of the newest). */
  readonly covered_until: number | null;
}

interface PingTable {
  readonly feed: string;
  readonly due_at: number;
  readonly failures: Generated<number>;
  /** Raised with each change of the feed, so that a ping under way is repeated. */
  readonly version: number;
}

/** A browser that has signed in. Signing out deletes it. */
interface SessionTable {
  readonly id: string;
  readonly until: number;
}

/** Why the dates (`lastmod`) of a site's lists are ignored. */
export type Distrust = "together" | "equal";

/** A site whose lists of pages are compared. */
export interface PollingTable {
  readonly source_id: number;
  /** The addresses of its lists, or of their indexes, as a JSON array. */
  readonly roots: string;
  /** The host whose pages they list. */
  readonly site: string;
  /** When its lists were read first. */
  readonly began_at: number;
  /** When they were read last, all of them. */
  readonly compared_at: number | null;
  /** Why its `lastmod` are not believed (`Distrust`), and in how many checks since, in a row, few of them moved. */
  readonly distrust: Distrust | null;
  readonly steady_checks: Generated<number>;
  /** Pages that are known, those that are missing, and those whose `lastmod` moves at every check. */
  readonly pages: Generated<number>;
  readonly missing: Generated<number>;
  readonly moving: Generated<number>;
  /** Pages that are left out: most of their list is new, and was not listed again. */
  readonly strange: Generated<number>;
  /** Pages in lists that have neither a date nor a hash: their updates cannot be seen. */
  readonly undated: Generated<number>;
  /** Entries whose `lastmod` cannot be read, and those without `loc`. */
  readonly unread_dates: Generated<number>;
  readonly missing_locs: Generated<number>;
  /** More than half are missing: none is reported as gone before a person confirms it. */
  readonly awaits_confirmation: Generated<number>;
  /** How many pages were known when that began; `null` if it is not so. Pages that come later do not count. */
  readonly pages_before: number | null;
  /** When a person has looked: what was missing by then is gone. */
  readonly confirmed_at: number | null;
}

/** A Resource List, a sitemap, or an index of them. */
interface PolledListTable {
  readonly id: Generated<number>;
  readonly source_id: number;
  readonly url: string;
  readonly etag: string | null;
  readonly last_modified: string | null;
  /** SHA-256 of its bytes, in hex; none before it was read. */
  readonly hash: string | null;
  /** What its index says of its version: a `hash` or a `lastmod`. */
  readonly stamp: string | null;
  /** Of an index the addresses of its parts, as a JSON array. */
  readonly parts: string | null;
  /** It was named when the comparison began, and never read since: what it lists then is no news. */
  readonly is_baseline: Generated<number>;
  readonly pages: Generated<number>;
  /** Keys of new pages that were left out, or some of them, as a JSON array. */
  readonly strange: Generated<string>;
  /** Its entries without `loc`, which were left out. */
  readonly missing_locs: Generated<number>;
  /** Its entries whose `lastmod` could be read, and could not; and that date if all that could are equal. */
  readonly dated: Generated<number>;
  readonly unread_dates: Generated<number>;
  readonly only_date: number | null;
}

/** A page as the lists had it when they were last compared. */
interface PolledPageTable {
  readonly source_id: number;
  /** A digest of its URL. */
  readonly key: string;
  readonly url: string;
  /** The id of the list that it stood in last. */
  readonly list: number;
  readonly lastmod: number | null;
  /** One digest, as `algorithm:hex`. */
  readonly hash: string | null;
  /** Checks in a row in which its `lastmod` moved. */
  readonly moves: Generated<number>;
  readonly missing_since: number | null;
}
