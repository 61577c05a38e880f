import type { DocumentName } from "../../store/queries/feed-documents.ts";
import type { FeedName } from "../../store/queries/names.ts";
import { STYLESHEET_NAME } from "./look/stylesheet.ts";

/** Paths of the pages, from the root of the host. */
export type Links = ReturnType<typeof linksBelow>;

type SourceAction =
  | "check"
  | "interval"
  | "name"
  | "pause"
  | "unfollow"
  | "block"
  | "lists"
  | "gone";

/** @param root the path of the home page; ends with a slash */
export function linksBelow(root: string) {
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
    /** The followed addresses, for another harvester. */
    addresses: `${root}sources.txt`,
    stylesheet: `${root}${STYLESHEET_NAME}`,
    icon: `${root}icon.svg`,
    source: (id: number, action?: SourceAction) =>
      `${root}sources/${id}${action === undefined ? "" : `/${action}`}`,
    /** All changes of an entry, or those after the change with the id `after`. */
    entry: (id: number, after?: number) =>
      `${root}entries/${id}${after === undefined ? "" : `?after=${after}`}`,
    feed: (feed: FeedName, archive?: number) => root + feedPath(feed, archive),
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
