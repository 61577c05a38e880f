import { html } from "hono/html";
import type { Doubt } from "../../../lists/trust.ts";
import type { ListedSource } from "../../../store/queries/sources.ts";
import type { WatchRow } from "../../../store/watch.ts";
import type { View } from "../environment.ts";
import { nameOf } from "../look/entries.ts";
import type { Html } from "../look/layout.ts";
import { counted } from "../look/words.ts";

/** What is known of a site's lists of pages; where it does not say what changed, the button that has them watched. */
export function watchedLists(view: View, source: ListedSource, watch: WatchRow | undefined): Html {
  if (!source.isSilent || source.health === "blocked") return html``;
  if (!source.isFromLists) return offer(view, source);
  if (watch?.began_at == null) return html``;
  const roots: readonly string[] = JSON.parse(watch.roots);
  return html`<section class="notice" aria-labelledby="lists-title">
<h2 id="lists-title">Watched by its list of pages</h2>
<p>What changed here was seen by comparing lists, not told by the author. ${counted(watch.pages, "page")}:</p>
<ul>${roots.map((url) => html`<li>${nameOf(url, url, "")}</li>`)}</ul>
${watch.doubt === null ? "" : html`<p>${DOUBTS[watch.doubt]} Only new pages and those that are gone are told, and those whose hash differs.</p>`}
${
  watch.restless === 0
    ? ""
    : html`<p>The dates of ${counted(watch.restless, "page")} move at every check, and are not believed.</p>`
}
${watch.is_held === 1 ? held(view, source, watch) : ""}
</section>`;
}

const DOUBTS: Readonly<Record<Doubt, string>> = {
  together: "The dates in its list are not believed: more than half of them moved at once.",
  equal: "The dates in its list are not believed: all are equal.",
};

function offer({ links, rights }: View, { id }: ListedSource): Html {
  if (!rights.mayFollow) return html``;
  return html`<form class="notice" method="post" action="${links.source(id, "lists")}">
<p>This site does not say what changed. Watch its list of pages instead?</p>
<button>Watch its list of pages</button>
</form>`;
}

function held({ links, rights }: View, { id }: ListedSource, { missing }: WatchRow): Html {
  return html`<p>${counted(missing, "page")} are missing from its list, more than half. None is told as gone before a person has looked.</p>
${
  rights.mayManage
    ? html`<form method="post" action="${links.source(id, "gone")}"><button>They are gone</button></form>`
    : ""
}`;
}
