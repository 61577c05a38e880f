import type { Harvester } from "../check/harvester.ts";
import type { Lease } from "../check/lease.ts";
import { PAUSES } from "../check/next-check.ts";
import type { CheckResult } from "../check/result.ts";
import type { HarvestError } from "../errors.ts";
import { GoneError, OptedOutError } from "../http/errors.ts";
import { ended, endOf, type Fate } from "./end.ts";

/**
 * Keeps what went wrong, and when the source is tried again. Nothing that was read counts: no change is
 * taken, nothing is deleted, and no document is remembered.
 */
export async function recordFailure(
  harvester: Harvester,
  lease: Lease,
  error: HarvestError,
): Promise<CheckResult> {
  const { id, source } = lease;
  const end = endOf(harvester, lease, { error, hasUnread: false });
  const fate = leavingOf(error, end.now) ?? { state: source.state, next: end.next };
  await harvester.database
    .updateTable("source")
    .set(ended(end, fate))
    .where("id", "=", source.id)
    .where("lease", "=", id)
    .execute();
  return { kind: "failed", error, told: 0, nextCheck: fate.next ?? undefined };
}

/** What ends the following of a source: it is gone, or its owner does not want it. */
function leavingOf(error: HarvestError, now: number): Fate | undefined {
  if (error instanceof GoneError) return { state: "gone", next: null };
  if (error instanceof OptedOutError) return { state: "opted-out", next: now + PAUSES.optedOut };
  return undefined;
}
