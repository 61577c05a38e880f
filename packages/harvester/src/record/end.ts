import { type Kysely, sql } from "kysely";
import { LostLeaseError } from "../check/errors.ts";
import type { Harvester } from "../check/harvester.ts";
import type { Lease } from "../check/lease.ts";
import type { HarvestError } from "../errors.ts";
import { BusyError } from "../fetch/errors.ts";
import type { Reading } from "../read/reading.ts";
import { nextCheck } from "../schedule/next-check.ts";
import type { Schema, SourceState } from "../store/schema.ts";
import { moveOf } from "./move.ts";

/** How a check ended, and when the next one is. */
export interface CheckEnd {
  readonly error: HarvestError | undefined;
  /** Checks in a row that failed, this one among them. */
  readonly failures: number;
  /** When it ended, and when the next one is: UTC seconds. */
  readonly now: number;
  readonly next: number;
}

/** Decides when a source is checked again, be it that it was read, in part or not at all. */
export function endOf(
  { now, random, settings }: Harvester,
  { source }: Lease,
  { error, hasUnread }: { readonly error: HarvestError | undefined; readonly hasUnread: boolean },
): CheckEnd {
  const failures = error === undefined ? 0 : source.failures + 1;
  const time = now();
  const next = nextCheck({
    error,
    failures,
    hasUnread,
    interval: source.interval ?? settings.interval,
    busyUntil: error instanceof BusyError ? error.until : undefined,
    now: time,
    random: random(),
  });
  return { error, failures, now: time, next };
}

/**
 * Keeps how a check ended, and gives the source back.
 *
 * @throws {LostLeaseError} when the source is not ours any more
 */
export async function endCheck(
  database: Kysely<Schema>,
  lease: Lease,
  reading: Reading,
  { error, failures, now, next }: CheckEnd,
): Promise<void> {
  const ended = await database
    .updateTable("source")
    .set({
      ...(await moveOf(database, lease, reading)),
      ...(error === undefined ? { last_success: now } : {}),
      state: unlessBlocked("followed"),
      last_check: now,
      next_check: next,
      failures,
      problem_code: error?.code ?? null,
      problem: error?.message ?? null,
      lease: null,
      lease_until: null,
    })
    .where("id", "=", lease.source.id)
    .where("lease", "=", lease.id)
    .returning("id")
    .executeTakeFirst();
  if (ended === undefined) throw new LostLeaseError(lease.source.address);
}

/** A state, for a source that nobody has blocked during the check. */
export function unlessBlocked(state: SourceState) {
  return sql<SourceState>`CASE WHEN state = 'blocked' THEN state ELSE ${state} END`;
}
