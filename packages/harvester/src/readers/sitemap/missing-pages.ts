import { type Differences, mustBeConfirmed } from "./trust.ts";

/** Seconds that a page must be missing before it is reported as gone. */
const ABSENCE = 86_400;

/** Seconds after which pages are forgotten that nobody confirms to be gone. */
const UNCONFIRMED = 90 * 86_400;

/** What becomes of pages that are missing since these times or longer, UTC seconds; nothing where one is absent. */
export interface Absence {
  /** They are reported as gone. */
  readonly goneSince?: number | undefined;
  /** They are forgotten: nobody has confirmed that they are gone. */
  readonly forgottenSince?: number | undefined;
}

/**
 * Pages are reported as gone if they were missing twice in a row, at least a day apart.
 *
 * @param confirmedAt when a person confirmed it
 */
export function absenceUntil(
  differences: Differences,
  confirmedAt: number | undefined,
  now: number,
): Absence {
  const goneSince = now - ABSENCE;
  if (!mustBeConfirmed(differences)) return { goneSince };
  const confirmed =
    confirmedAt === undefined ? {} : { goneSince: Math.min(goneSince, confirmedAt) };
  return { ...confirmed, forgottenSince: now - UNCONFIRMED };
}
