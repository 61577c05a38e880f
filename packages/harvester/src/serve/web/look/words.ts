import { dayOf, timestamp } from "@rs-emit/feeds";
import { html } from "hono/html";
import type { Html } from "./layout.ts";

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** Beyond these many days a date says more than a count. */
const DAYS = 7;

const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** How long ago something was, or how long it is until then: `5 minutes ago`, `in 22 hours`. */
export function relativeTime(seconds: number, now: number): string {
  const distance = seconds - now;
  if (Math.abs(distance) > DAYS * 86_400) return `on ${dayOf(seconds)}`;
  for (const [unit, size] of UNITS) {
    if (Math.abs(distance) >= size) return RELATIVE.format(Math.trunc(distance / size), unit);
  }
  return distance > 0 ? "in a moment" : "just now";
}

/** The same for the page, with the exact time for those who ask. */
export function timeElement(seconds: number, now: number): Html {
  const exact = timestamp(seconds);
  return html`<time datetime="${exact}" title="${exact}">${relativeTime(seconds, now)}</time>`;
}

/** `1 page`, `2 pages`. */
export function counted(number: number, one: string, several = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : several}`;
}
