import { readableAddress, webLink } from "./addresses.ts";
import { htmlContent } from "./content.ts";
import { timestamp } from "./feed-dates.ts";
import { type CatalogueOf, ENGLISH, languageOfWords } from "./message-catalogues.ts";
import type { Feed, FeedCollection, FeedEntry, FeedPage } from "./model.ts";
import { CONTENT_LIMITS, type ContentLimits, onlyPage, pageGroups } from "./page-groups.ts";
import { cutAtWord, firstSentence, languageTag, lineOf, linesOf, TEXT_LIMITS } from "./text.ts";
import { collectionName, entryTitle } from "./wording.ts";
import { documentOf, type Element, element } from "./xml.ts";

export const ATOM_TYPE = "application/atom+xml";
const ATOM = "http://www.w3.org/2005/Atom";
const HISTORY = "http://purl.org/syndication/history/1.0";

const OWN_LANGUAGE = "en";

/** Hosts send Atom without a charset. Browsers show that as windows-1252, whatever its first line says, but for this mark. */
const BYTE_ORDER_MARK = "\ufeff";

/**
 * Writes the same bytes every time (RFC 4287; archives by RFC 5005, section 4). A source's text never
 * becomes markup; only its http and https URLs become links.
 *
 * @param catalogueOf what {@link loadCatalogues} gives for the languages of the entries' collections; else English
 */
export function atomFeed(
  feed: Feed,
  { catalogueOf = () => ENGLISH, ...limits }: Partial<FeedStyle> = {},
): string {
  const language = languageTag(feed.language);
  const title = titleOf(feed);
  const updated = Math.max(feed.updated, ...feed.entries.map(updatedOf));
  const isArchive = feed.page.kind === "archive";
  const document = documentOf(
    element(
      "feed",
      {
        xmlns: ATOM,
        "xmlns:fh": isArchive ? HISTORY : undefined,
        "xml:base": webLink(feed.self),
        "xml:lang": language ?? OWN_LANGUAGE,
      },
      [
        element("id", {}, [feed.id]),
        element("title", {}, [title]),
        text("subtitle", feed.subtitle),
        element("updated", {}, [timestamp(updated)]),
        ...links(feed),
        ...pageLinks(feed.page),
        ...persons(feed.authors, title),
        text("rights", feed.rights),
        element("generator", {}, [feed.generator]),
        isArchive ? element("fh:archive") : undefined,
        ...feed.entries.map((entry) =>
          atomEntry(entry, feed, { catalogueOf, ...CONTENT_LIMITS, ...limits }),
        ),
      ],
    ),
    feed.comment,
  );
  return BYTE_ORDER_MARK + document;
}

interface FeedStyle extends ContentLimits {
  readonly catalogueOf: CatalogueOf;
}

function atomEntry(entry: FeedEntry, feed: Feed, { catalogueOf, ...limits }: FeedStyle): Element {
  const { collection } = entry;
  // A report of the harvester about a site has no pages, and is in English.
  const site = entry.changes.length === 0 ? undefined : languageTag(collection.language);
  const words = catalogueOf(site);
  const groups = pageGroups(entry, words);
  const isForeign = collection.feedId !== feed.id;
  const language = languageTag(feed.language) ?? OWN_LANGUAGE;
  const content = htmlContent(groups, entry, words, limits);
  const report = firstSentence(entry.note ?? collectionName(collection)).replace(/\.$/, "");
  const said = groups.length === 0 ? report : entryTitle(groups, words);
  const title = isForeign ? `${cutAtWord(said, TEXT_LIMITS.line)} (${siteName(collection)})` : said;
  const own = languageOfWords(site, words);
  return element("entry", { "xml:lang": own === language ? undefined : own }, [
    element("id", {}, [entry.id]),
    element("title", {}, [title]),
    element("published", {}, [timestamp(entry.published)]),
    element("updated", {}, [timestamp(updatedOf(entry))]),
    link("alternate", onlyPage(groups)?.link ?? webLink(collection.url)),
    link("via", webLink(entry.via)),
    ...(isForeign ? persons(collection.authors, collectionName(collection)) : []),
    isForeign ? source(collection, updatedOf(entry)) : undefined,
    element("content", { type: "html", "xml:base": webLink(collection.url) }, [content]),
  ]);
}

/** Used in feeds of several sites: a site may change its own title, but titles of entries must not. */
function siteName({ url, sourceName }: FeedCollection): string {
  return sourceName ?? readableAddress(url).replace(/\/$/, "");
}

function source(collection: FeedCollection, updated: number): Element {
  const title = collectionName(collection);
  return element("source", { "xml:lang": languageTag(collection.language) }, [
    element("id", {}, [collection.feedId]),
    element("title", {}, [title]),
    element("updated", {}, [timestamp(updated)]),
    link("alternate", webLink(collection.url)),
    link("self", collection.feedUrl, ATOM_TYPE),
    ...persons(collection.authors, title),
  ]);
}

function links({ self, alternate, via, hub, page }: Feed): readonly (Element | undefined)[] {
  return [
    link("self", self, ATOM_TYPE),
    link("alternate", webLink(alternate)),
    link("via", webLink(via)),
    // A hub pushes the feed, not its archives.
    link("hub", page.kind === "subscription" ? hub : undefined),
  ];
}

function pageLinks(page: FeedPage): readonly (Element | undefined)[] {
  const previous = link("prev-archive", page.prevArchive, ATOM_TYPE);
  if (page.kind === "subscription") return [previous];
  const next = link("next-archive", page.nextArchive, ATOM_TYPE);
  return [link("current", page.current, ATOM_TYPE), previous, next];
}

function link(rel: string, href: string | undefined, type?: string): Element | undefined {
  return href === undefined ? undefined : element("link", { rel, type, href });
}

function persons(names: readonly string[], fallback: string): readonly Element[] {
  const known = names.map((name) => lineOf(name)).filter((name) => name !== "");
  return (known.length > 0 ? known : [fallback]).map((name) =>
    element("author", {}, [element("name", {}, [name])]),
  );
}

function text(name: string, value: string | undefined): Element | undefined {
  const line = linesOf(value ?? "").join(" ");
  return line === "" ? undefined : element(name, {}, [line]);
}

function titleOf({ title, alternate, id }: Feed): string {
  return lineOf(title) || readableAddress(alternate ?? id);
}

function updatedOf({ published, updated }: FeedEntry): number {
  return Math.max(published, updated);
}
