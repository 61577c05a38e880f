import { formatDatetime } from "@rs-emit/documents";
import { type Catalogue, ENGLISH } from "./message-catalogues.ts";

const DAY = 86_400;

/** The years that a date in Atom can have (RFC 3339, section 5.6; XML Schema has no year 0). */
const FIRST = Date.parse("0001-01-01T00:00:00Z") / 1000;
const LAST = Date.parse("9999-12-31T23:59:59Z") / 1000;

/** A time for machines: `2026-10-05T18:30:00Z`. A fraction of a second is cut off. */
export function timestamp(seconds: number): string {
  return formatDatetime(bounded(seconds));
}

/** With milliseconds where there are any. */
export function instantOf(seconds: number): string {
  return new Date(millisecondsOf(seconds)).toISOString().replace(/\.?0*Z$/, "Z");
}

export function millisecondsOf(seconds: number): number {
  return Math.trunc(bounded(seconds) * 1000);
}

export function utcDay(seconds: number): string {
  return timestamp(seconds).slice(0, 10);
}

/** A span of UTC time: a day, a week from Monday on, or a month. */
export type FeedPeriod = "day" | "week" | "month";

/** `2026-10-05`, `2026-W41` (ISO 8601) or `2026-10`. */
export function periodName(seconds: number, period: FeedPeriod): string {
  if (period === "day") return utcDay(seconds);
  if (period === "month") return utcDay(seconds).slice(0, 7);
  // A week belongs to the year of its Thursday.
  const thursday = periodStart(seconds, "week") + 3 * DAY;
  const year = utcDay(thursday).slice(0, 4);
  const week = Math.floor((thursday - Date.parse(`${year}-01-01`) / 1000) / (7 * DAY)) + 1;
  return `${year}-W${String(week).padStart(2, "0")}`;
}

/** When the period of a time is over: UTC seconds. */
export function periodEnd(seconds: number, period: FeedPeriod): number {
  const start = periodStart(seconds, period);
  if (period !== "month") return start + (period === "day" ? 1 : 7) * DAY;
  const date = new Date(start * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000;
}

function periodStart(seconds: number, period: FeedPeriod): number {
  const day = Math.floor(bounded(seconds) / DAY) * DAY;
  const date = new Date(day * 1000);
  if (period === "week") return day - ((date.getUTCDay() + 6) % 7) * DAY;
  return period === "day" ? day : day - (date.getUTCDate() - 1) * DAY;
}

/** `5 October 2026`, in UTC. Locale data differs between versions of Node; an archive must not. */
export function dayOf(seconds: number, words: Catalogue = ENGLISH): string {
  return words.day(dayValues(seconds, words));
}

/** `2026-10-05`, or the short form of another language, in UTC. */
export function dateOf(seconds: number, words: Catalogue = ENGLISH): string {
  return words.date(dayValues(seconds, words));
}

function dayValues(seconds: number, { months }: Catalogue) {
  const [y = "", mm = "", dd = ""] = utcDay(seconds).split("-");
  const [d, m, yy] = [String(Number(dd)), String(Number(mm)), y.slice(2)];
  return { y: String(Number(y)), yy, mm, m, dd, d, month: months[Number(mm) - 1] ?? mm };
}

function bounded(seconds: number): number {
  return Math.min(Math.max(seconds, FIRST), LAST);
}
