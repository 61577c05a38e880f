import { languageTag, lineOf } from "@rs-emit/feeds";
import { html } from "hono/html";
import type { LatestEntries } from "../../../store/queries/entries.ts";
import type { ListedCollection, ListedSource } from "../../../store/queries/sources.ts";
import type { NotedCheck } from "../../../store/source-check.ts";
import type { WatchRow } from "../../../store/watch.ts";
import type { View } from "../environment.ts";
import { entryList, nameOf } from "../look/entries.ts";
import { healthDetails, healthLine, healthMark, isSoon } from "../look/health.ts";
import { type Html, page } from "../look/layout.ts";
import { sourceActions } from "./actions.ts";
import { checkTable } from "./checks.ts";
import { watchedLists } from "./lists.ts";

/** Seconds between looks at a page that waits for a first check, and how long it does so by itself. */
const REFRESH = 3;
const PATIENCE = 600;

/** Characters of what a collection says of itself. */
const SUMMARY = 300;

/** What became of a source lately. */
export interface SourceNews {
  readonly latest: LatestEntries;
  readonly checks: readonly NotedCheck[];
  /** Of its lists of pages. */
  readonly watch: WatchRow | undefined;
}

/** One source: its feeds, how it does, what changed on it lately. */
export function sourcePage(view: View, source: ListedSource, news: SourceNews): Html {
  const { links, now } = view;
  const { latest, checks, watch } = news;
  const { id, title, language, site, health, followedAt } = source;
  const isWaiting = health === "waiting" && isSoon(source, now);
  const looksAgain = isWaiting && now < followedAt + PATIENCE;
  return page(view, {
    title,
    feeds: [{ title, href: links.feed(`source/${id}`) }],
    refresh: looksAgain ? REFRESH : undefined,
    body: html`<h1 dir="auto" lang="${languageTag(language) ?? ""}">${title}</h1>
<p class="site">${nameOf(site, site, "")}</p>
<p class="health"${isWaiting ? html` role="status"` : ""}>${healthMark(source)} ${healthLine(source, now)}</p>
${looksAgain ? html`<p class="hint">This page looks again every few seconds.</p>` : ""}
${isWaiting ? html`<p><a href="${links.source(id)}">Look now</a></p>` : ""}
${healthDetails(source)}
${watchedLists(view, source, watch)}
${source.collectionCount === 0 ? "" : whatThereIs(view, source, latest)}
${checkTable(view, checks, source.quietChecks)}
${sourceActions(view, source)}`,
  });
}

function whatThereIs(view: View, source: ListedSource, latest: LatestEntries): Html {
  return html`<section id="feeds" aria-labelledby="feeds-title">
<h2 id="feeds-title">Feeds</h2>
<p class="hint">Copy an address into your feed reader.</p>
<dl class="addresses">
${source.collections.length === 1 ? "" : feedAddress(view, "Everything on this site", "en", `source/${source.id}`)}
${source.collections.map((one) => collection(view, one))}
</dl>
</section>
<section id="changes" aria-labelledby="changes-title">
<h2 id="changes-title">What changed lately</h2>
${
  latest.entries.length === 0
    ? html`<p class="empty">Nothing yet.</p>`
    : entryList(view, latest, view.links.source(source.id))
}
</section>`;
}

function collection(view: View, { id, title, language, url, summary, isListed }: ListedCollection) {
  const lang = languageTag(language) ?? "";
  return html`${feedAddress(view, nameOf(title, url, lang), lang, `collection/${id}`)}
${summary === undefined ? "" : html`<dd class="summary" lang="${lang}" dir="auto">${lineOf(summary, SUMMARY)}</dd>`}
${isListed ? "" : html`<dd class="hint">The site names this collection no more; its feed stays as it is.</dd>`}`;
}

function feedAddress(
  { links, origin }: View,
  name: Html | string,
  lang: string,
  feed: `source/${number}` | `collection/${number}`,
): Html {
  const href = links.feed(feed);
  return html`<dt lang="${lang}">${name}</dt>
<dd><a class="feed address" href="${href}">${origin + href}</a></dd>`;
}
