import type { FeedName } from "../../store/queries/feed-name.ts";
import { feedPath } from "./feed-path.ts";
import { STYLESHEET_NAME } from "./look/stylesheet.ts";

/** Where the pages are: paths from the root of their host. */
export interface Links {
  readonly home: string;
  readonly follow: string;
  readonly sources: string;
  readonly blocked: string;
  readonly about: string;
  readonly signIn: string;
  readonly signOut: string;
  readonly opml: string;
  readonly stylesheet: string;
  readonly icon: string;
  source(
    id: number,
    action?: "check" | "interval" | "name" | "pause" | "unfollow" | "block",
  ): string;
  /** All changes of an entry. */
  entry(id: number, page?: number): string;
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
    stylesheet: `${root}${STYLESHEET_NAME}`,
    icon: `${root}icon.svg`,
    source: (id, action) => `${root}sources/${id}${action === undefined ? "" : `/${action}`}`,
    entry: (id, page = 1) => `${root}entries/${id}${page === 1 ? "" : `?page=${page}`}`,
    feed: (feed, archive) => root + feedPath(feed, archive),
  };
}
