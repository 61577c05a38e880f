import type { ChangeKind } from "@rs-emit/documents";
import type { Quotes } from "./quotes.ts";

/** A feed document. Times are UTC seconds. Texts and URLs are spelled as in the source. */
export interface Feed {
  /** A `tag:` URI (RFC 4151); the same in the feed and in its archives. */
  readonly id: string;
  readonly title: string;
  readonly subtitle?: string | undefined;
  /** A BCP 47 tag. */
  readonly language?: string | undefined;
  readonly rights?: string | undefined;
  /** May be empty: the title is then the author, which RFC 4287, section 4.1.1 requires. */
  readonly authors: readonly string[];
  /** This document's URL; unknown for files that are published later. */
  readonly self?: string | undefined;
  readonly alternate?: string | undefined;
  readonly via?: string | undefined;
  /** Without a version: archives must not change with the program. */
  readonly generator: string;
  /** Precedes the feed. No `--`, and no `-` at the end. */
  readonly comment?: string | undefined;
  readonly hub?: string | undefined;
  readonly updated: number;
  readonly page: FeedPage;
  /** Newest first. */
  readonly entries: readonly FeedEntry[];
}

/** RFC 5005, section 4. URLs may be relative to the document. */
export type FeedPage = SubscriptionPage | ArchivePage;

export interface SubscriptionPage {
  readonly kind: "subscription";
  readonly prevArchive?: string | undefined;
}

export interface ArchivePage {
  readonly kind: "archive";
  readonly current: string;
  readonly prevArchive?: string | undefined;
  /** Absent where the archive is written before the next one exists. */
  readonly nextArchive?: string | undefined;
}

export interface FeedEntry {
  readonly id: string;
  readonly published: number;
  readonly updated: number;
  readonly collection: FeedCollection;
  /** The source's document that lists the changes. */
  readonly via?: string | undefined;
  /** The harvester's own text about the entry, in English: for example, how it found the changes. */
  readonly note?: string | undefined;
  /** Of two changes with the same datetime, the later one here is newer. */
  readonly changes: readonly FeedChange[];
  readonly counts?: GroupCounts | undefined;
  readonly all?: string | undefined;
}

export interface FeedCollection {
  readonly title: string;
  /** What a follower calls its site: in feeds of several sites it stands in place of the address. */
  readonly sourceName?: string | undefined;
  readonly url: string;
  readonly authors: readonly string[];
  readonly language?: string | undefined;
  /** Identifies the entry's origin in feeds of several collections. */
  readonly feedId: string;
  readonly feedUrl?: string | undefined;
}

/** A reported change of a page. */
export interface FeedChange {
  readonly url: string;
  readonly kind: ChangeKind;
  /** UTC seconds: the publication's time; in a log from history, the commit's or file's. */
  readonly datetime: number;
  readonly lastmod?: number | undefined;
  /** The page's name without the site's name; for a deletion, the last known name. */
  readonly title?: string | undefined;
  readonly words?: string | undefined;
  /** The URL of a moved page's other entry. */
  readonly moved?: string | undefined;
  readonly quotes?: Quotes | undefined;
  /** No page of the site exists any more, so nothing links it. */
  readonly isGone?: boolean | undefined;
  /** URL of an archived copy of a deleted page. */
  readonly archived?: string | undefined;
  /** Of interest only to those who mirror the site: only its menu or footer changed, for example. */
  readonly isMinor: boolean;
}

export type Group = "new" | "updated" | "moved" | "deleted" | "minor";

export type GroupCounts = Readonly<Partial<Record<Group, number>>>;
