/**
 * What a comparison of two lists of pages may tell. Lists lie: dates are made up at every build, and half a list may
 * be missing for an hour. The rules stand here, and nowhere else.
 */

/** Why the dates (`lastmod`) of a site's lists are not believed. */
export type Doubt = "together" | "equal";

/** What the last readings have shown of a site's dates. */
export interface Trust {
  readonly doubt: Doubt | undefined;
  /** When the last evidence against them was seen, in UTC seconds. */
  readonly doubtAt: number | undefined;
}

/** How a reading differs from what was known, in numbers of pages. */
export interface Differences {
  /** Pages that were known; 0 at the first reading. */
  readonly known: number;
  /** Known pages that have a date. */
  readonly dated: number;
  /** Known pages that have a later date now. */
  readonly moved: number;
  /** Known pages that the lists hold no longer. */
  readonly missing: number;
  /** The dates that the lists hold now. */
  readonly dates: { readonly count: number; readonly oldest: number; readonly newest: number };
}

/** Seconds after the last evidence when a site's dates are believed again. */
const PAROLE = 30 * 86_400;

/** Seconds for which a page must be missing before it is told as gone. */
export const ABSENCE = 86_400;

/** Checks in a row in which a page's date may move. If it moves once more, it moves at every check. */
export const RESTLESS = 3;

/**
 * Whether the dates of a site are believed after a reading. They are not where more than half of them move at once, or
 * where all are equal; and for a month after that.
 *
 * @param now UTC seconds
 */
export function trustAfter(before: Trust, differences: Differences, now: number): Trust {
  const doubt = doubtIn(differences);
  if (doubt !== undefined) return { doubt, doubtAt: now };
  const isOver = before.doubtAt === undefined || now - before.doubtAt >= PAROLE;
  return isOver ? { doubt: undefined, doubtAt: undefined } : before;
}

function doubtIn({ dated, moved, dates }: Differences): Doubt | undefined {
  // One date is neither equal to others nor moves together with them.
  if (moved > 1 && moved * 2 > dated) return "together";
  return dates.count > 1 && dates.oldest === dates.newest ? "equal" : undefined;
}

/** Whether so many pages are missing that a person must look before any is told as gone. */
export function isHeld({ known, missing }: Pick<Differences, "known" | "missing">): boolean {
  return missing * 2 > known;
}

/**
 * The pages that are told as gone: those that are missing since this time or longer, in UTC seconds. They were missing
 * twice in a row, at least a day apart.
 *
 * @param confirmedAt when a person has looked
 * @returns `undefined` where none is
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
