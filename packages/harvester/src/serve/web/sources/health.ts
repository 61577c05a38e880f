import { sentencesOf } from "@rs-emit/feeds";
import { html } from "hono/html";
import { isUnfollowed, LABELS, standingText } from "../../../health-names.ts";
import { LOST_LOG } from "../../../problem-causes.ts";
import { linkedName } from "../entries.ts";
import { type Html, timeElement } from "../look/layout.ts";
import type { ListedSource } from "../queries/source-list.ts";

export function healthMark({ health }: ListedSource): Html {
  return html`<span class="mark ${health}">${LABELS[health]}</span>`;
}

export function healthLine(source: ListedSource, now: number): Html {
  const { since, followedAt } = source;
  switch (source.health) {
    case "waiting":
      return isSoon(source, now)
        ? html`Is being checked${isFirst(source)}.`
        : html`Will be checked${isFirst(source)}${next(source, now)}.`;
    case "well":
      return html`${source.followedBy === "sitemap" ? "Followed by its sitemap. " : ""}Last checked ${last(source, now)}; next check${next(source, now)}.`;
    case "has-feed":
      return html`Has ${linkedName("a feed of its own", source.ownFeed, "")}: follow that in your reader. ${lookedFor(source, now)}`;
    case "has-sitemap":
    case "has-nothing":
    case "no-change-log":
      return html`${sentence(standingText(source.health))} ${lookedFor(source, now)}`;
    case "troubled":
      return html`The trouble began ${timeElement(since ?? followedAt, now)}. The last check, ${last(source, now)}, did not succeed. It is tried again${next(source, now)}.`;
    case "not-read":
      return html`Followed ${timeElement(followedAt, now)}, and no check has succeeded yet. It is tried again${next(source, now)}.`;
    case "paused":
      return html`Is not checked until it is resumed. Its feeds stay as they are.`;
    case "gone":
      return html`Its change log was taken away for good. It is checked no more; its feeds stay as they are.`;
    case "opted-out":
      return html`Its owner does not want it to be followed. Its feeds stay as they are.`;
    case "blocked":
      return html`The operator of this service has blocked it. It is checked no more; its feeds stay as they are.`;
  }
}

function isFirst({ lastCheck }: ListedSource): string {
  return lastCheck === undefined ? " for the first time" : "";
}

function lookedFor(source: ListedSource, now: number): Html {
  return html`A change log is looked for again${next(source, now)}.`;
}

/** What went wrong at the last check; also where it did not fail, and the change log is not there any more. */
export function shownProblem({ health, problem }: ListedSource): ListedSource["problem"] {
  if (problem !== undefined || health !== "troubled") return problem;
  return { code: LOST_LOG.code, text: LOST_LOG.message };
}

/** Characters of a problem, which may name many addresses. */
const TEXT = 1_000;

/** The problem with advice, the notice for followers, and the notes for the author. */
export function healthDetails(source: ListedSource): Html {
  const { notice, notes } = source;
  return html`${problemDetails(source)}${
    notice === undefined
      ? ""
      : html`<div class="notice"><h2>Good to know</h2><p dir="auto">${sentencesOf(notice, TEXT)}</p></div>`
  }${
    notes.length === 0
      ? ""
      : html`<div class="notice"><h2>For its author</h2>
<ul>${notes.map((note) => html`<li dir="auto">${sentencesOf(note, TEXT)}</li>`)}</ul></div>`
  }`;
}

function problemDetails(source: ListedSource): Html {
  const problem = shownProblem(source);
  if (problem === undefined || source.health === "blocked") return html``;
  const text = html`<p dir="auto">${sentencesOf(problem.text, TEXT)}</p>`;
  if (isUnfollowed(source.health)) {
    return html`<details class="looked">
<summary>Where it was looked for</summary>
${text}
</details>`;
  }
  return html`<div class="notice trouble">
<h2>What went wrong</h2>
${text}
<p>${adviceOn(problem.code)}</p>
</div>`;
}

/** A cause of failure as a sentence. */
export function sentence(cause: string): string {
  return `${cause.charAt(0).toUpperCase()}${cause.slice(1)}.`;
}

/** Whether a check is under way or about to begin. */
export function isSoon({ nextCheck }: ListedSource, now: number): boolean {
  return nextCheck !== undefined && nextCheck <= now + SOON;
}

/** Seconds to wait for the other sources of a busy host. */
const SOON = 60;

function last({ lastCheck, followedAt }: ListedSource, now: number): Html {
  return timeElement(lastCheck ?? followedAt, now);
}

function next({ nextCheck }: ListedSource, now: number): Html {
  return nextCheck === undefined
    ? html``
    : html` ${timeElement(Math.max(nextCheck, now + 1), now)}`;
}

/** What the operator of the service can do. */
const ADVICE: Readonly<Record<string, string>> = {
  NO_SOURCE:
    "If the site has moved, follow its new address. If it has given up its change log, have it followed by its sitemap, " +
    "or unfollow it.",
  NO_LIST:
    "If the site has moved, follow its new address. If not, its author should know, or unfollow it.",
  EMPTY_LIST:
    "There is nothing to do: the list is read again. If this lasts, the site's author should know.",
  TOO_MANY_PAGES: "Following a part of the site by the address of its own sitemap may do.",
  MISSING:
    "The site may just be under repair. If this lasts, ask its author: a document that the site names is not there.",
  BUSY: "There is nothing to do: the site is left alone for as long as it asks.",
  STATUS: "Often this passes by itself. If it lasts, the site's author should know.",
  UNREACHABLE:
    "Look whether the address is right, and whether the site opens in your browser. If it is down, just wait; if it is " +
    "gone, unfollow it.",
  FORBIDDEN:
    "Only sites that everybody can open are followed here, by http or https and on their ordinary ports, so that " +
    "nobody can look into private networks from outside. Give an address of that kind.",
  OPTED_OUT: "Only the site's owner can change that, in the site's robots.txt.",
  OVERSIZED: "The site's author can split the document into smaller ones.",
  UNREADABLE:
    "The site's author can mend the document; until then nothing new is known of the site.",
  MIDWAY: "There is nothing to do: the site is being published just now.",
  OTHER_HOST:
    "The operator of this service can allow it. Following the other site by its own address may do as well.",
  SHARED_LIST: "The site's author can give each collection a list of its own.",
  UNFINISHED: "There is nothing to do: a large site is read in several checks.",
  CRASHED:
    "The operator of this service can give it more memory. If only this source is concerned, its documents may be too large.",
  GONE: "If you have another address of the site, follow that.",
  UNEXPECTED: "That is a fault of this service, not of the site: its operator should know.",
};

const OTHERWISE =
  "Often this passes by itself. If it lasts, the site's author should know, or unfollow it.";

export function adviceOn(code: string): string {
  return ADVICE[code] ?? OTHERWISE;
}
