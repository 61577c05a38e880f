import {
  type Catalogue,
  dateOf,
  distinctNames,
  isRename,
  languageOfWords,
  linesOf,
  moreOf,
  piecesOf,
  type Quotes,
  quotedText,
  quotesFrame,
  separatorOf,
  timestamp,
  unquotedText,
} from "@rs-emit/feeds";
import type { Change } from "../model/log.ts";
import type { ListPlace } from "../model/plan.ts";
import { asciiText, attribute } from "../page/placeholders/find-placeholders.ts";
import type { LatestLine } from "./latest-lines.ts";

/** The number of deleted pages that one line names. */
const MOST_GONE = 5;

/** A placeholder for the link to the page until the list's own place is known; `asciiText` escapes it. */
const LINK = "\0";

/** An element of its own, so that a style can leave it out. */
const DASH = '<span class="rs-emit-dash">&#8211; </span>';

interface Item {
  readonly there: URL | undefined;
  readonly html: string;
}

interface RegionCollection {
  readonly url: string;
  /** The page's own address; `undefined` for a URL that is no page of the site. */
  readonly placeOf: (url: string) => string | undefined;
  /** The site's, where it is known. */
  readonly language: string | undefined;
  readonly words: Catalogue;
}

/** The items are ASCII, and `h-entry` elements for programs (microformats2). All pages share them. */
export function changesList(
  collection: RegionCollection,
  lines: readonly LatestLine[],
): (place: ListPlace) => string {
  const made = new Map<string, readonly Item[]>();
  return ({ base, limit, hasQuotes }) => {
    const key = `${limit} ${hasQuotes}`;
    const items = made.get(key) ?? itemsOf(collection, lines.slice(0, limit), hasQuotes);
    made.set(key, items);
    if (items.length === 0) return "";
    const { origin } = new URL(base);
    const written = items.map(({ there, html }) =>
      there === undefined ? html : html.replaceAll(LINK, () => asciiText(fromRoot(origin, there))),
    );
    return `\n${written.join("\n")}\n`;
  };
}

function itemsOf(
  collection: RegionCollection,
  lines: readonly LatestLine[],
  hasQuotes: boolean,
): readonly Item[] {
  const { url, placeOf, words, language } = collection;
  const changes = lines.flat();
  const called = distinctNames(changes, url, words);
  const names = new Map(changes.map((change, at) => [change, called[at] ?? ""]));
  const isForeign = language !== undefined && languageOfWords(language, words) !== language;
  const style: LineStyle = {
    words,
    ours: isForeign ? attribute("lang", words.language) : "",
    theirs: isForeign ? attribute("lang", language) : "",
    nameOf: (change) => asciiText(names.get(change) ?? ""),
  };
  return lines.map((line) => {
    const [change] = line;
    const there = change.kind === "deleted" ? change.moved : change.url;
    const place = there === undefined ? undefined : placeOf(there);
    const quotes = hasQuotes ? change.quotes : undefined;
    return itemOf(line, { place, quotes }, style);
  });
}

/** Relative links would break on hosts that serve a folder without its slash. */
function fromRoot(origin: string, { href, origin: own, pathname }: URL): string {
  return own === origin ? pathname : href;
}

interface LineStyle {
  readonly words: Catalogue;
  /** The `lang` of our words, and of the page's within them, where these are of another language. */
  readonly ours: string;
  readonly theirs: string;
  readonly nameOf: (change: Change) => string;
}

function itemOf(
  [change, ...others]: LatestLine,
  { place, quotes }: { readonly place: string | undefined; readonly quotes: Quotes | undefined },
  style: LineStyle,
): Item {
  const { words, ours, nameOf } = style;
  const { kind, datetime, moved } = change;
  const at = timestamp(datetime);
  const what = moved === undefined ? kind : "moved";
  const said = linesOf(change.message ?? "").join(" ");
  const day = asciiText(dateOf(datetime, words));
  const date = `<time class="rs-emit-date dt-updated" datetime="${at}">${day}</time>`;
  // "Home page" is our word.
  const nameLang = ({ title }: Change) => (title === "" ? ours : "");
  const shown = [change, ...others.slice(0, MOST_GONE - 1)];
  const titled =
    place === undefined
      ? shown
          .map((one) => `<span class="rs-emit-title p-name"${nameLang(one)}>${nameOf(one)}</span>`)
          .join(asciiText(separatorOf(words, "list")))
      : `<a class="rs-emit-title u-url p-name" href="${LINK}"${nameLang(change)}>${nameOf(change)}</a>`;
  const rest = asciiText(moreOf(words, others.length + 1 - shown.length));
  const parts = [
    `${date} <span class="rs-emit-kind"${ours}>${asciiText(words.listed[what]())}</span> ${titled}`,
    rest === "" || ours === "" ? rest : `<span${ours}>${rest}</span>`,
    said === "" ? "" : ` ${DASH}<span class="rs-emit-words">${asciiText(said)}</span>`,
    quotes === undefined
      ? ""
      : ` ${DASH}<span class="rs-emit-new"${ours}>${quoted(quotes, change, place !== undefined, style)}</span>`,
    ...shown.map(({ url }) => `<data class="u-uid"${attribute("value", `${url}#${at}`)}></data>`),
  ];
  return {
    there: place === undefined ? undefined : new URL(place),
    html: `<li class="rs-emit-${what} h-entry">${parts.join("")}</li>`,
  };
}

/** A message, with HTML in its place. */
function filled(message: string, html: string): string {
  return piecesOf(message)
    .map((piece) => (typeof piece === "string" ? asciiText(piece) : html))
    .join("");
}

function quoted(
  quotes: Quotes,
  { title = "" }: Change,
  isLinked: boolean,
  { words, theirs }: LineStyle,
): string {
  if (isRename(quotes, title)) return asciiText(words.renamed());
  const shown = quotes.shown.map((quote) => {
    const text = quotedText(quote, words);
    const own = asciiText(text ?? unquotedText(quote, words));
    const isTarget = text !== undefined && quote.place !== undefined && isLinked;
    const linked = isTarget ? `<a href="${LINK}${asciiText(quote.place)}">${own}</a>` : own;
    return `<span class="rs-emit-quote"${text === undefined ? "" : theirs}>${linked}</span>`;
  });
  const list = shown.join(asciiText(separatorOf(words, "list")));
  return filled(quotesFrame(quotes, words), list + asciiText(moreOf(words, quotes.more)));
}
