import { count, list, urlKey } from "@rs-emit/documents";
import type { Collection } from "../model/collections.ts";
import type { Environment } from "../model/environment.ts";
import { CAPABILITY_LIST } from "../model/layout.ts";
import type { PageMarks } from "../model/page-marks.ts";
import { publishedCollections, type Recalled } from "../model/publication.ts";
import type { Inventory, PageLinks, UnfinishedPage } from "../model/resources.ts";
import { mention, type Note, sentence, TextNote } from "../model/sentence.ts";
import { feedTitles } from "../model/site-title.ts";
import type { FeedSettings, Settings } from "../options/settings.ts";
import {
  attribute,
  isXhtml,
  LINK,
  MARK,
  type Replacement,
} from "../page/placeholders/find-placeholders.ts";

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

const NAMED = 3;

/**
 * Asks before links are written into pages that were published without them, and shows the links. A builder's pages
 * come without them at each build, and were published with them.
 * @returns whether the author said no: the run goes on, and leaves the pages as they are
 */
export async function areLinksDeclined(
  settings: Settings,
  { confirmLinks: ask }: Pick<Environment, "confirmLinks">,
  inventory: Inventory,
  recalled: Recalled,
): Promise<boolean> {
  const { link, dryRun, collections, feed } = settings;
  if (!link || dryRun || ask === undefined) return false;
  const published = publishedCollections(recalled);
  const hashes = new Map(
    published.flatMap(({ snapshot }) => [...snapshot].map(([key, { hash }]) => [key, hash])),
  );
  const titles = await feedTitles(settings, inventory);
  const linked = new Map(
    collections.map((one) => [one.url, linksOf(one, feed, titles.get(one.url) ?? "")]),
  );
  const pages = inventory.unfinished
    .filter((page) => getsLinks(page, linked.get(page.collection ?? "")))
    .filter(({ url, hash }) => published.length === 0 || hashes.get(urlKey(url)) === hash);
  const shown = linked.get(pages[0]?.collection ?? "");
  if (shown === undefined) return false;
  return !(await ask(whyOf(pages), linkElements(shown, false).split(/(?<=>)/)));
}

function whyOf(pages: readonly UnfinishedPage[]): string {
  const files = list(
    pages.map(({ file }) => file),
    NAMED,
  );
  return `Followers find log and feed by these lines. They come into the head of ${count(pages.length, "page")}: ${files}.`;
}

export function linksDeclinedNote(): Note {
  const text = sentence`Nothing was written into the head of your pages. Leave the option ${mention("link")} out, and nobody asks again.`;
  return new TextNote("LINKS_DECLINED", text);
}

function getsLinks(
  { file, url, isResource, own }: UnfinishedPage,
  links: PageLinks | undefined,
): boolean {
  if (links === undefined || !isResource || "html" in own || own.ownLinks.length > 0) return false;
  return replacementsForLinks(own, links, { url, xhtml: isXhtml(file) }, () => "").length > 0;
}
