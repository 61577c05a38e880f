import { numeral } from "@rs-emit/documents";
import {
  type ChangedPage,
  ENGLISH,
  isRename,
  languageTag,
  lineOf,
  moreOf,
  PLACES,
  pageGroups,
  type Quotes,
  quotedText,
  quoteLink,
  quotesFrame,
  sharedWords,
  timestamp,
  unquotedText,
  webLink,
} from "@rs-emit/feeds";
import { Hono } from "hono";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import {
  type LatestEntries,
  type ListedEntry,
  type WholeEntry,
  wholeEntry,
} from "../../store/pages/entries.ts";
import { pathNumber, queryNumber } from "./guards.ts";
import { type Html, page, pager, timeElement } from "./look/layout.ts";
import type { View, WebDependencies, WebEnv } from "./request-context.ts";

export function entryRoutes({ database }: Pick<WebDependencies, "database">): Hono<WebEnv> {
  return new Hono<WebEnv>().get("/entries/:id", async (context) => {
    const view = context.get("view");
    const after = queryNumber(context, "after") ?? 0;
    const entry = await wholeEntry(database, pathNumber(context), after, view.places);
    if (entry === undefined) throw new HTTPException(404, { message: "There is no such entry." });
    return context.html(entryPage(view, entry, after > 0));
  });
}

function entryPage(
  view: View,
  { id, entry, sourceId, next }: WholeEntry,
  isFurther: boolean,
): Html {
  const { links, now } = view;
  const { collection } = entry;
  const lang = languageTag(collection.language) ?? "";
  return page(view, {
    title: collection.title,
    feeds: [{ title: collection.title, href: links.feed(`source/${sourceId}`) }],
    body: html`<h1 dir="auto" lang="${lang}"><a href="${links.source(sourceId)}">${collection.title}</a></h1>
<p class="when">${timeElement(entry.updated, now)}</p>
${entry.note === undefined ? "" : html`<p class="hint">${entry.note}</p>`}
${changedPages(view, { id, entry: { ...entry, counts: undefined } })}
${pager(
  {
    previous: isFurther ? { href: links.entry(id), text: "From the beginning" } : undefined,
    next: next === undefined ? undefined : { href: links.entry(id, next), text: "Next" },
  },
  "Pages of this list",
)}`,
  });
}

/** Characters of the author's note on a page. */
const WORDS = 280;

/** @param here the page's own path, for the link to older entries */
export function entryList(
  view: View,
  { entries, before, isFirst }: LatestEntries,
  here: string,
): Html {
  return html`<ol class="entries" role="list">
${entries.map((entry) => html`<li>${article(view, entry)}</li>`)}
</ol>
${pager(
  {
    previous: isFirst ? undefined : { href: `${here}#changes`, text: "Newest changes" },
    next:
      before === undefined
        ? undefined
        : { href: `${here}?before=${before}#changes`, text: "Older changes" },
  },
  "Pages of changes",
)}`;
}

function article(view: View, listed: ListedEntry): Html {
  const { collection, updated, note } = listed.entry;
  const heading = `entry-${listed.number}`;
  return html`<article aria-labelledby="${heading}">
<header>
<h3 id="${heading}" dir="auto">${linkedName(collection.title, collection.url, languageTag(collection.language) ?? "")}</h3>
<p class="when">${timeElement(updated, view.now)}</p>
</header>
${changedPages(view, listed)}
${note === undefined ? "" : html`<p class="hint">${note}</p>`}
</article>`;
}

/**
 * An entry's pages, up to 20 of each kind and `most` in all, and a link to all of them. What the author says of all stands
 * above them.
 */
export function changedPages(
  { links }: View,
  { id, entry }: Pick<ListedEntry, "id" | "entry">,
  most = Number.POSITIVE_INFINITY,
): Html {
  const lang = languageTag(entry.collection.language) ?? "";
  const groups = pageGroups(entry);
  if (groups.length === 0) return html``;
  const shown = groups.flatMap(({ pages }) => pages).slice(0, most);
  const rest = groups.reduce((sum, { count }) => sum + count, 0) - shown.length;
  const note = sharedWords(groups);
  return html`${note === undefined ? "" : wordsOf(note, lang)}<ul class="pages">
${shown.map((one) => changedPage(one, lang, note))}
${rest === 0 ? "" : html`<li class="rest"><a href="${links.entry(id)}">and ${numeral(rest)} more</a></li>`}
</ul>`;
}

/** To programs an `h-entry` (microformats2), with the id that the list in the site's own pages gives it. */
function changedPage(page: ChangedPage, lang: string, said: string | undefined): Html {
  const { group, name, title, link, changes } = page;
  const [newest] = changes;
  const { quotes, words } = newest;
  const at = timestamp(newest.datetime);
  return html`<li class="h-entry"><span class="kind ${group}">${group === "deleted" ? "gone" : group}</span> ${entryName(name, link, lang)}${
    words === undefined || words === said ? "" : wordsOf(words, lang)
  }${
    quotes === undefined ? "" : quoted(newest.url, quotes, title, lang)
  }<data class="dt-updated" value="${at}"></data><data class="u-uid" value="${newest.url}#${at}"></data></li>`;
}

function wordsOf(words: string, lang: string): Html {
  const line = lineOf(words, WORDS);
  return line === "" ? html`` : html` <span class="words" lang="${lang}" dir="auto">${line}</span>`;
}

function entryName(name: string, url: string | undefined, lang: string): Html {
  const href = webLink(url);
  if (href === undefined)
    return html`<span class="p-name" lang="${lang}" dir="auto">${name}</span>`;
  return html`<a class="u-url p-name" href="${href}" lang="${lang}" dir="auto" rel="nofollow">${name}</a>`;
}

function quoted(url: string, quotes: Quotes, title: string, lang: string): Html {
  if (isRename(quotes, title)) return html` <span class="new-words">${ENGLISH.renamed()}</span>`;
  const [before] = quotesFrame(quotes, ENGLISH).split(PLACES[0]);
  const shown = quotes.shown.map((quote, at) => {
    const text = quotedText(quote, ENGLISH);
    const comma = at === 0 ? "" : ", ";
    if (text === undefined) return html`${comma}${unquotedText(quote, ENGLISH)}`;
    return html`${comma}${linkedName(text, quoteLink(url, quote), lang)}`;
  });
  return html` <span class="new-words">${before}${shown}${moreOf(ENGLISH, quotes.more)}</span>`;
}

/** A link if the URL is on the web. */
export function linkedName(name: string, url: string | undefined, lang: string): Html {
  const href = webLink(url);
  if (href === undefined) return html`<span lang="${lang}" dir="auto">${name}</span>`;
  return html`<a href="${href}" lang="${lang}" dir="auto" rel="nofollow">${name}</a>`;
}
