import { html } from "hono/html";
import { remarksOn } from "../../../lists/words.ts";
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
${remarksOn(watch).map((remark) => html`<p>${remark}</p>`)}
${watch.is_held === 1 ? decision(view, source) : ""}
</section>`;
}

function offer({ links, rights }: View, { id }: ListedSource): Html {
  if (!rights.mayFollow) return html``;
  return html`<form class="notice" method="post" action="${links.source(id, "lists")}">
<p>This site does not say what changed. Watch its list of pages instead?</p>
<button>Watch its list of pages</button>
</form>`;
}

/** Only a person decides that so many pages are gone. */
function decision({ links, rights }: View, { id }: ListedSource): Html {
  if (!rights.mayManage) return html``;
  return html`<form method="post" action="${links.source(id, "gone")}"><button>They are gone</button></form>`;
}
