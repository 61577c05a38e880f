import { type Kysely, sql } from "kysely";
import { LostLeaseError } from "../check/errors.ts";
import type { Harvester } from "../check/harvester.ts";
import type { Lease } from "../check/lease.ts";
import { nextCheck } from "../check/next-check.ts";
import type { HarvestError } from "../errors.ts";
import { BusyError } from "../http/errors.ts";
import type { Reading } from "../read/reading.ts";
import type { Schema, SourceState } from "../store/schema.ts";
import { NO_LEASE } from "../store/values.ts";
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

/** What becomes of a source: it is checked again, or never. */
export interface Fate {
  readonly state: SourceState;
  readonly next: number | null;
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
  end: CheckEnd,
): Promise<void> {
  const held = await database
    .updateTable("source")
    .set({
      ...(await moveOf(database, lease, reading)),
      ...(end.error === undefined ? { last_success: end.now } : {}),
      ...ended(end, { state: "followed", next: end.next }),
    })
    .where("id", "=", lease.source.id)
    .where("lease", "=", lease.id)
    .returning("id")
    .executeTakeFirst();
  if (held === undefined) throw new LostLeaseError(lease.source.address);
}

/** What the end of a check says of its source, which nobody has any more; what was blocked meanwhile stays so. */
export function ended({ error, failures, now }: CheckEnd, { state, next }: Fate) {
  return {
    state: sql<SourceState>`CASE WHEN state = 'blocked' THEN state ELSE ${state} END`,
    last_check: now,
    next_check: next,
    failures,
    problem_code: error?.code ?? null,
    problem: error?.message ?? null,
    ...NO_LEASE,
  };
}
