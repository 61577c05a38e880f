import { languageTag, pageGroups } from "@rs-emit/feeds";
import { Hono } from "hono";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { type WholeEntry, wholeEntry } from "../../store/queries/entries.ts";
import type { View, WebDependencies, WebEnv } from "./environment.ts";
import { changedPage } from "./look/entries.ts";
import { type Html, page } from "./look/layout.ts";
import { timeElement } from "./look/words.ts";
import { pathNumber, queryNumber } from "./request.ts";

/** The pages that list all changes of an entry. */
export function entryRoutes({ database }: Pick<WebDependencies, "database">): Hono<WebEnv> {
  return new Hono<WebEnv>().get("/entries/:id", async (context) => {
    const view = context.get("view");
    const after = queryNumber(context, "after") ?? 0;
    const entry = await wholeEntry(database, pathNumber(context), after, view.places);
    if (entry === undefined) throw new HTTPException(404, { message: "There is no such entry." });
    return context.html(entryPage(view, entry, after > 0));
  });
}

/** All changes of an entry, some on each page. */
function entryPage(
  view: View,
  { id, entry, sourceId, next }: WholeEntry,
  isFurther: boolean,
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
${entry.note === undefined ? "" : html`<p class="hint">${entry.note}</p>`}
<ul class="pages">
${pages.map(
  (one) => html`${changedPage(one, lang)}
`,
)}</ul>
<nav class="pager" aria-label="Pages of this list">
${isFurther ? html`<a href="${links.entry(id)}">From the beginning</a>` : html`<span></span>`}
${next === undefined ? "" : html`<a href="${links.entry(id, next)}" rel="next">Next</a>`}
</nav>`,
  });
}
