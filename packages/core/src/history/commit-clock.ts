import type { Change } from "../model/log.ts";

/**
 * When the commits of a first-parent line were made: the one clock of a first publication and a backfill. Clocks
 * are wrong at times, and a commit may keep an older time. The fewest commits count as out of order. Each counts
 * as made with the commit before it, and moves no other.
 * @param times of all commits of the line, oldest first, UTC seconds
 * @param present a later time is wrong
 * @returns times that never go back, and are not later than `present`
 */
export function timesInOrder(times: readonly number[], present: number): readonly number[] {
  const inOrder = mostInOrder(times, present);
  const [first] = inOrder;
  const last = inOrder.at(-1) ?? -1;
  const kept = new Set(inOrder);
  let latest: number | undefined;
  return times.map((time, at) => {
    if (kept.has(at) || (at > last && time > present)) latest = Math.min(time, present);
    // Nothing is before these: they end a second before what follows.
    const atFirst = first === undefined ? present : (times[first] ?? present) - (first - at);
    return latest ?? atFirst;
  });
}

/** The positions of the most times that do not go back. Where several are as many, those closest together. */
function mostInOrder(times: readonly number[], present: number): readonly number[] {
  const timeAt = (at: number | undefined) => times[at ?? 0] ?? 0;
  // By how many are in order up to a time, itself included: positions, whose times fall.
  const ends: number[][] = [];
  const before = new Map<number, number | undefined>();
  for (const [at, time] of times.entries()) {
    if (time > present) continue;
    const length = firstWhere(ends.length, (one) => timeAt(ends[one]?.at(-1)) > time);
    const shorter = ends[length - 1] ?? [];
    before.set(at, shorter[firstWhere(shorter.length, (one) => timeAt(shorter[one]) <= time)]);
    const equal = ends[length];
    if (equal === undefined) ends.push([at]);
    else equal.push(at);
  }
  const found: number[] = [];
  for (let at = ends.at(-1)?.at(-1); at !== undefined; at = before.get(at)) found.push(at);
  return found.reverse();
}

/** The first of `length` numbers for which the condition holds, which then holds for all later ones. */
function firstWhere(length: number, holds: (at: number) => boolean): number {
  let [from, to] = [0, length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/**
 * Publications are a second apart at least, and there may be more of them than seconds are left: then the newest
 * take the seconds before the present.
 * @param newest the latest `datetime` of all changes
 */
export function notLater(
  changes: Iterable<Change>,
  newest: number,
  present: number,
): (change: Change) => Change {
  if (newest <= present) return (change) => change;
  const datetimes = new Set<number>();
  for (const { datetime } of changes) datetimes.add(datetime);
  const times = new Map<number, number>();
  let latest = present + 1;
  for (const datetime of [...datetimes].sort((one, other) => other - one)) {
    latest = Math.min(datetime, latest - 1);
    times.set(datetime, latest);
  }
  return (change) => ({ ...change, datetime: times.get(change.datetime) ?? change.datetime });
}
