import { datetimeError, isDocumentError } from "./errors.ts";

/** The smallest unit in a W3C datetime. */
export type Precision = "year" | "month" | "day" | "minute" | "second" | "fraction";

/** A W3C datetime (ResourceSync 1.1, section 7): its instant and its precision. */
export interface Datetime {
  /** The first instant the text can mean: UTC seconds since 1970, with a fraction where it has one. */
  readonly seconds: number;
  readonly precision: Precision;
}

const DAY = 86_400;

const W3C =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d))?)?)?$/;

/** The usual form, with a day that each month has: the engine parses it alike, and faster. */
const PLAIN =
  /^\d{4}-\d\d-(?:[01]\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.0{1,3})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Parses a W3C datetime of any precision.
 * @throws {DocumentError} `DATETIME`
 */
export function parseDatetime(text: string): Datetime {
  if (text !== lastParsed.text) lastParsed = { text, datetime: datetimeIn(text) };
  return lastParsed.datetime;
}

function datetimeIn(text: string): Datetime {
  return parsePlain(text) ?? parseAny(text);
}

function parsePlain(text: string): Datetime | undefined {
  const seconds = PLAIN.test(text) ? Date.parse(text) / 1000 : Number.NaN;
  if (Number.isNaN(seconds)) return undefined;
  return { seconds, precision: text.includes(".") ? "fraction" : "second" };
}

function parseAny(text: string): Datetime {
  const match = W3C.exec(text.trim());
  if (match === null) throw datetimeError(text);
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const whole = Date.UTC(
    Number(year),
    Number(month ?? 1) - 1,
    Number(day ?? 1),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
  );
  const date = new Date(whole);
  date.setUTCFullYear(Number(year)); // Date.UTC takes the years 0 to 99 for 1900 to 1999
  const exists =
    date.getUTCMonth() === Number(month ?? 1) - 1 &&
    date.getUTCDate() === Number(day ?? 1) &&
    Number(hour ?? 0) < 24 &&
    Number(minute ?? 0) < 60 &&
    Number(second ?? 0) < 60 &&
    Math.abs(offset(zone)) < DAY;
  if (!exists) throw datetimeError(text);
  const seconds = date.getTime() / 1000 - offset(zone) + Number(`0.${fraction ?? 0}`);
  return { seconds, precision: precisionOf(match) };
}

/** The full UTC datetime of UTC seconds, such as `2026-10-01T12:00:00Z`. A fraction is cut off. */
export function formatDatetime(seconds: number): string {
  const whole = Math.floor(seconds);
  const day = Math.floor(whole / DAY);
  if (day !== lastFormatted.day) lastFormatted = { day, date: dateOf(day) };
  const second = whole - day * DAY;
  const hours = TWO_DIGITS[Math.floor(second / 3600)];
  const minutes = TWO_DIGITS[Math.floor(second / 60) % 60];
  return `${lastFormatted.date}T${hours}:${minutes}:${TWO_DIGITS[second % 60]}Z`;
}

function dateOf(day: number): string {
  return new Date(day * DAY * 1000).toISOString().slice(0, "2026-10-01".length);
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));

// Neighbours in a log often have the same time, and most have the same day.
let lastParsed: { readonly text: string; readonly datetime: Datetime } = {
  text: "1970-01-01T00:00:00Z",
  datetime: { seconds: 0, precision: "second" },
};
let lastFormatted = { day: 0, date: "1970-01-01" };

function offset(zone: string | undefined): number {
  if (zone === undefined || zone === "Z") return 0;
  const sign = zone.startsWith("-") ? -1 : 1;
  return sign * (Number(zone.slice(1, 3)) * 3600 + Number(zone.slice(4, 6)) * 60);
}

function precisionOf(match: RegExpExecArray): Precision {
  if (match[7] !== undefined) return "fraction";
  if (match[6] !== undefined) return "second";
  if (match[4] !== undefined) return "minute";
  if (match[3] !== undefined) return "day";
  return match[2] === undefined ? "year" : "month";
}

/** The instants a datetime can mean: one if it has seconds, a whole day if it is only a date. */
export interface TimeSpan {
  readonly earliest: number;
  readonly latest: number;
}

const SECONDS: Record<Precision, number> = {
  year: 366 * DAY,
  month: 31 * DAY,
  day: DAY,
  minute: 60,
  second: 0,
  fraction: 0,
};

export function spanOf(text: string | undefined): TimeSpan | undefined {
  const datetime = datetimeOf(text);
  if (datetime === undefined) return undefined;
  const { seconds, precision } = datetime;
  return { earliest: seconds, latest: seconds + SECONDS[precision] };
}

/** UTC seconds of the first instant a W3C datetime can mean; `undefined` if missing or invalid. */
export function secondsOf(text: string | undefined): number | undefined {
  return datetimeOf(text)?.seconds;
}

function datetimeOf(text: string | undefined): Datetime | undefined {
  if (text === undefined) return undefined;
  try {
    return parseDatetime(text);
  } catch (error) {
    if (isDocumentError(error, "DATETIME")) return undefined;
    throw error;
  }
}

/** Whether the first is certainly before the second; false in doubt. */
export function isBefore(first: TimeSpan | undefined, second: TimeSpan | undefined): boolean {
  return first !== undefined && second !== undefined && first.latest < second.earliest;
}

/** Whether the two cannot be the same instant. */
export function differ(first: TimeSpan | undefined, second: TimeSpan | undefined): boolean {
  return isBefore(first, second) || isBefore(second, first);
}

const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
};

/**
 * A length of time as people write it: `90s`, `15m`, `2h`, `7d`, `1w`; a number alone is seconds.
 * @returns seconds; `undefined` for any other text
 */
export function durationIn(text: string): number | undefined {
  const [, number, unit = ""] = /^(\d+)\s*([smhdw]?)$/.exec(text.trim()) ?? [];
  return number === undefined ? undefined : Number(number) * (UNITS[unit] ?? 1);
}
