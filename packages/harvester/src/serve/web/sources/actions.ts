import { html } from "hono/html";
import { INTERVALS, type Interval } from "../../../store/following/next-check.ts";
import { type Html, page } from "../look/layout.ts";
import type { ListedSource } from "../queries/source-list.ts";
import type { View } from "../request-context.ts";

export function sourceActions({ links, rights }: View, source: ListedSource): Html {
  const { id, health } = source;
  if (!rights.mayManage) return html``;
  const isCheckable = health !== "blocked" && health !== "waiting";
  const isPaused = health === "paused";
  const action = (name: "check" | "pause", words: string) =>
    html`<form method="post" action="${links.source(id, name)}"><button>${words}</button></form>`;
  return html`<section class="actions" aria-label="What you can do with this source">
${isCheckable ? action("check", isPaused ? "Resume" : "Check now") : ""}
${isCheckable && !isPaused ? action("pause", "Pause") : ""}
<a class="button" href="${links.source(id, "unfollow")}">Unfollow…</a>
${health === "blocked" ? "" : html`<a class="button" href="${links.source(id, "block")}">Block its host…</a>`}
</section>
${settingsForm(links.source(id, "settings"), source)}`;
}

function settingsForm(action: string, { name, labels, interval, health }: ListedSource): Html {
  const option = (value: string, words: string) =>
    html`<option value="${value}"${value === String(interval ?? "") ? html` selected` : ""}>${words}</option>`;
  return html`<details class="settings">
<summary>Settings</summary>
<form method="post" action="${action}">
<label for="name">What it is called here; empty for its own name</label>
<input id="name" name="name" type="text" maxlength="200" value="${name ?? ""}">
<label for="labels">Its labels, one a line</label>
<textarea id="labels" name="labels" rows="2">
${labels.join("\n")}</textarea>
${
  health === "blocked"
    ? ""
    : html`<label for="interval">How often it is checked</label>
<select id="interval" name="interval">
${option("", "As often as the others")}
${INTERVALS.map((one) => option(String(one), EVERY[one]))}
</select>`
}
<button>Save</button>
</form>
</details>`;
}

const EVERY: Readonly<Record<Interval, string>> = {
  3600: "Every hour",
  21600: "Every six hours",
  86400: "Every day",
  604800: "Every week",
};

/** What is asked about before it is done. */
type Question = "unfollow" | "block";

interface Asked {
  readonly title: string;
  readonly text: string;
  readonly button: string;
}

const QUESTIONS: Readonly<Record<Question, (source: ListedSource) => Asked>> = {
  unfollow: ({ title }) => ({
    title: `Unfollow ${title}?`,
    text: "Its feeds and all that is remembered of it are deleted. Readers that follow them find nothing there any more.",
    button: "Unfollow",
  }),
  block: ({ host }) => ({
    title: `Block ${host}?`,
    text: "No site on this host is checked any more, and nobody can follow one. Feeds that are there stay as they are.",
    button: "Block",
  }),
};

export function questionPage(view: View, source: ListedSource, asked: Question): Html {
  const { links } = view;
  const { title, text, button } = QUESTIONS[asked](source);
  return page(view, {
    title,
    body: html`<h1 dir="auto">${title}</h1>
<p>${text}</p>
<form class="actions" method="post" action="${links.source(source.id, asked)}">
<button class="danger">${button}</button>
<a class="button" href="${links.source(source.id)}">Leave it as it is</a>
</form>`,
  });
}
