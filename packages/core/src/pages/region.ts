import { urlKey } from "@rs-emit/documents";
import {
  linesOf,
  moreText,
  pageNames,
  picturesText,
  type Quotes,
  quotedText,
  quotesLabel,
  type TitledSite,
  timestamp,
  webLink,
} from "@rs-emit/feeds";
import type { Change } from "../model/log.ts";
import type { ListPlace } from "../model/plan.ts";
import { relativeLink } from "../model/url.ts";
import { asciiText, attribute } from "./marks.ts";

/**
 * Newest first, and by URL where times agree, as in the feed.
 * @param log in pieces, newest first, each in log order; read only as far as needed
 */
export async function latestChanges(
  log: AsyncIterable<readonly Change[]>,
  limit: number,
): Promise<readonly Change[]> {
  const latest = new Map<string, Change>();
  let atOneTime: Change[] = [];
  for await (const piece of log) {
    for (const change of piece.toReversed()) {
      if (change.minor) continue;
      if (change.datetime !== atOneTime[0]?.datetime) {
        addByUrl(latest, atOneTime);
        if (latest.size >= limit) return firstOf(latest, limit);
        atOneTime = [];
      }
      atOneTime.push(change);
    }
  }
  addByUrl(latest, atOneTime);
  return firstOf(latest, limit);
}

/** A page that moved is told where it is now. */
function addByUrl(latest: Map<string, Change>, changes: readonly Change[]): void {
  const urls = new Set([...latest.keys(), ...changes.map(({ url }) => urlKey(url))]);
  for (const change of changes.toSorted((one, other) => (one.url < other.url ? -1 : 1))) {
    const { kind, moved, url } = change;
    if (kind === "deleted" && moved !== undefined && urls.has(urlKey(moved))) continue;
    const key = urlKey(url);
    if (!latest.has(key)) latest.set(key, change);
  }
}

function firstOf(latest: ReadonlyMap<string, Change>, limit: number): readonly Change[] {
  return [...latest.values()].slice(0, limit);
}

/** Stands for the link to the page until it is known where the list stands; `asciiText` escapes it. */
const LINK = "\0";

interface Item {
  readonly there: URL | undefined;
  readonly html: string;
}

/**
 * A list item for each change, in ASCII; to programs an `h-entry` (microformats2). Items are made
 * once for all pages.
 */
export function changesList(
  collection: TitledSite,
  changes: readonly Change[],
): (place: ListPlace) => string {
  const made = new Map<string, readonly Item[]>();
  return ({ base, limit, hasQuotes }) => {
    const key = `${limit} ${hasQuotes}`;
    const items = made.get(key) ?? itemsOf(collection, changes.slice(0, limit), hasQuotes);
    made.set(key, items);
    if (items.length === 0) return "";
    const here = new URL(base);
    const lines = items.map(({ there, html }) =>
      there === undefined
        ? html
        : html.replaceAll(LINK, () => asciiText(relativeLink(here, there))),
    );
    return `\n${lines.join("\n")}\n`;
  };
}

function itemsOf(
  collection: TitledSite,
  changes: readonly Change[],
  hasQuotes: boolean,
): readonly Item[] {
  const names = pageNames(changes, collection);
  return changes.map((change, at) =>
    itemOf(hasQuotes ? change : { ...change, quotes: undefined }, names[at] ?? ""),
  );
}

function itemOf(change: Change, called: string): Item {
  const { url, kind, datetime, message, moved, quotes } = change;
  const at = timestamp(datetime);
  const name = asciiText(called);
  const link = webLink(kind === "deleted" ? moved : url);
  const titled =
    link === undefined
      ? `<span class="rs-emit-title p-name">${name}</span>`
      : `<a class="rs-emit-title u-url p-name" href="${LINK}">${name}</a>`;
  const words = linesOf(message ?? "").join(" ");
  const note = words === "" ? "" : ` <span class="rs-emit-words">${asciiText(words)}</span>`;
  const date = `<time class="rs-emit-date dt-updated" datetime="${at}">${at.slice(0, 10)}</time>`;
  const id = `<data class="u-uid"${attribute("value", `${url}#${at}`)}></data>`;
  const what = moved === undefined ? kind : "moved";
  const told = quotes === undefined ? "" : ` ${quoted(quotes, link !== undefined)}`;
  return {
    there: link === undefined ? undefined : new URL(link),
    html: `<li class="rs-emit-${what} h-entry">${date} ${titled}${note}${told}${id}</li>`,
  };
}

function quoted(quotes: Quotes, isLinked: boolean): string {
  const shown = quotes.shown.map((quote) => {
    const text = quotedText(quote);
    if (text === undefined) return picturesText(quote);
    if (quote.place === undefined || !isLinked) return asciiText(text);
    return `<a href="${LINK}${asciiText(quote.place)}">${asciiText(text)}</a>`;
  });
  const all = `${quotesLabel(quotes)} ${shown.join(", ")}${moreText(quotes)}`;
  return `<span class="rs-emit-new">${all}</span>`;
}
