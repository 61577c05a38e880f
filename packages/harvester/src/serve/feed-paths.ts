import type { DocumentName } from "../store/pages/feed-documents.ts";
import type { FeedName } from "../store/pages/names.ts";

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
