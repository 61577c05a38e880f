import { lineOf } from "@rs-emit/feeds";
import { html } from "hono/html";
import { type Html, timeElement } from "../look/layout.ts";
import type { Health, ListedSource } from "../queries/sources.ts";

export const LABELS: Readonly<Record<Health, string>> = {
  waiting: "New",
  paused: "Paused",
  well: "Well",
  troubled: "In trouble",
  gone: "Gone",
  "opted-out": "Opted out",
  blocked: "Blocked",
};

export function healthMark({ health }: ListedSource): Html {
  return html`<span class="mark ${health}">${LABELS[health]}</span>`;
}

export function healthLine(source: ListedSource, now: number): Html {
  switch (source.health) {
    case "waiting":
      return isSoon(source, now)
        ? html`Is being checked for the first time.`
        : html`Will be checked for the first time${next(source, now)}.`;
    case "well":
      return html`Last checked ${last(source, now)}; next check${next(source, now)}.`;
    case "troubled":
      return html`The last check, ${last(source, now)}, did not succeed. It is tried again${next(source, now)}.`;
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

/** Characters of a problem, which may name many addresses. */
const TEXT = 1_000;

/** The problem with advice, the notice for followers, and the notes for the author. */
export function healthDetails({ health, problem, notice, notes }: ListedSource): Html {
  const hasProblem = problem !== undefined && health !== "blocked";
  return html`${
    hasProblem
      ? html`<div class="notice trouble">
<h2>What went wrong</h2>
<p dir="auto">${lineOf(problem.text, TEXT)}</p>
<p>${adviceOn(problem.code)}</p>
</div>`
      : ""
  }${notice === undefined ? "" : html`<div class="notice"><h2>Good to know</h2><p dir="auto">${lineOf(notice, TEXT)}</p></div>`}${
    notes.length === 0
      ? ""
      : html`<div class="notice"><h2>For its author</h2>
<ul>${notes.map((note) => html`<li dir="auto">${lineOf(note, TEXT)}</li>`)}</ul></div>`
  }`;
}

/** Whether the first check is under way or about to begin. */
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

const ADVICE: Readonly<Record<string, string>> = {
  NO_SOURCE:
    "Look whether the address is right. If it is, the site has no change log yet. You may leave it here, since the " +
    "change log is looked for regularly, or have the site's list of pages watched until then.",
  NO_LIST: "You may leave it here; a list is looked for regularly.",
  EMPTY_LIST:
    "There is nothing to do: the list is read again. If this lasts, the site's author should know.",
  TOO_MANY_PAGES: "Following a part of the site by the address of its own sitemap may do.",
  MISSING:
    "The site may just be under repair. If this lasts, ask its author: a document that the site names is not there.",
  BUSY: "There is nothing to do: the site is left alone for as long as it asks.",
  STATUS: "Often this passes by itself. If it lasts, the site's author should know.",
  UNREACHABLE:
    "Look whether the address is right, and whether the site opens in your browser. If it is down, just wait.",
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

const OTHERWISE = "Often this passes by itself. If it lasts, the site's author should know.";

export function adviceOn(code: string): string {
  return ADVICE[code] ?? OTHERWISE;
}
