import { count, numeral } from "@rs-emit/documents";
import { languageTag, lineOf } from "@rs-emit/feeds";
import { html } from "hono/html";
import { type Html, page } from "../look/layout.ts";
import { HEALTHS, type Health, type ListedSource, type Page } from "../queries/sources.ts";
import type { View } from "../view.ts";
import { healthLine, healthMark, LABELS } from "./health.ts";

const DONE = {
  unfollowed: "The site is followed no more, and its feeds are gone.",
} as const;

type Done = keyof typeof DONE;

interface SourcesQuery {
  readonly health: Health | undefined;
  /** Part of a name or address; empty for all. */
  readonly name: string;
  readonly done: Done | undefined;
}

export function sourcesPage(view: View, sources: Page<ListedSource>, query: SourcesQuery): Html {
  const { links, rights } = view;
  const { items, total } = sources;
  const { health, name, done } = query;
  const filter = new URLSearchParams({ ...(health && { state: health }), ...(name && { name }) });
  return page(view, {
    title: "Sources",
    feeds: [{ title: "Changes of all followed sites", href: links.feed("all") }],
    body: html`<h1>Sources</h1>
${done === undefined ? "" : html`<p class="notice" role="status">${DONE[done]}</p>`}
<form class="filter" method="get" action="${links.sources}" role="search">
<div class="field">
<p><label for="filter">Name or address contains</label>
<input id="filter" name="name" type="search" maxlength="100" value="${name}"></p>
<p><label for="state">State</label>
<select id="state" name="state">
<option value="">All</option>
${HEALTHS.map(
  (one) =>
    html`<option value="${one}"${one === health ? html` selected` : ""}>${LABELS[one]}</option>
`,
)}</select></p>
<button>Show</button>
</div>
</form>
<p class="summary">${count(total, "site")}${
      health === undefined && name === "" ? " in all" : " found"
    }.${
      health === undefined && name === "" ? "" : html` <a href="${links.sources}">Show all</a>`
    }</p>
<ul class="sources" role="list">
${items.map((source) => html`<li>${sourceItem(view, source)}</li>`)}
</ul>
${pager(sources, `${links.sources}?${filter.size === 0 ? "" : `${filter}&`}page=`)}
<p class="feeds"><a href="${links.opml}">All feeds (OPML)</a>${
      rights.mayManage
        ? html` <a href="${links.import}">Import and export</a> <a href="${links.blocked}">Blocked hosts</a>`
        : ""
    }</p>`,
  });
}

function sourceItem({ links, now }: View, source: ListedSource): Html {
  const { id, title, language, host, collections, collectionCount } = source;
  const heading = `source-${id}`;
  const more = collectionCount - collections.length;
  return html`<article aria-labelledby="${heading}">
<header>
<h2 id="${heading}" dir="auto"><a href="${links.source(id)}" lang="${languageTag(language) ?? ""}">${title}</a></h2>
${healthMark(source)}
</header>
${title === host ? "" : html`<p class="host">${host}</p>`}
<p>${healthLine(source, now)}</p>
${reasonOf(source)}
<ul class="feeds" role="list">
<li><a class="feed" href="${links.feed(`source/${id}`)}">Feed of the site</a></li>
${
  collectionCount < 2
    ? ""
    : collections.map(
        (one) =>
          html`<li><a class="feed" href="${links.feed(`collection/${one.id}`)}" lang="${languageTag(one.language) ?? ""}" dir="auto">${one.title}</a></li>
`,
      )
}${more > 0 ? html`<li><a href="${links.source(id)}#feeds">${numeral(more)} more</a></li>` : ""}
</ul>
</article>`;
}

/** Characters of a problem; the page of the source has all of it. */
const PROBLEM = 200;

/** Why the last check did not succeed. Other states say it themselves. */
function reasonOf({ health, problem }: ListedSource): Html {
  if (health !== "troubled" || problem === undefined) return html``;
  return html`<p class="why" dir="auto">${lineOf(problem.text, PROBLEM)}</p>`;
}

function pager({ number, count }: Page<ListedSource>, link: string): Html {
  if (count === 1) return html``;
  return html`<nav class="pager" aria-label="Pages of this list">
${number > 1 ? html`<a href="${link}${number - 1}" rel="prev">Previous</a>` : html`<span></span>`}
<span>Page ${number} of ${count}</span>
${number < count ? html`<a href="${link}${number + 1}" rel="next">Next</a>` : html`<span></span>`}
</nav>`;
}
