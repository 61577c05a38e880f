import { count, numeral } from "@rs-emit/documents";
import { languageTag } from "@rs-emit/feeds";
import { html } from "hono/html";
import { countOf, HEALTHS, type Health, LABELS, standingText } from "../../../health-names.ts";
import { causeOf } from "../../../problem-causes.ts";
import { linkedName } from "../entries.ts";
import { type Html, hostBeside, labelFilter, page, pager, queryOf } from "../look/layout.ts";
import type { ListedSource, PageOf, SourceFilter, SourcesPage } from "../queries/source-list.ts";
import type { View } from "../request-context.ts";
import { healthMark, sentence, shownProblem } from "./health.ts";

/** What was done, where the list is shown again after it. */
export type Done =
  | { readonly kind: "unfollowed" }
  /** So many sites are followed by their sitemaps. */
  | { readonly kind: "polled"; readonly sites: number };

export function sourcesPage(
  view: View,
  sources: SourcesPage,
  filter: SourceFilter,
  { labels, done }: { readonly labels: readonly string[]; readonly done: Done | undefined },
): Html {
  const { links } = view;
  const { items, total } = sources;
  const { health, name, label } = filter;
  const isAll = health === undefined && name === "" && label === undefined;
  return page(view, {
    title: "Sources",
    feeds: [{ title: "Changes of all followed sites", href: links.feed("all") }],
    body: html`<h1>Sources</h1>
${ways(view)}
${done === undefined ? "" : html`<p class="notice" role="status">${doneText(done)}</p>`}
<form class="filter" method="get" action="${links.sources}" role="search">
${hidden({ state: health, label })}
<div class="field">
<p><label for="filter">Name or address contains</label>
<input id="filter" name="name" type="search" maxlength="100" value="${name}"></p>
<button>Show</button>
</div>
</form>
${labelFilter(labels, label, (one) => sourcesPath(view, { ...filter, label: one }))}
${states(view, sources, filter)}
<p class="summary">${count(total, "site")}${isAll ? " in all" : " found"}.${
      isAll ? "" : html` <a href="${links.sources}">Show all</a>`
    }</p>
${pollForm(view, sources, filter)}
<ul class="sources" role="list">
${items.map((source) => html`<li>${sourceItem(view, source)}</li>`)}
</ul>
${pages(sources, (number) => sourcesPath(view, filter, number))}`,
  });
}

/** To what is done with all sources. */
function ways({ links, rights }: View): Html {
  return html`<nav class="feeds" aria-label="All sources"><a href="${links.opml}">All feeds (OPML)</a>${
    rights.mayManage
      ? html` <a href="${links.import}">Import and export</a> <a href="${links.blocked}">Blocked hosts</a>`
      : ""
  }</nav>`;
}

function doneText(done: Done): string {
  if (done.kind === "unfollowed") return "The site is followed no more, and its feeds are gone.";
  const { sites } = done;
  return (
    `${count(sites, "site")} ${standingText("sitemap", sites)} ` +
    "from now on. What changes there is marked as seen by comparing."
  );
}

/** Fields of a form that keep what is looked for. */
function hidden(fields: Readonly<Record<string, string | undefined>>): Html {
  return html`${Object.entries(fields).map(([name, value = ""]) =>
    value === "" ? "" : html`<input type="hidden" name="${name}" value="${value}">`,
  )}`;
}

/** The list of those that are looked for. */
export function sourcesPath(
  { links }: View,
  { health, name, label }: SourceFilter,
  number = 1,
): string {
  const page = number > 1 ? String(number) : undefined;
  const query = queryOf({ state: health, name, label, page });
  return query === "" ? links.sources : `${links.sources}?${query}`;
}

/** How many sources do how. Each number leads to its sources. */
function states(view: View, { counts }: SourcesPage, filter: SourceFilter): Html {
  const total = countOf(counts);
  if (total === 0) return html``;
  const link = (health: Health | undefined, words: Html | string) =>
    html`<li><a href="${sourcesPath(view, { ...filter, health })}"${health === filter.health ? html` aria-current="true"` : ""}>${words}</a></li>
`;
  const some = HEALTHS.filter((health) => countOf(counts, health) > 0);
  return html`<ul class="states" role="list" aria-label="By state">
${link(undefined, `All ${numeral(total)}`)}${some.map((health) =>
  link(
    health,
    html`<span class="mark ${health}">${LABELS[health]}</span> ${numeral(countOf(counts, health))}`,
  ),
)}</ul>`;
}

/** For all at once that publish a sitemap, and have no change log. */
function pollForm(
  { links, rights }: View,
  { counts }: SourcesPage,
  { health, name, label }: SourceFilter,
): Html {
  const unpolled = counts.get("has-sitemap") ?? 0;
  const isShown = health === undefined || health === "has-sitemap";
  if (!rights.mayManage || unpolled === 0 || !isShown) return html``;
  return html`<form class="notice" method="post" action="${links.poll}">
${hidden({ name, label })}
<p>${count(unpolled, "site")} ${standingText("has-sitemap", unpolled)}.
What changes there can be seen by comparing these: less exactly, and marked so.</p>
<button>${
    unpolled === 1
      ? "Follow it by its sitemap"
      : `Follow these ${numeral(unpolled)} by their sitemaps`
  }</button>
</form>`;
}

/** All of it stands on its own page. */
function sourceItem(view: View, source: ListedSource): Html {
  const { links } = view;
  const { id, title, language, host, labels, collectionCount } = source;
  const heading = `source-${id}`;
  return html`<article aria-labelledby="${heading}">
<header>
<h2 id="${heading}" dir="auto"><a href="${links.source(id)}" lang="${languageTag(language) ?? ""}">${title}</a></h2>
${healthMark(source)}
</header>
<div class="about">
${hostBeside(title, host)}
${besides(source)}
${labels.map((label) => html`<a href="${links.sources}?${queryOf({ label })}" dir="auto">${label}</a>`)}
${collectionCount === 0 ? "" : html`<a class="feed" href="${links.feed(`source/${id}`)}">Feed</a>`}
</div>
</article>`;
}

/** What its mark does not say. */
function besides(source: ListedSource): Html {
  const { health, ownFeed, followedBy } = source;
  const problem = shownProblem(source);
  if (health === "has-feed") return html`${linkedName("Its own feed", ownFeed, "")}`;
  if (health === "well" && followedBy === "sitemap") return html`<p>by its sitemap</p>`;
  if (problem === undefined || (health !== "troubled" && health !== "not-read")) return html``;
  return html`<p class="why" dir="auto">${sentence(causeOf(problem))}</p>`;
}

function pages({ number, count }: PageOf<ListedSource>, pathOf: (number: number) => string): Html {
  const previous = { href: pathOf(number - 1), text: "Previous" };
  const next = { href: pathOf(number + 1), text: "Next" };
  return pager(
    { previous: number > 1 ? previous : undefined, next: number < count ? next : undefined },
    "Pages of this list",
    `Page ${number} of ${count}`,
  );
}
