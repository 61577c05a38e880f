import { count } from "@rs-emit/documents";
import { languageTag, lineOf } from "@rs-emit/feeds";
import { urlOf } from "@rs-emit/reader";
import { html } from "hono/html";
import type { Overview } from "../../../check/reader.ts";
import { causeOf } from "../../../problem-causes.ts";
import type { MergedAddress } from "../../../store/following/merged-source.ts";
import type { KeptCheck } from "../../../store/kept-checks.ts";
import type { LatestEntries } from "../../../store/pages/entries.ts";
import { entryList, linkedName } from "../entries.ts";
import { type Html, items, page, timeElement } from "../look/layout.ts";
import type { ListedSource, ShownCollection } from "../queries/source-list.ts";
import type { View } from "../request-context.ts";
import { sourceActions } from "./actions.ts";
import { healthDetails, healthLine, healthMark, isSoon } from "./health.ts";

/** Seconds: how often, and how long, the page of an unchecked source is loaded again. */
const REFRESH = 3;
const PATIENCE = 600;

const SUMMARY = 300;

interface SourceNews {
  readonly latest: LatestEntries;
  readonly checks: readonly KeptCheck[];
  /** How it is followed in place of a change log. */
  readonly overview: Overview | undefined;
  /** Addresses that were followed by themselves. */
  readonly merged: readonly MergedAddress[];
}

export function sourcePage(view: View, source: ListedSource, news: SourceNews): Html {
  const { links, now } = view;
  const { latest, checks, overview, merged } = news;
  const { id, title, language, site, health, since, followedAt, hasName } = source;
  const lang = languageTag(language) ?? "";
  const isWaiting = health === "waiting" && isSoon(source, now);
  const looksAgain = isWaiting && now < (since ?? followedAt) + PATIENCE;
  return page(view, {
    title,
    feeds: [{ title, href: links.feed(`source/${id}`) }],
    refresh: looksAgain ? REFRESH : undefined,
    body: html`<h1 dir="auto" lang="${lang}">${hasName ? title : linkedName(title, site, lang)}</h1>
${hasName ? html`<p class="site">${linkedName(site, site, "")}</p>` : ""}
<p class="health"${isWaiting ? html` role="status"` : ""}>${healthMark(source)} ${healthLine(source, now)}</p>
${looksAgain ? html`<p class="hint">This page looks again every few seconds.</p>` : ""}
${looksAgain ? html`<p><a href="${links.source(id)}">Look now</a></p>` : ""}
${isWaiting ? "" : healthDetails(source)}
${polledLists(view, source, overview)}
${mergedAddresses(view, merged)}
${source.collectionCount === 0 ? "" : whatThereIs(view, source, latest)}
${checkTable(view, checks, source.quietChecks)}
${sourceActions(view, source)}`,
  });
}

/** Merged addresses that are named. */
const MERGED = 5;

function mergedAddresses({ now }: View, merged: readonly MergedAddress[]): Html {
  if (merged.length === 0) return html``;
  const shown = merged
    .slice(0, MERGED)
    .map(
      (one) =>
        html`${linkedName(one.address, urlOf(one.address), "")}, merged ${timeElement(one.merged_at, now)}`,
    );
  return html`<section class="notice" aria-labelledby="merged-title">
<h2 id="merged-title">Followed with it</h2>
<p>This was followed by itself before it turned out to be this site. Its feed leads to this site's.</p>
<ul>${items(shown, merged.length)}</ul>
</section>`;
}

function whatThereIs(view: View, source: ListedSource, latest: LatestEntries): Html {
  return html`<section id="feeds" aria-labelledby="feeds-title">
<h2 id="feeds-title">Feeds</h2>
<p class="hint">Copy an address into your feed reader.</p>
<dl class="addresses">
${source.collections.length === 1 ? "" : feedAddress(view, "Everything on this site", "en", `source/${source.id}`)}
${source.collections.map((one) => collection(view, one, feedOf(source, one)))}
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

/** The feed of a site with one collection tells all that the collection's tells, and more when there are more. */
function feedOf({ id, collections }: ListedSource, one: ShownCollection) {
  return collections.length === 1 ? (`source/${id}` as const) : (`collection/${one.id}` as const);
}

function collection(view: View, one: ShownCollection, feed: ReturnType<typeof feedOf>): Html {
  const { title, language, url, summary, isListed } = one;
  const lang = languageTag(language) ?? "";
  return html`${feedAddress(view, linkedName(title, url, lang), lang, feed)}
${summary === undefined ? "" : html`<dd class="summary" lang="${lang}" dir="auto">${lineOf(summary, SUMMARY)}</dd>`}
${isListed ? "" : html`<dd class="hint">${endOf(one)} Its feed stays as it is.</dd>`}`;
}

function endOf({ isCompared }: ShownCollection): string {
  return isCompared
    ? "The lists of this site are no longer compared, since it publishes a change log."
    : "The site no longer names this collection.";
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

/** @param quiet checks with nothing new since the last noted one */
function checkTable({ now }: View, checks: readonly KeptCheck[], quiet: number): Html {
  if (checks.length === 0) return html``;
  return html`<details class="checks">
<summary>Last checks</summary>
<div class="table" role="region" aria-label="Last checks" tabindex="0"><table>
<thead><tr><th scope="col">When</th><th scope="col">Result</th></tr></thead>
<tbody>
${quietRow(quiet)}${checks.map(
  (check) => html`<tr><td>${timeElement(check.time, now)}</td><td>${checkText(check)}</td></tr>
${quietRow(check.without_news)}`,
)}</tbody>
</table></div>
</details>`;
}

function quietRow(checks: number): Html {
  if (checks === 0) return html``;
  return html`<tr class="quiet"><td></td><td>${count(checks, "check")} with nothing new</td></tr>
`;
}

function checkText({ reported, finding, problem_code }: KeptCheck): Html {
  const news = reported === 0 ? "" : count(reported, "new change");
  if (problem_code === "NO_SOURCE") return html`No change log`;
  if (problem_code === "NO_LIST") return html`Neither change log nor sitemap`;
  if (problem_code === null) return html`${news || "Documents differ, but no change is new"}`;
  const failure = html`<span class="failed">Failed:</span> <span dir="auto">${causeOf({ code: problem_code, finding })}</span>`;
  return news === "" ? failure : html`${news}. ${failure}`;
}

/** Of a site without a change log: how its sitemap is polled, or the button to poll it. */
function polledLists(view: View, source: ListedSource, overview: Overview | undefined): Html {
  const { followedBy, health, pollsSitemap } = source;
  if (followedBy === "log" || health === "blocked") return html``;
  const isLeft = health === "has-sitemap" || health === "troubled";
  if (!pollsSitemap) return isLeft ? offer(view, source) : html``;
  if (overview === undefined) return html``;
  const { addresses, pages, notes, missing } = overview;
  return html`<section class="notice" aria-labelledby="lists-title">
<h2 id="lists-title">Followed by its sitemap</h2>
<p>What changed here was seen by comparing lists, not reported by the author. ${count(pages, "page")}:</p>
<ul>${addresses.map((url) => html`<li>${linkedName(url, url, "")}</li>`)}</ul>
${notes.map((note) => html`<p>${note}</p>`)}
${missing === undefined ? "" : decision(view, source, missing)}
</section>`;
}

function offer({ links, rights }: View, { id }: ListedSource): Html {
  if (!rights.mayFollow) return html``;
  return html`<form class="notice" method="post" action="${links.source(id, "lists")}">
<p>This site has no change log. Follow it by its sitemap instead?
What changes there is seen by comparing: less exactly, and marked so.</p>
<button>Follow it by its sitemap</button>
</form>`;
}

/** More than half of the pages are missing: a person decides whether they are gone. */
function decision(
  { links, rights }: View,
  { id }: ListedSource,
  missing: NonNullable<Overview["missing"]>,
): Html {
  const pages = html`<details><summary>Which pages</summary>
<ul>${items(
    missing.some.map((url) => linkedName(url, url, "")),
    missing.pages,
  )}</ul>
</details>`;
  if (!rights.mayManage) return pages;
  return html`${pages}<form method="post" action="${links.source(id, "gone")}"><button>They are gone</button></form>`;
}
