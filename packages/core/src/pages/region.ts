import { urlKey } from "@rs-emit/documents";
import {
  linesOf,
  moreText,
  pageNames,
  picturesText,
  type Quotes,
  quotedText,
  quotesLabel,
  timestamp,
  webLink,
} from "@rs-emit/feeds";
import type { Change } from "../model/log.ts";
import type { LatestChanges } from "../model/plan.ts";
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

interface RegionPlace {
  /** The base of the page's relative links. */
  readonly base: string;
  readonly limit: number;
  readonly hasQuotes: boolean;
}

/** A list item for each change, in ASCII; to programs an `h-entry` (microformats2). */
export function regionContent(
  { collection, changes }: LatestChanges,
  { base, limit, hasQuotes }: RegionPlace,
): string {
  const shown = changes.slice(0, limit);
  if (shown.length === 0) return "";
  const names = pageNames(shown, collection);
  const items = shown.map((change, at) =>
    item(hasQuotes ? change : { ...change, quotes: undefined }, names[at] ?? "", base),
  );
  return `\n${items.join("\n")}\n`;
}

function item(change: Change, called: string, base: string): string {
  const { url, kind, datetime, message, moved, quotes } = change;
  const at = timestamp(datetime);
  const name = asciiText(called);
  const there = kind === "deleted" ? moved : url;
  const link = webLink(there);
  const titled =
    there === undefined || link === undefined
      ? `<span class="rs-emit-title p-name">${name}</span>`
      : `<a class="rs-emit-title u-url p-name"${attribute("href", relativeLink(base, there))}>${name}</a>`;
  const words = linesOf(message ?? "").join(" ");
  const note = words === "" ? "" : ` <span class="rs-emit-words">${asciiText(words)}</span>`;
  const date = `<time class="rs-emit-date dt-updated" datetime="${at}">${at.slice(0, 10)}</time>`;
  const id = `<data class="u-uid"${attribute("value", `${url}#${at}`)}></data>`;
  const what = moved === undefined ? kind : "moved";
  const told = quotes === undefined ? "" : ` ${quoted(quotes, url, base)}`;
  return `<li class="rs-emit-${what} h-entry">${date} ${titled}${note}${told}${id}</li>`;
}

function quoted(quotes: Quotes, url: string, base: string): string {
  const shown = quotes.shown.map((quote) => {
    const text = quotedText(quote);
    if (text === undefined) return picturesText(quote);
    if (quote.place === undefined || webLink(url) === undefined) return asciiText(text);
    const href = relativeLink(base, url) + quote.place;
    return `<a${attribute("href", href)}>${asciiText(text)}</a>`;
  });
  const all = `${quotesLabel(quotes)} ${shown.join(", ")}${moreText(quotes)}`;
  return `<span class="rs-emit-new">${all}</span>`;
}
