import type { DocumentName } from "../../store/queries/feed-documents.ts";
import type { FeedName } from "../../store/queries/feed-name.ts";
import { STYLESHEET_NAME } from "./look/stylesheet.ts";

/** Paths of the pages, from the root of the host. */
export interface Links {
  readonly home: string;
  readonly follow: string;
  readonly sources: string;
  readonly blocked: string;
  readonly about: string;
  readonly signIn: string;
  readonly signOut: string;
  readonly opml: string;
  readonly import: string;
  /** The followed addresses, for another harvester. */
  readonly addresses: string;
  readonly stylesheet: string;
  readonly icon: string;
  source(
    id: number,
    action?: "check" | "interval" | "name" | "pause" | "unfollow" | "block" | "lists" | "gone",
  ): string;
  /** All changes of an entry, or those after the change with the id `after`. */
  entry(id: number, after?: number): string;
  feed(feed: FeedName, archive?: number): string;
}

/** @param root the path of the home page; ends with a slash */
export function linksBelow(root: string): Links {
  return {
    home: root,
    follow: `${root}follow`,
    sources: `${root}sources`,
    blocked: `${root}blocked`,
    about: `${root}about`,
    signIn: `${root}sign-in`,
    signOut: `${root}sign-out`,
    opml: `${root}feeds/followed.opml`,
    import: `${root}import`,
    addresses: `${root}sources.txt`,
    stylesheet: `${root}${STYLESHEET_NAME}`,
    icon: `${root}icon.svg`,
    source: (id, action) => `${root}sources/${id}${action === undefined ? "" : `/${action}`}`,
    entry: (id, after) => `${root}entries/${id}${after === undefined ? "" : `?after=${after}`}`,
    feed: (feed, archive) => root + feedPath(feed, archive),
  };
}

const PATH =
  /^feeds\/(all|sources\/([1-9]\d{0,8})|collections\/([1-9]\d{0,8}))(?:\/archive\/([1-9]\d{0,8}))?\.atom$/;

/** `feeds/sources/7.atom`, `feeds/all/archive/3.atom`. It never changes. */
export function feedPath(feed: FeedName, archive?: number): string {
  const name = feed.replace("/", "s/");
  return `feeds/${name}${archive === undefined ? "" : `/archive/${archive}`}.atom`;
}

export function parseFeedPath(path: string): DocumentName | undefined {
  const [, name, source, collection, archive] = PATH.exec(path) ?? [];
  if (name === undefined) return undefined;
  const number = archive === undefined ? {} : { archive: Number(archive) };
  if (source !== undefined) return { feed: `source/${Number(source)}`, ...number };
  if (collection !== undefined) return { feed: `collection/${Number(collection)}`, ...number };
  return { feed: "all", ...number };
}
