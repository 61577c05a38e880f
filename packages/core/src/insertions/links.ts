import { list, urlKey } from "@rs-emit/documents";
import type { Collection } from "../model/collections.ts";
import type { Environment } from "../model/environment.ts";
import { EmitError } from "../model/errors.ts";
import { CAPABILITY_LIST } from "../model/layout.ts";
import type { PageMarks } from "../model/page-marks.ts";
import { publishedCollections, type Recalled } from "../model/publication.ts";
import type { Inventory, PageLinks, UnfinishedPage } from "../model/resources.ts";
import { mention, sentence } from "../model/sentence.ts";
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
 * Asks before links are written into pages that were published without them. A builder's pages come without them at
 * each build, and were published with them.
 * @throws {EmitError} `LINKS_DECLINED`
 */
export async function confirmLinks(
  { link, dryRun, collections, feed }: Settings,
  { confirmLinks: ask }: Pick<Environment, "confirmLinks">,
  { unfinished }: Pick<Inventory, "unfinished">,
  recalled: Recalled,
): Promise<void> {
  if (!link || dryRun || ask === undefined) return;
  const published = publishedCollections(recalled);
  const hashes = new Map(
    published.flatMap(({ snapshot }) => [...snapshot].map(([key, { hash }]) => [key, hash])),
  );
  const pages = unfinished
    .filter((page) => {
      const collection = collections.find(({ url }) => url === page.collection);
      return collection !== undefined && getsLinks(page, linksOf(collection, feed, ""));
    })
    .filter(({ url, hash }) => published.length === 0 || hashes.get(urlKey(url)) === hash)
    .map(({ file }) => file);
  if (pages.length === 0) return;
  const error = declinedError(pages);
  if (!(await ask(error.problem))) throw error;
}

function getsLinks({ file, url, isResource, own }: UnfinishedPage, links: PageLinks): boolean {
  if (!isResource || "html" in own || own.ownLinks.length > 0) return false;
  return replacementsForLinks(own, links, { url, xhtml: isXhtml(file) }, () => "").length > 0;
}

function declinedError(pages: readonly string[]): EmitError {
  const what = pages.length === 1 ? "1 page" : `${pages.length} pages`;
  return new EmitError({
    code: "LINKS_DECLINED",
    problem: sentence`The option ${mention("link")} writes two links into the head of ${what}: ${list(pages, NAMED)}.`,
    cure: "Leave the option out, and paste the tags that the summary then shows into your pages.",
  });
}
