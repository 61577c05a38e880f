import type { Collection } from "../model/collections.ts";
import { CAPABILITY_LIST } from "../model/layout.ts";
import type { PageMarks } from "../model/page-marks.ts";
import type { PageLinks } from "../model/resources.ts";
import type { FeedSettings } from "../options/settings.ts";
import { attribute, LINK, MARK, type Replacement } from "../page/placeholders/find-placeholders.ts";

export function linksOf(
  { url }: Pick<Collection, "url">,
  feed: FeedSettings | undefined,
  title: string,
): PageLinks {
  const { pathname } = new URL(url);
  return {
    capabilityList: pathname + CAPABILITY_LIST,
    feed: feed && { href: pathname + feed.file, title },
  };
}

/**
 * The author's own link replaces the link of rs-emit.
 * @param links `none` for a page that is no resource
 */
export function replacementsForLinks(
  marks: PageMarks,
  links: PageLinks | undefined,
  { url, xhtml }: { readonly url: string; readonly xhtml: boolean },
  written: (start: number, end: number) => string,
): readonly Replacement[] {
  const text = links === undefined ? "" : elements(marks, links, url, xhtml);
  const present = marks.ownLinks.map(({ start, end }) => written(start, end)).join("");
  if (present === text) return [];
  const place = marks.ownLinks[0]?.start ?? marks.headEnd;
  return [
    { start: place, end: place, text },
    ...marks.ownLinks.map(({ start, end }) => ({ start, end, text: "" })),
  ];
}

/** For a page whose author wrote no such link. */
export function linkElements(links: PageLinks, xhtml: boolean): string {
  return elements({ isLinked: false, feeds: [] }, links, "", xhtml);
}

function elements(
  { isLinked, feeds }: Pick<PageMarks, "isLinked" | "feeds">,
  { capabilityList, feed }: PageLinks,
  url: string,
  xhtml: boolean,
): string {
  const resolved = (href: string) => (URL.canParse(href, url) ? new URL(href, url).href : "");
  const isFeedLinked = feed !== undefined && feeds.map(resolved).includes(resolved(feed.href));
  const end = `${attribute(MARK, LINK)}${xhtml ? " /" : ""}>`;
  const log = `<link rel="resourcesync"${attribute("href", capabilityList)}${end}`;
  const alternate =
    feed === undefined || isFeedLinked
      ? ""
      : `<link rel="alternate" type="application/atom+xml"${attribute("title", feed.title)}` +
        `${attribute("href", feed.href)}${end}`;
  return (isLinked ? "" : log) + alternate;
}
