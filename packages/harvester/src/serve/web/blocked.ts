import { hasCode, normalizeAddress } from "@rs-emit/reader";
import { Hono } from "hono";
import { html } from "hono/html";
import { block, blockedHosts, unblock } from "../../store/host.ts";
import { hostOf } from "../../store/source.ts";
import { readForm, requireRight } from "./guards.ts";
import { formProblem, type Html, page } from "./look/layout.ts";
import type { View, WebDependencies, WebEnv } from "./request-context.ts";

export function blockedRoutes({ database, writing, now }: WebDependencies): Hono<WebEnv> {
  return new Hono<WebEnv>()
    .get("/blocked", async (context) => {
      requireRight(context, "mayManage");
      return context.html(blockedPage(context.get("view"), await blockedHosts(database)));
    })
    .post("/blocked", async (context) => {
      requireRight(context, "mayManage");
      const view = context.get("view");
      const field = await readForm(context);
      const allowed = field("allow");
      try {
        if (allowed !== "") await unblock(writing, allowed, now());
        else await block(writing, hostOf(normalizeAddress(field("block"))));
      } catch (error) {
        if (!hasCode(error, "ADDRESS")) throw error;
        return context.html(blockedPage(view, await blockedHosts(database), error.message), 400);
      }
      return context.redirect(view.links.blocked, 303);
    });
}

function blockedPage(view: View, hosts: readonly string[], problem?: string): Html {
  const { links } = view;
  return page(view, {
    title: "Blocked hosts",
    body: html`<h1>Blocked hosts</h1>
<p class="lead">No site on these hosts is checked, and nobody can follow one.</p>
${formProblem(problem)}
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
