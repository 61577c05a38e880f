import { HarvestError } from "@rs-emit/reader";
import type { Transaction } from "kysely";
import type { Schema } from "../store/schema.ts";
import { noteAttempt, noteCrashed, noteRetry, type SourceRow } from "../store/source.ts";
import { standingAfter } from "./decide-condition.ts";
import { LONGEST_EFFORT } from "./effort.ts";
import type { Harvester } from "./harvester.ts";
import { pauseAfter } from "./schedule.ts";

/** Checks that crash: their attempt stays, and their source is tried more and more rarely. */

type TriedSource = Pick<SourceRow, "id" | "address" | "attempts" | "condition" | "condition_since">;

/**
 * Notes that a check begins, before it does. A source whose last check did not end shows that, and is tried later, should
 * this one not end either.
 */
export async function beginCheck(
  { database, now }: Pick<Harvester, "database" | "now">,
  { id, address, attempts, ...before }: TriedSource,
): Promise<void> {
  if (attempts === 0) return noteAttempt(database, id);
  const time = now();
  await noteRetry(database, {
    ...standingAfter(before, "failed", time),
    id,
    now: time,
    next: time + pauseAfter(attempts),
    problem: crashedError(address ?? "", attempts),
  });
}

/**
 * What a check has found counts; but it took so long that the source is tried as one whose check did not end.
 *
 * @param source as the check leaves it, with the attempts that were before
 */
export async function putOff(
  transaction: Transaction<Schema>,
  source: TriedSource,
  now: number,
): Promise<void> {
  const { id, address } = source;
  const attempts = source.attempts + 1;
  await noteCrashed(transaction, {
    ...standingAfter(source, "failed", now),
    id,
    attempts,
    next: now + pauseAfter(attempts),
    problem: crashedError(address ?? "", attempts),
  });
}

/**
 * The harvester was killed while it checked a source, or worked very long on it.
 *
 * @param times checks in a row that did not end
 */
export function crashedError(address: string, times: number): HarvestError {
  const checks = times === 1 ? "The last check" : `The last ${times} checks`;
  return new HarvestError({
    code: "CRASHED",
    problem:
      `${checks} of ${address} did not end in time: the harvester was killed, ran out of memory, or worked on it for ` +
      `more than ${LONGEST_EFFORT} s.`,
    cure: "It is tried later each time, and alone.",
  });
}
