import { utcDay } from "@rs-emit/feeds";
import { HarvestError, isAbsent, type Transport } from "@rs-emit/reader";
import type { StoredDocuments } from "../store/check/document.ts";
import type { SourceRow } from "../store/source.ts";
import type { Facts } from "./facts.ts";
import { FULL, isWithin } from "./schedule.ts";

/** A site may be rebuilt without its change log. Where its lists of pages may be polled, they take over. */

/** Checks, each on another day, that must find nothing of a log. */
const LOST_CHECKS = 3;

export type Loss = Pick<SourceRow, "lost_checks" | "lost_at">;

/** Whether the site's lists take the place of its log. The log is still asked for. */
export function isLost({ lost_checks }: Loss): boolean {
  return lost_checks >= LOST_CHECKS;
}

/** Whether a check that misses the log counts: one a day, and none that somebody asked for. */
export function countsLoss(source: SourceRow, now: number): boolean {
  const { polls_sitemap, wants_full, lost_at } = source;
  const isDue = wants_full === 0 && !isWithin(lost_at, FULL.every, now);
  return polls_sitemap === 1 && isDue && !isLost(source);
}

/** Whether each document that was known answers 404 or 410. */
export async function areAllAbsent(
  transport: Transport,
  remembered: StoredDocuments,
): Promise<boolean> {
  for (const url of remembered.keys()) {
    try {
      const answer = await transport.get(url);
      if (answer.status === "fresh") await answer.discard();
      return false;
    } catch (error) {
      if (!(error instanceof HarvestError)) throw error;
      if (!isAbsent(error)) return false;
    }
  }
  return true;
}

/** What is known of the loss of a log after a check. */
export function lossAfter(
  { lost_checks, lost_at }: Loss,
  {
    reading,
    error,
    observation,
    areAbsent,
  }: Pick<Facts, "reading" | "error" | "observation" | "areAbsent">,
  now: number,
): Loss {
  if (areAbsent === true) return { lost_checks: lost_checks + 1, lost_at: now };
  const isUnchanged = error === undefined && observation === undefined;
  const isThere = reading !== undefined || isUnchanged || areAbsent === false;
  return isThere ? { lost_checks: 0, lost_at: null } : { lost_checks, lost_at };
}

/** What is said, to followers and to the author, when lists take the place of a log; `undefined` at other checks. */
export function lossNotice(before: Loss, after: Loss, now: number): string | undefined {
  if (isLost(before) || !isLost(after)) return undefined;
  return (
    `On ${utcDay(now)}, its change log was not there any more (404 or 410 on three days): the site is followed by its sitemap. ` +
    "The log is still asked for."
  );
}
