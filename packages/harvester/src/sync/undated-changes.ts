import { type Entry, secondsOf } from "@rs-emit/documents";
import type { ListHead } from "./source.ts";

/** An entry of a Change List, and when its change happened: UTC seconds. */
export interface TimedEntry {
  readonly entry: Entry;
  /** As the entry says; `null` where only its place in the list tells. */
  readonly datetime: number | null;
  /** It did not happen before this, */
  readonly after: number;
  /** nor later than this. */
  readonly before: number;
}

/** Entries that wait for a time: as many as a list may have (ResourceSync 1.1, section 7). */
const WAITING = 50_000;

/**
 * Places the entries of a Change List in time. An entry without `datetime` happened between its neighbours, since the
 * list is in the order of time (ResourceSync 1.1, section 12.1).
 */
export async function* inOrder(
  batches: AsyncIterable<readonly Entry[]>,
  { from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: ListHead,
): AsyncGenerator<readonly TimedEntry[]> {
  let after = from;
  let waiting: Entry[] = [];
  const release = (before: number): TimedEntry[] => {
    const released = waiting;
    waiting = [];
    return released.map((entry) => {
      // A change is not older than the bytes that it made. In version 0.9.1, this is when it happened.
      const modified = secondsOf(entry.lastmod) ?? after;
      if (modified <= before) after = Math.max(after, modified);
      return { entry, datetime: null, after, before };
    });
  };
  for await (const batch of batches) {
    const placed: TimedEntry[] = [];
    for (const entry of batch) {
      const datetime = secondsOf(entry.metadata?.datetime);
      if (datetime === undefined) {
        waiting.push(entry);
        if (waiting.length >= WAITING) placed.push(...release(until));
        continue;
      }
      placed.push(...release(datetime < after ? until : datetime));
      placed.push({ entry, datetime, after: datetime, before: datetime });
      after = datetime;
    }
    yield placed;
  }
  yield release(until);
}
