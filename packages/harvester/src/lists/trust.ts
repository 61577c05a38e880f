/**
 * Which differences between two lists of pages are reported. Some builds invent new dates each time, and half of a list
 * may be missing for an hour. All rules about this are in this file.
 */

/** Why the dates (`lastmod`) of a site's lists are ignored. */
export type Doubt = "together" | "equal";

/** Evidence against a site's dates. */
export interface Trust {
  readonly doubt: Doubt | undefined;
  /** When it was last seen: UTC seconds. */
  readonly doubtAt: number | undefined;
}

/** The dates in lists. */
export interface Dates {
  readonly count: number;
  /** UTC seconds, if all are equal. */
  readonly only: number | undefined;
}

export const NO_DATES: Dates = { count: 0, only: undefined };

export function joinDates(one: Dates, other: Dates): Dates {
  if (one.count === 0) return other;
  if (other.count === 0) return one;
  return { count: one.count + other.count, only: one.only === other.only ? one.only : undefined };
}

/** How a reading differs from what was known, in numbers of pages. */
export interface Differences {
  /** Pages that were known; 0 at the first reading. */
  readonly known: number;
  /** Known pages that have a date. */
  readonly dated: number;
  /** Known pages that have a later date now. */
  readonly moved: number;
  /** Known pages that are missing from the lists now. */
  readonly missing: number;
  /** The dates in the lists now. */
  readonly dates: Dates;
}

/** Seconds after the last evidence until a site's dates count again. */
const PAROLE = 30 * 86_400;

/** Seconds that a page must be missing before it is reported as gone. */
export const ABSENCE = 86_400;

/** Checks in a row in which a page's date may move. After one more, the page's date is ignored. */
export const RESTLESS = 3;

/**
 * Whether the dates of a site count after a reading. They do not if more than half of them move at once, or if all are
 * equal, and for a month after that.
 *
 * @param now UTC seconds
 */
export function trustAfter(
  before: Trust,
  differences: Pick<Differences, "dated" | "moved" | "dates">,
  now: number,
): Trust {
  const doubt = doubtIn(differences);
  if (doubt !== undefined) return { doubt, doubtAt: now };
  const isOver = before.doubtAt === undefined || now - before.doubtAt >= PAROLE;
  return isOver ? { doubt: undefined, doubtAt: undefined } : before;
}

function doubtIn({ dated, moved, dates }: Parameters<typeof trustAfter>[1]): Doubt | undefined {
  // A single date cannot be equal to others, or move together with them.
  if (moved > 1 && moved * 2 > dated) return "together";
  return dates.count > 1 && dates.only !== undefined ? "equal" : undefined;
}

/** Whether so many pages are missing that a person must confirm it before any is reported as gone. */
export function isHeld({ known, missing }: Pick<Differences, "known" | "missing">): boolean {
  return missing * 2 > known;
}

/**
 * Pages are reported as gone if they are missing since this time or longer (UTC seconds): they were missing twice in a
 * row, at least a day apart.
 *
 * @param confirmedAt when a person confirmed it
 * @returns `undefined` if none is reported
 */
export function goneSince(
  differences: Pick<Differences, "known" | "missing">,
  confirmedAt: number | undefined,
  now: number,
): number | undefined {
  const aDayAgo = now - ABSENCE;
  if (!isHeld(differences)) return aDayAgo;
  return confirmedAt === undefined ? undefined : Math.min(aDayAgo, confirmedAt);
}
