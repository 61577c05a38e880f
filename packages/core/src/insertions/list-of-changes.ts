import { plural } from "@rs-emit/documents";
import {
  distinctNames,
  isRename,
  linesOf,
  moreText,
  numeral,
  type Quotes,
  quotedText,
  quotesLabel,
  RENAMED,
  timestamp,
  wordlessText,
} from "@rs-emit/feeds";
import type { Change } from "../model/log.ts";
import type { ListPlace } from "../model/plan.ts";
import { asciiText, attribute } from "../page/placeholders/find-placeholders.ts";
import type { LatestLine } from "./latest-lines.ts";

/** The number of deleted pages that one line names. */
const MOST_GONE = 5;

const WORDS = { created: "new", updated: "updated", moved: "moved", deleted: "gone" } as const;

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
  { url, placeOf }: RegionCollection,
  lines: readonly LatestLine[],
  hasQuotes: boolean,
): readonly Item[] {
  const changes = lines.flat();
  const called = distinctNames(changes, url);
  const names = new Map(changes.map((change, at) => [change, called[at] ?? ""]));
  return lines.map((line) => {
    const [change] = line;
    const there = change.kind === "deleted" ? change.moved : change.url;
    const place = there === undefined ? undefined : placeOf(there);
    const quotes = hasQuotes ? change.quotes : undefined;
    return itemOf(line, (one) => asciiText(names.get(one) ?? ""), { place, quotes });
  });
}

/** Relative links would break on hosts that serve a folder without its slash. */
function fromRoot(origin: string, { href, origin: own, pathname }: URL): string {
  return own === origin ? pathname : href;
}

function itemOf(
  [change, ...others]: LatestLine,
  nameOf: (change: Change) => string,
  { place, quotes }: { readonly place: string | undefined; readonly quotes: Quotes | undefined },
): Item {
  const { kind, datetime, message, moved, partOf } = change;
  const at = timestamp(datetime);
  const what = moved === undefined ? kind : "moved";
  const words = linesOf(message ?? "").join(" ");
  const date = `<time class="rs-emit-date dt-updated" datetime="${at}">${at.slice(0, 10)}</time>`;
  const name = nameOf(change);
  const shown = [change, ...others.slice(0, MOST_GONE - 1)];
  const titled =
    place === undefined || partOf !== undefined
      ? shown.map((one) => `<span class="rs-emit-title p-name">${nameOf(one)}</span>`).join(", ")
      : `<a class="rs-emit-title u-url p-name" href="${LINK}">${name}</a>`;
  const rest = others.length + 1 - shown.length;
  const parts = [
    `${date} <span class="rs-emit-kind">${WORDS[what]}</span> ${titled}`,
    rest === 0 ? "" : ` and ${numeral(rest)} more ${plural(rest, "page", "pages")}`,
    partOf === undefined ? "" : ` <span class="rs-emit-new">${wholeOf(partOf, place)}</span>`,
    words === "" ? "" : ` ${DASH}<span class="rs-emit-words">${asciiText(words)}</span>`,
    quotes === undefined ? "" : ` ${DASH}${quoted(quotes, change, place !== undefined)}`,
    ...shown.map(({ url }) => `<data class="u-uid"${attribute("value", `${url}#${at}`)}></data>`),
  ];
  return {
    there: place === undefined ? undefined : new URL(place),
    html: `<li class="rs-emit-${what} h-entry">${parts.join("")}</li>`,
  };
}

function wholeOf(name: string, place: string | undefined): string {
  const whole = asciiText(linesOf(name).join(" "));
  return `now part of ${place === undefined ? whole : `<a class="u-url" href="${LINK}">${whole}</a>`}`;
}

function quoted(quotes: Quotes, { title = "" }: Change, isLinked: boolean): string {
  if (isRename(quotes, title)) return `<span class="rs-emit-new">${RENAMED}</span>`;
  const shown = quotes.shown.map((quote) => {
    const { place } = quote;
    const text = quotedText(quote);
    const shown = text === undefined ? wordlessText(quote) : asciiText(text);
    const isTarget = text !== undefined && place !== undefined && isLinked;
    const linked = isTarget ? `<a href="${LINK}${asciiText(place)}">${shown}</a>` : shown;
    return `<span class="rs-emit-quote">${linked}</span>`;
  });
  const all = `${quotesLabel(quotes)} ${shown.join(", ")}${moreText(quotes)}`;
  return `<span class="rs-emit-new">${all}</span>`;
}
