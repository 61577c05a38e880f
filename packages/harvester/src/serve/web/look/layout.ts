import { numeral } from "@rs-emit/documents";
import { dayOf, timestamp } from "@rs-emit/feeds";
import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { View } from "../request-context.ts";

/** Every text in it is escaped. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

interface PageContent {
  readonly title: string;
  readonly body: Html;
  readonly feeds?: readonly { readonly title: string; readonly href: string }[];
  /** Seconds after which the browser loads the page again. */
  readonly refresh?: number | undefined;
}

const NAME = "rs-harvest";

export function page(view: View, { title, body, feeds = [], refresh }: PageContent): Html {
  const { links } = view;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · ${NAME}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${refresh === undefined ? "" : html`<meta http-equiv="refresh" content="${refresh}">`}
<link rel="stylesheet" href="${links.stylesheet}">
<link rel="icon" href="${links.icon}" type="image/svg+xml">
${feeds.map(
  (feed) =>
    html`<link rel="alternate" type="application/atom+xml" title="${feed.title}" href="${feed.href}">
`,
)}</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
${navigation(view)}
</header>
<main id="content" tabindex="-1">
${body}
</main>
<footer>
<p>Feeds of what changed, for <a href="${links.about}">any site that says so</a>.</p>
</footer>
</body>
</html>
`;
}

function navigation({ links, rights }: View): Html {
  const { canSignIn, isSignedIn } = rights;
  return html`<nav aria-label="Pages">
<a class="name" href="${links.home}">${NAME}</a>
<ul>
<li><a href="${links.sources}">Sources</a></li>
<li><a href="${links.about}">About</a></li>
${canSignIn ? html`<li><a href="${links.signIn}">Sign in</a></li>` : ""}
${isSignedIn ? html`<li><form method="post" action="${links.signOut}"><button class="plain">Sign out</button></form></li>` : ""}
</ul>
</nav>`;
}

/** The form's field names it by `aria-describedby="problem"`. */
export function formProblem(text: string | undefined): Html {
  return text === undefined
    ? html``
    : html`<p class="notice trouble" id="problem" role="alert">${text}</p>`;
}

const TITLES: Readonly<Record<number, string>> = {
  400: "That was not understood",
  401: "That is not the token",
  403: "That is not for you to do",
  404: "There is nothing here",
  413: "That is too much at once",
  429: "Not so fast",
  500: "Something went wrong",
};

export function problemPage(view: View, status: number, text: string): Html {
  const title = TITLES[status] ?? TITLES[500] ?? "";
  const { links, rights } = view;
  return page(view, {
    title,
    body: html`<h1>${title}</h1>
<p class="lead">${text}</p>
<p>${status === 403 && rights.canSignIn ? html`<a href="${links.signIn}">Sign in</a>, or go` : "Go"}
to <a href="${links.home}">the first page</a> or to the <a href="${links.sources}">sources</a>.</p>`,
  });
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

const DAYS = 7;

const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** Whether a time is told by its distance, else by its date. */
export function isLately(seconds: number, now: number): boolean {
  return Math.abs(seconds - now) <= DAYS * 86_400;
}

/** `5 minutes ago`, `in 22 hours`, `on 5 October 2026`. */
export function relativeTime(seconds: number, now: number): string {
  const distance = seconds - now;
  if (!isLately(seconds, now)) return `on ${dayOf(seconds)}`;
  for (const [unit, size] of UNITS) {
    if (Math.abs(distance) >= size) return RELATIVE.format(Math.trunc(distance / size), unit);
  }
  return distance > 0 ? "in a moment" : "just now";
}

interface PageLink {
  readonly href: string;
  readonly text: string;
}

interface OtherSources {
  readonly previous?: PageLink | undefined;
  readonly next?: PageLink | undefined;
}

/** Links to the pages before and after this one, with the keys that readers of feeds know: `k` and `j`. */
export function pager({ previous, next }: OtherSources, name: string, between = ""): Html {
  if (previous === undefined && next === undefined) return html``;
  const link = (one: PageLink | undefined, rel: string, key: string) =>
    one === undefined
      ? html`<span></span>`
      : html`<a href="${one.href}" rel="${rel}" accesskey="${key}">${one.text}</a>`;
  return html`<nav class="pager" aria-label="${name}">
${link(previous, "prev", "k")}
${between === "" ? "" : html`<span>${between}</span>`}
${link(next, "next", "j")}
</nav>`;
}

/** The host of a site, unless its name begins with that already. */
export function hostBeside(name: string, host: string): Html {
  const isNamed = name === host || name.startsWith(`${host}/`) || name.startsWith(`${host}:`);
  return isNamed ? html`` : html`<p class="host">${host}</p>`;
}

/** Links to what has a label. */
export function labelFilter(
  labels: readonly string[],
  chosen: string | undefined,
  hrefOf: (label: string | undefined) => string,
): Html {
  if (labels.length === 0) return html``;
  const link = (label: string | undefined) =>
    html`<li><a href="${hrefOf(label)}" dir="auto"${label === chosen ? html` aria-current="true"` : ""}>${label ?? "All"}</a></li>
`;
  return html`<nav class="labels" aria-label="Labels"><ul role="list">
${[undefined, ...labels].map(link)}</ul></nav>`;
}

/** The query of an address, without what is empty. */
export function queryOf(values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).flatMap(([name, value]): [string, string][] =>
    value ? [[name, value]] : [],
  );
  return new URLSearchParams(given).toString();
}

/** List items, and how many more there are in all. */
export function items(shown: readonly Html[], total: number): Html {
  const more = total - shown.length;
  return html`${shown.map((one) => html`<li>${one}</li>`)}${
    more > 0 ? html`<li>and ${numeral(more)} more</li>` : ""
  }`;
}

export function timeElement(seconds: number, now: number): Html {
  const exact = timestamp(seconds);
  return html`<time datetime="${exact}" title="${exact}">${relativeTime(seconds, now)}</time>`;
}
