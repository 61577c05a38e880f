import { decoded } from "@rs-emit/reader";
import { type FeedName, isWide, labelOf } from "../store/feed-names.ts";
import type { DocumentName } from "../store/pages/feed-documents.ts";

const PATH =
  /^feeds\/(all|labels\/([^/]+)|sources\/([1-9]\d{0,8})|collections\/([1-9]\d{0,8}))(?:\/archive\/([1-9]\d{0,8}))?\.atom$/;

/** `feeds/sources/7.atom`, `feeds/labels/plants.atom`, `feeds/all/archive/3.atom`. It never changes. */
export function feedPath(feed: FeedName, archive?: number): string {
  const label = isWide(feed) ? labelOf(feed) : undefined;
  const name =
    label === undefined ? feed.replace("/", "s/") : `labels/${encodeURIComponent(label)}`;
  return `feeds/${name}${archive === undefined ? "" : `/archive/${archive}`}.atom`;
}

export function parseFeedPath(path: string): DocumentName | undefined {
  const [, name, encoded, source, collection, archive] = PATH.exec(path) ?? [];
  if (name === undefined) return undefined;
  const number = archive === undefined ? {} : { archive: Number(archive) };
  if (source !== undefined) return { feed: `source/${Number(source)}`, ...number };
  if (collection !== undefined) return { feed: `collection/${Number(collection)}`, ...number };
  if (encoded === undefined) return { feed: "all", ...number };
  const label = decoded(encoded);
  return label === undefined ? undefined : { feed: `label/${label}`, ...number };
}
