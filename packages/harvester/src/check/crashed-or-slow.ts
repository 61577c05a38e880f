import { HarvestError } from "@rs-emit/reader";
import type { Transaction } from "kysely";
import type { StoredDocuments } from "../store/check/document.ts";
import { type CrashedCheck, noteBegun, noteCrashed } from "../store/check/unfinished-check.ts";
import type { Schema } from "../store/schema.ts";
import type { SourceRow } from "../store/source.ts";
import { conditionSince } from "./decide-condition.ts";
import type { Harvester } from "./harvester.ts";
import { LONGEST_EFFORT } from "./processor-time.ts";
import { pauseAfter } from "./schedule.ts";

/** Checks that crash: their attempt stays, and their source is tried more and more rarely. */

type TriedSource = Pick<
  SourceRow,
  "id" | "address" | "unfinished_checks" | "condition" | "condition_since"
>;

/**
 * Notes that a check begins, before it does. A source whose last check did not end shows that, and is tried later, should
 * this one not end either.
 *
 * @returns the documents of the source that are remembered
 */
export async function beginCheck(
  { database, now }: Pick<Harvester, "database" | "now">,
  source: TriedSource,
): Promise<StoredDocuments> {
  const { id, unfinished_checks: times } = source;
  const last_check = now();
  if (times > 0) {
    await noteCrashed(database, { ...crashedCheck(source, times, last_check), last_check });
  }
  return noteBegun(database, id);
}

/**
 * What a check has found counts; but it took so long that the source is tried as one whose check did not end.
 *
 * @param source as the check leaves it, with its count of unfinished checks from before
 */
export async function putOff(
  transaction: Transaction<Schema>,
  source: TriedSource,
  now: number,
): Promise<void> {
  await noteCrashed(transaction, crashedCheck(source, source.unfinished_checks + 1, now));
}

/** @param times checks in a row that did not end */
function crashedCheck(source: TriedSource, times: number, now: number): CrashedCheck {
  return {
    ...conditionSince(source, "failed", now),
    id: source.id,
    unfinished_checks: times,
    next: now + pauseAfter(times),
    problem: crashedError(source.address ?? "", times),
  };
}

/** The code of a source whose last check did not end. */
export const CRASHED = "CRASHED";

/**
 * The harvester was killed while it checked a source, or worked very long on it.
 *
 * @param times checks in a row that did not end
 */
export function crashedError(address: string, times: number): HarvestError {
  const checks = times === 1 ? "The last check" : `The last ${times} checks`;
  return new HarvestError({
    code: CRASHED,
    problem:
      `${checks} of ${address} did not end in time: the harvester was killed, ran out of memory, or worked on it for ` +
      `more than ${LONGEST_EFFORT} s.`,
    cure: "It is tried later each time, and alone.",
  });
}
