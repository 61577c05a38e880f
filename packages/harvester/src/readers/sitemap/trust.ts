import type { Distrust } from "../../store/schema.ts";

/**
 * Which differences between two lists of pages are reported. Some builds invent new dates each time, and half of a list
 * may be missing for an hour. All rules about this are in this file.
 */

/** Evidence against a site's dates. */
interface Trust {
  readonly distrust: Distrust | undefined;
  /** Checks in a row, since the evidence was seen, in which few dates moved. */
  readonly steadyChecks: number;
}

/** The dates in lists. */
export interface Dates {
  /** How many could be read. */
  readonly count: number;
  /** How many could not, or are none that a page can have. */
  readonly unread: number;
  /** UTC seconds, if all that could be read are equal. */
  readonly only: number | undefined;
}

export const NO_DATES: Dates = { count: 0, unread: 0, only: undefined };

export function joinDates(one: Dates, other: Dates): Dates {
  const unread = one.unread + other.unread;
  if (one.count === 0) return { ...other, unread };
  if (other.count === 0) return { ...one, unread };
  const only = one.only === other.only ? one.only : undefined;
  return { count: one.count + other.count, unread, only };
}

/** How a reading differs from what was known, in numbers of pages. */
export interface Differences {
  /** Pages that were known; 0 at the first reading. */
  readonly known: number;
  /** Known pages that are missing from the lists now. */
  readonly missing: number;
}

/** How the dates of a reading differ from those that were known. Pages whose dates move at every check do not count. */
interface DateDifferences {
  /** Known pages that have a date. */
  readonly dated: number;
  /** Known pages that have a later date now. */
  readonly moved: number;
  /** The dates in the lists before, and now. */
  readonly before: Dates;
  readonly dates: Dates;
  readonly isFirst: boolean;
  /** All lists were read. */
  readonly isWhole: boolean;
}

/** Calm checks in a row until a site's dates count again. */
const PROBATION = 3;

/** Checks in a row in which a page's date may move. After one more, the page's date is ignored. */
export const DATE_MOVES = 3;

/**
 * Whether the dates of a site count after a reading. They do not if more than half of them move at once, or if they are all
 * equal and several move, until three checks in a row have moved fewer than a tenth of them.
 */
export function trustAfter(trust: Trust, differences: DateDifferences): Trust {
  const distrust = distrustAfter(differences);
  if (distrust !== undefined) return { distrust, steadyChecks: 0 };
  if (trust.distrust === undefined) return trust;
  if (!isSteady(differences)) return { ...trust, steadyChecks: 0 };
  // A list that could not be read may hide any number of dates.
  const steadyChecks = trust.steadyChecks + Number(differences.isWhole);
  return steadyChecks < PROBATION
    ? { ...trust, steadyChecks }
    : { distrust: undefined, steadyChecks: 0 };
}

function isSteady({ dated, moved }: DateDifferences): boolean {
  return moved === 0 || moved * 10 < dated;
}

function distrustAfter(differences: DateDifferences): Distrust | undefined {
  const { dated, moved, before, dates, isFirst } = differences;
  // A single date cannot be equal to others, or move together with them.
  if (moved > 1 && moved * 2 > dated) return "together";
  const hasMoved = moved > 1 && !isSteady(differences);
  return (isFirst || hasMoved) && (areEqual(before) || areEqual(dates)) ? "equal" : undefined;
}

function areEqual({ count, only }: Dates): boolean {
  return count > 1 && only !== undefined;
}

/** Whether so many pages are missing that a person must confirm it before any is reported as gone. */
export function mustBeConfirmed({ known, missing }: Differences): boolean {
  return missing * 2 > known;
}
