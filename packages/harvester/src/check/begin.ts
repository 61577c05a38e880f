import { noteAttempts, noteRetry } from "../store/attempt.ts";
import type { SourceRow } from "../store/source.ts";
import { UnendedError } from "./errors.ts";
import type { Harvester } from "./harvester.ts";
import { pauseAfter } from "./next-check.ts";

/**
 * Notes that a check begins, before it does. A source whose last check did not end shows that, and is tried later, should
 * this one not end either.
 */
export async function beginCheck(
  { database, now }: Pick<Harvester, "database" | "now">,
  { id, address, attempts }: Pick<SourceRow, "id" | "address" | "attempts">,
): Promise<void> {
  if (attempts === 0) return noteAttempts(database, [id]);
  const problem = new UnendedError(address ?? "", attempts);
  await noteRetry(database, { id, now: now(), next: now() + pauseAfter(attempts), problem });
}
