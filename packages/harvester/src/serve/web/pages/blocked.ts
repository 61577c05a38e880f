import { html } from "hono/html";
import type { View } from "../environment.ts";
import { type Html, page } from "../look/layout.ts";

/** The hosts that nobody can follow; for those who manage the service. */
export function blockedPage(view: View, hosts: readonly string[], problem?: string): Html {
  const { links } = view;
  return page(view, {
    title: "Blocked hosts",
    body: html`<h1>Blocked hosts</h1>
<p class="lead">No site on these hosts is checked, and nobody can follow one.</p>
${problem === undefined ? "" : html`<p class="notice trouble" id="problem" role="alert">${problem}</p>`}
<ul class="hosts" role="list">
${hosts.map(
  (host) => html`<li><span>${host}</span>
<form method="post" action="${links.blocked}"><input type="hidden" name="allow" value="${host}">
<button aria-label="Allow ${host} again">Allow again</button></form></li>
`,
)}</ul>
${hosts.length === 0 ? html`<p class="empty">No host is blocked.</p>` : ""}
<form class="follow" method="post" action="${links.blocked}">
<label for="host">Block a host</label>
<div class="field">
<input id="host" name="block" type="text" inputmode="url" autocapitalize="none" autocomplete="off" spellcheck="false"
 required maxlength="255" placeholder="example.org"${problem === undefined ? "" : html` aria-invalid="true" aria-describedby="problem"`}>
<button class="danger">Block</button>
</div>
</form>`,
  });
}
