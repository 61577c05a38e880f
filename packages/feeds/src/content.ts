import { numeral } from "@rs-emit/documents";
import { dayOf, timestamp } from "./feed-dates.ts";
import type { FeedChange, FeedEntry } from "./model.ts";
import {
  type ChangedPage,
  type ContentLimits,
  onlyPage,
  type PageGroup,
  sharedWords,
} from "./page-groups.ts";
import {
  isRename,
  moreText,
  type Quotes,
  quotedText,
  quoteLink,
  quotesLabel,
  RENAMED,
  wordlessText,
} from "./quotes.ts";
import { languageTag, lineOf, linesOf, readableAddress, webLink } from "./text.ts";
import { capitalized, HEADINGS } from "./wording.ts";
import { type Element, element, markupOf } from "./xml.ts";

interface ContentStyle extends ContentLimits {
  readonly all: string | undefined;
  readonly language: string | undefined;
  /** The changes share one note, which is already shown. */
  readonly isSaid: boolean;
}

type Inline = readonly (Element | string)[];

/**
 * RFC 4287, section 4.1.3.3. Not XHTML: rss-parser moves its words around, and feedparser changes text to
 * markup.
 */
export function htmlContent(
  groups: readonly PageGroup[],
  { collection, all, note }: FeedEntry,
  limits: ContentLimits,
): string {
  const tag = languageTag(collection.language);
  const isEnglish = /^en(?:-|$)/i.test(tag ?? "en");
  const page = onlyPage(groups);
  const shared = page === undefined ? sharedWords(groups) : undefined;
  const style: ContentStyle = {
    ...limits,
    all: webLink(all),
    language: isEnglish ? undefined : tag,
    isSaid: shared !== undefined,
  };
  const parts =
    page === undefined ? groups.flatMap((group) => listed(group, style)) : alone(page, style);
  const lead = inLanguage(linesOf(shared ?? ""), style);
  return markupOf([
    lead && element("p", {}, lead),
    ...parts,
    note === undefined ? undefined : element("p", {}, [element("em", {}, [note])]),
  ]);
}

function alone(page: ChangedPage, style: ContentStyle): readonly Element[] {
  const [change, ...older] = page.changes;
  if (older.length > 0) return [element("p", {}, [nameOf(page, style)]), history(page, style)];
  const line = element("p", {}, [nameOf(page, style), ", ", ...told(page)]);
  return [...toldOf(page, change, style).map((told) => element("p", {}, told)), line];
}

function listed({ group, pages, count }: PageGroup, style: ContentStyle): readonly Element[] {
  const items = pages.slice(0, style.pages).map((page) => item(page, style));
  return [
    element("h3", {}, [HEADINGS[group]]),
    element("ul", {}, [...items, rest(count - items.length, style)]),
  ];
}

function item(page: ChangedPage, style: ContentStyle): Element {
  const [change, ...older] = page.changes;
  const name = nameOf(page, style);
  if (older.length > 0) return element("li", {}, [name, history(page, style)]);
  const isReported = page.group === "minor" || page.group === "moved";
  const day = isReported ? told(page) : [...days(change), ...archivedCopy(change)];
  return element("li", {}, [name, ", ", ...day, ...onNewLines(page, change, style)]);
}

function history(page: ChangedPage, style: ContentStyle): Element {
  const { changes } = page;
  const items = changes.slice(0, style.changes).map((change) => {
    const line = [`${capitalized(change.kind)} `, ...days(change), ...archivedCopy(change)];
    return element("li", {}, [...line, ...onNewLines(page, change, style)]);
  });
  // A very long entry holds only the newest changes of a page.
  const more = changes.length > items.length ? linked("and earlier ones", style.all) : undefined;
  return element("ul", {}, [...items, more]);
}

function rest(number: number, { all }: ContentStyle): Element | undefined {
  return number === 0 ? undefined : linked(`and ${numeral(number)} more`, all);
}

function linked(text: string, href: string | undefined): Element {
  return element("li", {}, [href === undefined ? text : element("a", { href }, [text])]);
}

function nameOf({ name, link }: ChangedPage, { language }: ContentStyle): Element {
  return link === undefined
    ? element("span", { lang: language }, [name])
    : element("a", { href: link, lang: language }, [name]);
}

/** A moved page is shown with its new address, or with the page that now contains it. */
function told({ group, address: there, changes: [change] }: ChangedPage): Inline {
  if (group !== "moved") return dated(change);
  const { partOf, datetime } = change;
  if (partOf !== undefined) return [`now part of ${lineOf(partOf)}, `, time(datetime)];
  const address = there === undefined ? [] : [` to ${readableAddress(there)}`];
  return ["moved", ...address, ", ", time(datetime)];
}

function dated(change: FeedChange): Inline {
  return [`${change.kind} `, ...days(change), ...archivedCopy(change)];
}

function archivedCopy({ kind, archived }: FeedChange): Inline {
  const href = kind === "deleted" ? webLink(archived) : undefined;
  return href === undefined ? [] : [", ", element("a", { href }, ["archived copy"])];
}

function days({ kind, datetime, lastmod }: FeedChange): Inline {
  const isSame = lastmod === undefined || dayOf(lastmod) === dayOf(datetime);
  if (isSame || kind === "deleted") return [time(datetime)];
  return [time(datetime), " (last modified ", time(lastmod), ")"];
}

function time(seconds: number): Element {
  return element("time", { datetime: timestamp(seconds) }, [dayOf(seconds)]);
}

function wordsOf({ words }: Pick<FeedChange, "words">, style: ContentStyle): Inline | undefined {
  return style.isSaid ? undefined : inLanguage(linesOf(words ?? ""), style);
}

function inLanguage(lines: readonly string[], { language }: ContentStyle): Inline | undefined {
  if (lines.length === 0) return undefined;
  const broken = lines.flatMap((line, number) => (number === 0 ? [line] : [element("br"), line]));
  if (language === undefined) return broken;
  return [element("span", { lang: language }, broken)];
}

/** The author's words come before the page's. */
function toldOf(
  { name }: ChangedPage,
  { quotes, url, ...change }: FeedChange,
  style: ContentStyle,
): readonly Inline[] {
  const isRenamed = quotes !== undefined && isRename(quotes, name);
  const news = quotes && (isRenamed ? [`${RENAMED}.`] : quoted(url, quotes, style));
  return [wordsOf(change, style), news].filter((one) => one !== undefined);
}

function quoted(url: string, quotes: Quotes, { language }: ContentStyle): Inline {
  const shown = quotes.shown.flatMap((quote, at): Inline => {
    const text = quotedText(quote);
    const href = quoteLink(url, quote);
    const part =
      text === undefined
        ? wordlessText(quote)
        : href === undefined
          ? element("span", { lang: language }, [text])
          : element("a", { href, lang: language }, [text]);
    return [at === 0 ? " " : ", ", part];
  });
  return [quotesLabel(quotes), ...shown, moreText(quotes)];
}

function onNewLines(page: ChangedPage, change: FeedChange, style: ContentStyle): Inline {
  return toldOf(page, change, style).flatMap((told) => [element("br"), ...told]);
}
