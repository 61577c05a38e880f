import { formatDatetime } from "@rs-emit/documents";

const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );

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

/** Equal for times of the same `instantOf`. */
export function millisecondsOf(seconds: number): number {
  return Math.trunc(bounded(seconds) * 1000);
}

export function utcDay(seconds: number): string {
  return timestamp(seconds).slice(0, 10);
}

/** `5 October 2026`, in UTC. Locale data differs between versions of Node; an archive must not. */
export function dayOf(seconds: number): string {
  const date = new Date(bounded(seconds) * 1000);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

function bounded(seconds: number): number {
  return Math.min(Math.max(seconds, FIRST), LAST);
}
