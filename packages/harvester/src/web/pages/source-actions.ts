import { html } from "hono/html";
import type { ListedSource } from "../../library/sources.ts";
import type { View } from "../environment.ts";
import { type Html, page } from "../look/layout.ts";

/** What whoever manages the service may do with a source. */
export function sourceActions({ links, rights }: View, { id, health }: ListedSource): Html {
  if (!rights.mayManage) return html``;
  const isCheckable = health !== "blocked" && health !== "waiting";
  return html`<section class="actions" aria-label="What you can do with this source">
${
  isCheckable
    ? html`<form method="post" action="${links.source(id, "check")}"><button>Check now</button></form>`
    : ""
}
<a class="button" href="${links.source(id, "unfollow")}">Unfollow…</a>
${health === "blocked" ? "" : html`<a class="button" href="${links.source(id, "block")}">Block its host…</a>`}
</section>`;
}

/** Asks before a source and its feeds go. */
export function unfollowPage(view: View, source: ListedSource): Html {
  return questionPage(view, source, {
    title: `Unfollow ${source.title}?`,
    text: "Its feeds and all that is remembered of it are deleted. Readers that follow them find nothing there any more.",
    action: "unfollow",
    button: "Unfollow",
  });
}

/** Asks before a host is blocked. */
export function blockPage(view: View, source: ListedSource): Html {
  return questionPage(view, source, {
    title: `Block ${source.host}?`,
    text: "No site on this host is checked any more, and nobody can follow one. Feeds that are there stay as they are.",
    action: "block",
    button: "Block",
  });
}

interface Question {
  readonly title: string;
  readonly text: string;
  readonly action: "unfollow" | "block";
  readonly button: string;
}

function questionPage(
  view: View,
  { id }: ListedSource,
  { title, text, action, button }: Question,
): Html {
  const { links } = view;
  return page(view, {
    title,
    body: html`<h1 dir="auto">${title}</h1>
<p>${text}</p>
<form class="actions" method="post" action="${links.source(id, action)}">
<button class="danger">${button}</button>
<a class="button" href="${links.source(id)}">Leave it as it is</a>
</form>`,
  });
}
