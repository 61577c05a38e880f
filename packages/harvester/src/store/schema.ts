import type { ChangeKind } from "@rs-emit/documents";
import type { ColumnType, Generated } from "kysely";
import type { Description } from "../model.ts";
import type { Outline } from "../read/reading.ts";

/** The tables, as `migrations/` makes them. Times are UTC seconds. */
export interface Schema {
  readonly source: SourceTable;
  readonly host: HostTable;
  readonly document: DocumentTable;
  readonly collection: CollectionTable;
  readonly seen: SeenTable;
  readonly resource: ResourceTable;
  readonly change: ChangeTable;
  readonly entry: EntryTable;
  readonly feed: FeedTable;
  readonly feed_entry: FeedEntryTable;
  readonly subscription: SubscriptionTable;
}

/** Where a source stands: only one that is followed is checked. */
export type SourceState = "followed" | "gone" | "opted-out" | "blocked";

/** A column that holds JSON: it goes in as text, and comes out as what it says. */
type Json<Value> = ColumnType<Value | null, string | null, string | null>;

export interface SourceTable {
  readonly id: Generated<number>;
  /** What a follower gave. */
  readonly address: string;
  readonly host: string;
  /** Unknown until the first check finds it. */
  readonly description_url: string | null;
  readonly state: ColumnType<SourceState, SourceState | undefined, SourceState>;
  readonly description: Json<Description>;
  /** Seconds between checks, where they are its own. */
  readonly interval: number | null;
  readonly followed_at: number;
  readonly next_check: number | null;
  readonly last_check: number | null;
  readonly last_success: number | null;
  /** When the last change of it was taken. */
  readonly last_change: number | null;
  /** Checks in a row that failed. */
  readonly failures: Generated<number>;
  readonly problem_code: string | null;
  readonly problem: string | null;
  /** What followers should know although nothing failed: a history that was rewritten, say. */
  readonly notice: string | null;
  /** Where permanent redirects have led, and in how many checks in a row. */
  readonly moved_to: string | null;
  readonly moved_sightings: Generated<number>;
  readonly lease: string | null;
  readonly lease_until: number | null;
}

export interface HostTable {
  readonly name: string;
  /** Until when it asked to be left alone. */
  readonly not_before: number | null;
  readonly lease: string | null;
  readonly lease_until: number | null;
}

export interface DocumentTable {
  readonly id: Generated<number>;
  readonly source_id: number;
  /** Whose changes it lists. */
  readonly collection_id: ColumnType<number | null, never, number>;
  readonly url: string;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly hash: string;
  readonly outline: Json<Outline>;
  readonly is_closed: boolean;
  readonly read_at: number;
}

export interface CollectionTable {
  readonly id: Generated<number>;
  readonly source_id: number;
  readonly key: string;
  readonly url: string;
  /** The URL that it had at first: ids come from it, and stay when the site moves. */
  readonly first_url: ColumnType<string, string, never>;
  readonly capability_list_url: string;
  readonly description: Json<Description>;
  /** Changes before this time are remembered and not reported. */
  readonly known_from: number;
  /** The datetime of the newest change that was seen. */
  readonly newest: number | null;
  /** All of its lists have been read once. */
  readonly is_whole: boolean;
  /** Its source still names it. */
  readonly is_listed: boolean;
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

export interface ChangeTable {
  readonly id: Generated<number>;
  readonly collection_id: number;
  /** `null` for a minor change that no entry tells of. */
  readonly entry_id: number | null;
  readonly url: string;
  readonly kind: ChangeKind;
  readonly datetime: number;
  readonly lastmod: number | null;
  readonly title: string | null;
  readonly words: string | null;
  readonly is_minor: boolean;
  readonly taken_at: number;
}

export interface EntryTable {
  readonly id: Generated<number>;
  readonly collection_id: number;
  /** Its `tag:` id. */
  readonly tag: string;
  readonly published: number;
  readonly updated: number;
}

export interface FeedTable {
  /** `all`, `source/ID` or `collection/ID`. */
  readonly key: string;
  /** How many entries it ever had. */
  readonly entries: number;
  readonly updated: number;
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
  /** Notifications are missing: its source is to be polled. */
  readonly has_gap: Generated<boolean>;
}
