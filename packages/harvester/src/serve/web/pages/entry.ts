import { languageTag, pageGroups } from "@rs-emit/feeds";
import { html } from "hono/html";
import type { WholeEntry } from "../../../store/queries/entries.ts";
import type { View } from "../environment.ts";
import { changedPage } from "../look/entries.ts";
import { type Html, page } from "../look/layout.ts";
import { timeElement } from "../look/words.ts";

/** All changes of an entry, some on each page. */
export function entryPage(
  view: View,
  id: number,
  { entry, sourceId, hasMore }: WholeEntry,
  number: number,
): Html {
  const { links, now } = view;
  const { collection } = entry;
  const lang = languageTag(collection.language) ?? "";
  const pages = pageGroups({ ...entry, counts: undefined }).flatMap((group) => group.pages);
  return page(view, {
    title: collection.title,
    feeds: [{ title: collection.title, href: links.feed(`source/${sourceId}`) }],
    body: html`<h1 dir="auto" lang="${lang}"><a href="${links.source(sourceId)}">${collection.title}</a></h1>
<p class="when">${timeElement(entry.updated, now)}</p>
<ul class="pages">
${pages.map(
  (one) => html`${changedPage(one, lang)}
`,
)}</ul>
<nav class="pager" aria-label="Pages of this list">
${number > 1 ? html`<a href="${links.entry(id, number - 1)}" rel="prev">Previous</a>` : html`<span></span>`}
${hasMore ? html`<a href="${links.entry(id, number + 1)}" rel="next">Next</a>` : html`<span></span>`}
</nav>`,
  });
}
