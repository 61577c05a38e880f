import type { Change } from "../model/log.ts";
import type { PublishedLog } from "../recall/publication.ts";

/**
 * A log with the changes that a run adds, piece by piece, the newest piece first; each is in log
 * order. A list is read when its piece is asked for.
 */
export async function* newestChanges(
  log: PublishedLog | undefined,
  added: readonly Change[],
): AsyncGenerator<readonly Change[]> {
  yield added;
  if (log === undefined) return;
  yield log.pending;
  if (log.open !== undefined) yield await log.open.readEntries();
  for (const list of log.closed.toReversed()) yield await list.readEntries();
}
