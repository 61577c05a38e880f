import { readableAddress, webLink } from "./addresses.ts";
import { dayOf, timestamp } from "./feed-dates.ts";
import {
  type Catalogue,
  languageOfWords,
  moreOf,
  PLACES,
  piecesOf,
  separatorOf,
} from "./message-catalogues.ts";
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
  type Quotes,
  quotedText,
  quoteLink,
  quotesFrame,
  unquotedText,
} from "./quotes.ts";
import { languageTag, linesOf } from "./text.ts";
import { type Element, element, markupOf } from "./xml.ts";

interface ContentStyle extends ContentLimits {
  readonly all: string | undefined;
  readonly words: Catalogue;
  /** The language of the page's words where ours have another one. */
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
  words: Catalogue,
  limits: ContentLimits,
): string {
  const tag = languageTag(collection.language);
  const isForeign = tag !== undefined && languageOfWords(tag, words) !== tag;
  const page = onlyPage(groups);
  const shared = page === undefined ? sharedWords(groups) : undefined;
  const style: ContentStyle = {
    ...limits,
    all: webLink(all),
    words,
    language: isForeign ? tag : undefined,
    isSaid: shared !== undefined,
  };
  const parts =
    page === undefined ? groups.flatMap((group) => listed(group, style)) : alone(page, style);
  const lead = inLanguage(linesOf(shared ?? ""), style);
  const noteLanguage = words.language === "en" ? undefined : "en";
  const content = [
    lead && element("p", {}, lead),
    ...parts,
    note === undefined
      ? undefined
      : element("p", {}, [element("em", { lang: noteLanguage }, [note])]),
  ];
  return markupOf(isForeign ? [element("div", { lang: words.language }, content)] : content);
}

function alone(page: ChangedPage, style: ContentStyle): readonly Element[] {
  const [change, ...older] = page.changes;
  if (older.length > 0) return [element("p", {}, [nameOf(page, style)]), history(page, style)];
  const line = element("p", {}, [nameOf(page, style), clause(style), ...told(page, style)]);
  return [...toldOf(page, change, style).map((told) => element("p", {}, told)), line];
}

function listed({ group, pages, count }: PageGroup, style: ContentStyle): readonly Element[] {
  const items = pages.slice(0, style.pages).map((page) => item(page, style));
  return [
    element("h3", {}, [style.words.heading[group]()]),
    element("ul", {}, [...items, rest(count - items.length, style)]),
  ];
}

function item(page: ChangedPage, style: ContentStyle): Element {
  const [change, ...older] = page.changes;
  const name = nameOf(page, style);
  if (older.length > 0) return element("li", {}, [name, history(page, style)]);
  const isReported = page.group === "minor" || page.group === "moved";
  const day = isReported
    ? told(page, style)
    : [...days(change, style), ...archivedCopy(change, style)];
  return element("li", {}, [name, clause(style), ...day, ...onNewLines(page, change, style)]);
}

function clause({ words }: ContentStyle): string {
  return separatorOf(words, "clause");
}

function history(page: ChangedPage, style: ContentStyle): Element {
  const { changes } = page;
  const items = changes.slice(0, style.changes).map((change) => {
    const [first = "", ...others] = dated(change, style);
    const line = [typeof first === "string" ? capitalized(first) : first, ...others];
    return element("li", {}, [...line, ...onNewLines(page, change, style)]);
  });
  // A very long entry holds only the newest changes of a page.
  const isCut = changes.length > items.length;
  const more = isCut ? linked(style.words.earlier(), style.all) : undefined;
  return element("ul", {}, [...items, more]);
}

function rest(count: number, { words, all }: ContentStyle): Element | undefined {
  return count === 0 ? undefined : linked(words.rest({ count }), all);
}

function linked(text: string, href: string | undefined): Element {
  return element("li", {}, [href === undefined ? text : element("a", { href }, [text])]);
}

function nameOf({ name, title, link }: ChangedPage, { language }: ContentStyle): Element {
  // "Home page" is our word.
  const lang = title === "" ? undefined : language;
  return link === undefined
    ? element("span", { lang }, [name])
    : element("a", { href: link, lang }, [name]);
}

/** A moved page is shown with its new address. */
function told(page: ChangedPage, style: ContentStyle): Inline {
  const { group, address: there, changes } = page;
  const [change] = changes;
  if (group !== "moved") return dated(change, style);
  const { words } = style;
  const day = [time(change.datetime, style)];
  if (there === undefined) return filled(words.happened.moved({ day: PLACES[0] }), day);
  return filled(words.movedTo({ address: readableAddress(there), day: PLACES[0] }), day);
}

/** A message, with elements in its places. */
function filled(message: string, ...parts: readonly Inline[]): Inline {
  return piecesOf(message).flatMap((piece) =>
    typeof piece === "string" ? [piece] : (parts[piece] ?? []),
  );
}

function dated(change: FeedChange, style: ContentStyle): Inline {
  const happened = style.words.happened[change.kind]({ day: PLACES[0] });
  return [...filled(happened, days(change, style)), ...archivedCopy(change, style)];
}

function archivedCopy({ kind, archived }: FeedChange, style: ContentStyle): Inline {
  const href = kind === "deleted" ? webLink(archived) : undefined;
  if (href === undefined) return [];
  return [clause(style), element("a", { href }, [style.words.archived()])];
}

function days({ kind, datetime, lastmod }: FeedChange, style: ContentStyle): Inline {
  const day = [time(datetime, style)];
  const isSame = lastmod === undefined || dayOf(lastmod) === dayOf(datetime);
  if (isSame || kind === "deleted") return day;
  const message = style.words.lastModified({ day: PLACES[0], modified: PLACES[1] });
  return filled(message, day, [time(lastmod, style)]);
}

function time(seconds: number, { words }: ContentStyle): Element {
  return element("time", { datetime: timestamp(seconds) }, [dayOf(seconds, words)]);
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
  { title }: ChangedPage,
  { quotes, url, ...change }: FeedChange,
  style: ContentStyle,
): readonly Inline[] {
  const { words } = style;
  const isRenamed = quotes !== undefined && isRename(quotes, title);
  const news =
    quotes && (isRenamed ? [words.stop({ text: words.renamed() })] : quoted(url, quotes, style));
  return [wordsOf(change, style), news].filter((one) => one !== undefined);
}

function quoted(url: string, quotes: Quotes, { language, words }: ContentStyle): Inline {
  const shown = quotes.shown.flatMap((quote, at): Inline => {
    const text = quotedText(quote, words);
    const href = quoteLink(url, quote);
    const part =
      text === undefined
        ? unquotedText(quote, words)
        : href === undefined
          ? element("span", { lang: language }, [text])
          : element("a", { href, lang: language }, [text]);
    return at === 0 ? [part] : [separatorOf(words, "list"), part];
  });
  return filled(quotesFrame(quotes, words), [...shown, moreOf(words, quotes.more)]);
}

function onNewLines(page: ChangedPage, change: FeedChange, style: ContentStyle): Inline {
  return toldOf(page, change, style).flatMap((told) => [element("br"), ...told]);
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
