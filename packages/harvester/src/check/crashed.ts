import { HarvestError } from "@rs-emit/reader";
import type { Transaction } from "kysely";
import type { Schema } from "../store/schema.ts";
import { noteAttempt, noteCrashed, noteRetry, type SourceRow } from "../store/source.ts";
import { LONGEST_EFFORT } from "./effort.ts";
import type { Harvester } from "./harvester.ts";
import { pauseAfter } from "./schedule.ts";

/** Checks that crash: their attempt stays, and their source is tried more and more rarely. */

/**
 * Notes that a check begins, before it does. A source whose last check did not end shows that, and is tried later, should
 * this one not end either.
 */
export async function beginCheck(
  { database, now }: Pick<Harvester, "database" | "now">,
  { id, address, attempts }: Pick<SourceRow, "id" | "address" | "attempts">,
): Promise<void> {
  if (attempts === 0) return noteAttempt(database, id);
  const problem = crashedError(address ?? "", attempts);
  await noteRetry(database, { id, now: now(), next: now() + pauseAfter(attempts), problem });
}

/** What a check has found counts; but it took so long that the source is tried as one whose check did not end. */
export async function putOff(
  transaction: Transaction<Schema>,
  { id, address, attempts: before }: Pick<SourceRow, "id" | "address" | "attempts">,
  now: number,
): Promise<void> {
  const attempts = before + 1;
  const problem = crashedError(address ?? "", attempts);
  await noteCrashed(transaction, { id, attempts, next: now + pauseAfter(attempts), problem });
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
