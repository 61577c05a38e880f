import type { ChangeKind } from "@rs-emit/documents";
import type { ColumnType, Generated } from "kysely";

/**
 * The tables, as `migrations/` makes them. Times are UTC seconds, flags 0 or 1, and what is JSON is text.
 */
export interface Schema {
  readonly source: SourceTable;
  readonly source_check: SourceCheckTable;
  readonly source_day: SourceDayTable;
  readonly host: HostTable;
  readonly document: DocumentTable;
  readonly collection: CollectionTable;
  readonly seen: SeenTable;
  readonly resource: ResourceTable;
  readonly entry: EntryTable;
  readonly change: ChangeTable;
  readonly feed: FeedTable;
  readonly feed_entry: FeedEntryTable;
  readonly subscription: SubscriptionTable;
  readonly ping: PingTable;
}

/** Where a source stands: one that is followed is checked; one that opted out is asked once a week. */
export type SourceState =
  | "followed"
  | "paused"
  | "gone"
  | "opted-out"
  | "blocked"
  /** It is not followed any more, and what is known of it is being deleted. */
  | "unfollowed";

export interface SourceTable {
  readonly id: Generated<number>;
  /** What a follower gave; of an unfollowed source `null`. */
  readonly address: string | null;
  readonly host: string;
  /** Unknown until the first check finds it. */
  readonly description_url: string | null;
  /** The same without its scheme: a site that is served by both is one site. */
  readonly site_key: string | null;
  readonly state: ColumnType<SourceState, SourceState | undefined, SourceState>;
  /** A `Description` as JSON. */
  readonly description: string | null;
  /** What whoever runs the harvester calls it. */
  readonly name: string | null;
  /** Seconds between checks, where they are its own. */
  readonly interval: number | null;
  readonly followed_at: number;
  readonly next_check: number | null;
  readonly last_check: number | null;
  /** When all of its documents were asked for. */
  readonly last_full: number | null;
  /** When they were all asked for without validators. */
  readonly last_unconditional: number | null;
  /** The next check is to be a full one. */
  readonly wants_full: Generated<number>;
  readonly last_success: number | null;
  /** When the last change of it was taken. */
  readonly last_change: number | null;
  /** Checks in a row that failed. */
  readonly failures: Generated<number>;
  readonly problem_code: string | null;
  readonly problem: string | null;
  /** What followers should know although nothing failed: a history that was rewritten, say. */
  readonly notice: string | null;
  /** What its author should know: texts as a JSON array. */
  readonly notes: string | null;
  /** Where permanent redirects have led, and in how many checks in a row. */
  readonly moved_to: string | null;
  readonly moved_sightings: Generated<number>;
  /** Checks since the last one in `source_check`, which told nothing. */
  readonly quiet_checks: Generated<number>;
  /** How many checks were ever kept in `source_check`. */
  readonly noted_checks: Generated<number>;
}

/** One of the last checks of a source that told something, failed, or found something changed. */
export interface SourceCheckTable {
  readonly source_id: number;
  /** Its place among those that are kept; used again by later ones. */
  readonly slot: number;
  /** Counts those of the source, from 0. */
  readonly number: number;
  readonly time: number;
  /** Changes that entries tell since. */
  readonly told: number;
  /** Quiet checks between the one before and this one. */
  readonly quiet: number;
  readonly problem_code: string | null;
  readonly problem: string | null;
}

/** What was taken of a source on a day: its newest entries on that day are the last ones of its feed then. */
export interface SourceDayTable {
  readonly source_id: number;
  /** The UTC day, counted from 1970-01-01. */
  readonly day: number;
  /** How many entries were taken on it. */
  readonly entries: number;
  /** The place of the newest of them in the source's feed. */
  readonly last: number;
  /** When the newest of them was taken. */
  readonly taken_at: number;
}

export interface HostTable {
  readonly name: string;
  /** When its first source is due; `null` where none is. */
  readonly due_at: number | null;
  /** A source of it was never checked. */
  readonly is_new: Generated<number>;
  /** Until when it asked to be left alone. */
  readonly not_before: number | null;
  /** The token of the worker that asks it, and until when by the database's clock. */
  readonly lease: string | null;
  readonly lease_until: number | null;
  /** Its robots.txt as it was read last: a `KnownRobots` as JSON. */
  readonly robots: string | null;
  /** Nothing there is followed. */
  readonly is_blocked: Generated<number>;
}

export interface DocumentTable {
  readonly id: Generated<number>;
  readonly source_id: number;
  /** Whose changes it lists. */
  readonly collection_id: number | null;
  readonly url: string;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly fresh_until: number | null;
  readonly hash: string;
  /** An `Outline` as JSON. */
  readonly outline: string | null;
  readonly is_closed: number;
}

export interface CollectionTable {
  readonly id: Generated<number>;
  readonly source_id: number;
  readonly key: string;
  readonly url: string;
  /** The URL that it had at first: ids come from it, and stay when the site moves. */
  readonly first_url: string;
  readonly capability_list_url: string;
  /** A `Description` as JSON. */
  readonly description: string | null;
  /** Changes before this time are remembered and not reported. */
  readonly known_from: number;
  /** The datetime of the newest change that was seen. */
  readonly newest: number | null;
  /** All of its lists have been read once. */
  readonly is_whole: number;
  /** Its source still names it. */
  readonly is_listed: number;
}

export interface SeenTable {
  readonly collection_id: number;
  readonly identity: string;
  /** The list it stands in; 0 where it stands in none any more. */
  readonly document_id: number;
  readonly datetime: number;
}

export interface ResourceTable {
  readonly collection_id: number;
  /** A digest of its URL. */
  readonly key: string;
  readonly hash: string;
  readonly datetime: number;
}

export interface EntryTable {
  readonly id: Generated<number>;
  readonly collection_id: number;
  /** The group's name, and which entry of that name it is: together with the collection its `tag:` id. */
  readonly name: string;
  readonly part: number;
  /** When it was published, as its feed says. */
  readonly time: number;
  readonly taken_at: number;
  /** How many pages it has of each group (`PageCounts`), as JSON. */
  readonly counts: string;
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
  readonly is_minor: number;
  /** Feeds and pages show it: it is among the newest of its entry. */
  readonly is_shown: number;
}

export interface FeedTable {
  /** `all`, `source/ID` or `collection/ID`. */
  readonly key: string;
  /** How many entries it ever had. */
  readonly entries: number;
  readonly updated: number;
  /** Raised whenever a document of it may say something else. */
  readonly version: number;
}

export interface FeedEntryTable {
  readonly feed: string;
  /** Its place, counted from 1. */
  readonly number: number;
  readonly entry_id: number;
}

/**
 * Where a subscription stands (WebSub, section 5): it is wanted, the hub was asked for it, has confirmed or
 * denied it; or it is not wanted any more, and the hub may know.
 */
export type SubscriptionState = "wanted" | "asked" | "active" | "denied" | "ending" | "ended";

export interface SubscriptionTable {
  readonly id: Generated<number>;
  /** `null` where the collection is gone, or has another channel: it ends then. */
  readonly collection_id: number | null;
  readonly topic: string;
  readonly hub: string;
  /** The part of the callback's URL that nobody can guess. */
  readonly token: string;
  readonly secret: string;
  readonly state: SubscriptionState;
  /** When the hub is asked next: for it, for more time, or for its end. */
  readonly due_at: number;
  /** Times in a row that the hub was asked and has not confirmed. */
  readonly failures: Generated<number>;
  /** When the hub ends it. */
  readonly lease_until: number | null;
  /** Up to when notifications have told everything (`until` of the newest one). */
  readonly told_until: number | null;
}

/** A feed that our own hub is to be told of. */
export interface PingTable {
  readonly feed: string;
  readonly due_at: number;
  readonly failures: Generated<number>;
  /** Raised with each change of the feed: a ping that was under way meanwhile is sent again. */
  readonly version: number;
}
