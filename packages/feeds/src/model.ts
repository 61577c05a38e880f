import type { ChangeKind } from "@rs-emit/documents";

/**
 * A document of a feed: what is told, before it is Atom. Times are UTC seconds since 1970. Texts and
 * URLs stand here as their sources spell them: making them harmless is the renderer's part.
 */
export interface Feed {
  /** A `tag:` URI (RFC 4151); the same in the feed and in its archives. */
  readonly id: string;
  readonly title: string;
  readonly subtitle?: string | undefined;
  /** A BCP 47 tag. */
  readonly language?: string | undefined;
  readonly rights?: string | undefined;
  /** Without any, the title stands in: Atom requires an author (RFC 4287, section 4.1.1). */
  readonly authors: readonly string[];
  /** Where this very document stands; unknown for files that are published somewhere later. */
  readonly self?: string | undefined;
  /** What the feed is about: the collection, the site, or the page that shows the feed. */
  readonly alternate?: string | undefined;
  /** The document of the source that it is taken from. */
  readonly via?: string | undefined;
  /** The program that makes it, without a version: an archive must not change because that did. */
  readonly generator: string;
  /** Stands before the feed: text without `--`, and without `-` at its end. */
  readonly comment?: string | undefined;
  /** The WebSub hub that pushes the feed. */
  readonly hub?: string | undefined;
  readonly updated: number;
  readonly page: FeedPage;
  /** Newest first. */
  readonly entries: readonly FeedEntry[];
}

/** Which part of a feed a document is (RFC 5005, section 4). Its links may be relative to it. */
export type FeedPage = SubscriptionPage | ArchivePage;

/** The document that followers ask for again and again: the newest entries. */
export interface SubscriptionPage {
  readonly kind: "subscription";
  /** The newest archive document. */
  readonly prevArchive?: string | undefined;
}

/** A document with older entries, always the same. */
export interface ArchivePage {
  readonly kind: "archive";
  /** The subscription document. */
  readonly current: string;
  readonly prevArchive?: string | undefined;
  /** Left out where the document may not change by a byte: it is known only later. */
  readonly nextArchive?: string | undefined;
}

/** The changes of one collection that are told together. */
export interface FeedEntry {
  /** A `tag:` URI. */
  readonly id: string;
  readonly published: number;
  readonly updated: number;
  readonly collection: FeedCollection;
  /** The document of the source that the changes are taken from. */
  readonly via?: string | undefined;
  /** As they came: of two of the same time, the later one here is the newer. */
  readonly changes: readonly FeedChange[];
  /** How many pages it has in all, where `changes` are only some: an entry may have 50,000. */
  readonly counts?: PageCounts | undefined;
  /** The page that lists all of its changes. */
  readonly all?: string | undefined;
}

/** The collection that an entry is about, and its own feed. */
export interface FeedCollection {
  readonly title: string;
  readonly url: string;
  readonly authors: readonly string[];
  /** A BCP 47 tag: the language of titles and words. */
  readonly language?: string | undefined;
  /** The id of the collection's own feed: in other feeds the entry names that one as its source. */
  readonly feedId: string;
  /** Where the collection's own feed stands. */
  readonly feedUrl?: string | undefined;
}

/** A change as a feed tells it. */
export interface FeedChange {
  readonly url: string;
  readonly kind: ChangeKind;
  readonly datetime: number;
  /** When the page was last modified, where the source tells it. */
  readonly lastmod?: number | undefined;
  /** The page's title; of a deletion the last one. */
  readonly title?: string | undefined;
  /** The author's words on the change. */
  readonly words?: string | undefined;
  readonly isMinor: boolean;
}

/** What became of pages: one group in an entry. */
export type Group = "new" | "updated" | "deleted" | "minor";

/** How many pages each group has; a group without any is left out. */
export type PageCounts = Readonly<Partial<Record<Group, number>>>;
