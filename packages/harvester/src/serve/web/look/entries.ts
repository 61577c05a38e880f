import {
  type ChangedPage,
  type FeedCollection,
  languageTag,
  lineOf,
  pageGroups,
  webLink,
} from "@rs-emit/feeds";
import { html } from "hono/html";
import type { LatestEntries, ListedEntry } from "../../../store/queries/entries.ts";
import type { View } from "../environment.ts";
import type { Html } from "./layout.ts";
import { timeElement } from "./words.ts";

/** Pages that an entry shows. */
const PAGES = 6;

/** Characters of the author's words on a page. */
const WORDS = 280;

/** Where a list of entries stands. */
export interface EntryListPlace {
  /** The path of the page, for the link to older entries. */
  readonly here: string;
  /** Whether it tells of one source: its entries lead to the site itself, not to the source's page. */
  readonly isOfSource: boolean;
}

/** What changed lately, entry by entry. */
export function entryList(
  view: View,
  { entries, before }: LatestEntries,
  { here, isOfSource }: EntryListPlace,
): Html {
  return html`<ol class="entries" role="list">
${entries.map((entry) => html`<li>${article(view, entry, isOfSource)}</li>`)}
</ol>
${before === undefined ? "" : html`<p class="older"><a href="${here}?before=${before}#changes">Older changes</a></p>`}`;
}

function article(
  { links, now }: View,
  { id, entry, sourceId, number }: ListedEntry,
  isOfSource: boolean,
): Html {
  const { collection } = entry;
  const lang = languageTag(collection.language) ?? "";
  const groups = pageGroups(entry);
  const shown = groups.flatMap((group) => group.pages).slice(0, PAGES);
  const rest = groups.reduce((sum, { count }) => sum + count, 0) - shown.length;
  const heading = `entry-${number}`;
  return html`<article aria-labelledby="${heading}">
<header>
<h3 id="${heading}" dir="auto">${
    isOfSource
      ? nameOf(collection.title, collection.url, lang)
      : html`<a href="${links.source(sourceId)}" lang="${lang}">${collection.title}</a>`
  }</h3>
<p class="when">${isOfSource ? "" : hostOf(collection)}${timeElement(entry.updated, now)}</p>
</header>
<ul class="pages">
${shown.map((one) => changedPage(one, lang))}
${rest === 0 ? "" : html`<li class="rest"><a href="${links.entry(id)}">and ${rest.toLocaleString("en")} more</a></li>`}
</ul>
</article>`;
}

/** Where it is, among entries of many sites. */
function hostOf({ title, url }: FeedCollection): Html {
  const { host } = new URL(url);
  return title === host ? html`` : html`${host} · `;
}

export function changedPage(
  { group, name, link, changes: [newest] }: ChangedPage,
  lang: string,
): Html {
  const words = lineOf(newest.words ?? "", WORDS);
  return html`<li><span class="kind ${group}">${group}</span> ${nameOf(name, link, lang)}${
    words === "" ? "" : html` <span class="words" lang="${lang}" dir="auto">${words}</span>`
  }</li>`;
}

/** A link where there is something of the web to go to. */
export function nameOf(name: string, url: string | undefined, lang: string): Html {
  const href = webLink(url);
  if (href === undefined) return html`<span lang="${lang}" dir="auto">${name}</span>`;
  return html`<a href="${href}" lang="${lang}" dir="auto" rel="nofollow">${name}</a>`;
}
