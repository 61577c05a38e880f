import { dayOf, languageTag } from "@rs-emit/feeds";
import { html } from "hono/html";
import type { DayCursor, LatestDays, SourceOnDay } from "../../store/queries/days.ts";
import type { ListedEntry } from "../../store/queries/entries.ts";
import type { View } from "./environment.ts";
import { changedPages } from "./look/entries.ts";
import type { Html } from "./look/layout.ts";
import { timeElement } from "./look/words.ts";

const DAY = 86_400;

/** Pages that an entry shows here. */
const PAGES = 6;

/** What was taken lately: by day, then by site, the latest first. */
export function dayList(view: View, { items, before }: LatestDays): Html {
  const days = Map.groupBy(items, ({ day }) => day);
  return html`${[...days].map(
    ([day, sites]) => html`<section class="day" aria-labelledby="day-${day}">
<h3 id="day-${day}">${dayName(day, view.now)}</h3>
<ol class="sites" role="list">
${sites.map((site) => html`<li>${siteOfDay(view, site)}</li>`)}
</ol>
</section>
`,
  )}${
    before === undefined
      ? ""
      : html`<p class="older"><a href="${view.links.home}?before=${cursorText(before)}#changes">Older changes</a></p>`
  }`;
}

/** Days begin at midnight UTC. */
function dayName(day: number, now: number): Html {
  const date = dayOf(day * DAY);
  const ago = Math.floor(now / DAY) - day;
  const name = ago === 0 ? `Today, ${date}` : ago === 1 ? `Yesterday, ${date}` : date;
  return html`<time datetime="${new Date(day * DAY * 1000).toISOString().slice(0, 10)}">${name}</time>`;
}

function siteOfDay(view: View, { day, source, entries, more }: SourceOnDay): Html {
  const { id, title, language, host } = source;
  const heading = `site-${day}-${id}`;
  const oldest = entries.at(-1)?.number;
  return html`<article aria-labelledby="${heading}">
<header>
<h4 id="${heading}" dir="auto"><a href="${view.links.source(id)}" lang="${languageTag(language) ?? ""}">${title}</a></h4>
${title === host ? "" : html`<p class="host">${host}</p>`}
</header>
${entries.map((entry) => entryOfSite(view, entry, title))}
${
  more === 0
    ? ""
    : html`<p class="rest"><a href="${view.links.source(id)}?before=${oldest}#changes">${more.toLocaleString("en")} more of this site</a></p>`
}
</article>`;
}

/** Names the collection where it is not called like the site. */
function entryOfSite(view: View, listed: ListedEntry, site: string): Html {
  const { collection, updated } = listed.entry;
  const lang = languageTag(collection.language) ?? "";
  const name =
    collection.title === site
      ? ""
      : html`<span lang="${lang}" dir="auto">${collection.title}</span> · `;
  return html`<div class="entry"><p class="when">${name}${timeElement(updated, view.now)}</p>
${changedPages(view, listed, PAGES)}</div>`;
}

function cursorText({ takenAt, source }: DayCursor): string {
  return `${takenAt}-${source}`;
}

/** Where a reader has come to; from the beginning where that makes no sense. */
export function parseCursor(text: string | undefined): DayCursor | undefined {
  const [, takenAt, source] = /^(\d{1,12}(?:\.\d{1,12})?)-(\d{1,9})$/.exec(text ?? "") ?? [];
  if (takenAt === undefined) return undefined;
  return { takenAt: Number(takenAt), source: Number(source) };
}
