import type { HarvestError } from "../errors.ts";
import type { StoredDocuments } from "../store/document.ts";
import type { SourceRow } from "../store/source.ts";

/** Bounds on when a source is checked again, in seconds. */
export const PAUSES = {
  /** A list that this check did not come to, of a source that has many. */
  unread: 30,
  /** A deploy that was caught midway, or a first failure in a while. */
  first: 60,
  /** Nobody waits longer for a source to come back. */
  longest: 86_400,
  /** Whether an owner has changed their mind about robots.txt. */
  optedOut: 7 * 86_400,
} as const;

/**
 * Seconds ahead that no next check is: intervals are a year at most. What is beyond was written by a clock that
 * was wrong.
 */
export const FARTHEST = 367 * 86_400;

/** What a check came to, as far as the next one depends on it. */
export interface Ending {
  /** What kept it from succeeding. */
  readonly error: HarvestError | undefined;
  /** Checks in a row that failed, this one among them. */
  readonly failures: number;
  /** It has read enough, and more is there. */
  readonly hasUnread: boolean;
  /** Seconds between checks that succeed. */
  readonly interval: number;
  /** Until when the host asks to be left alone. */
  readonly busyUntil: number | undefined;
  readonly now: number;
  /** From 0 up to 1: spreads checks that would fall together. */
  readonly random: number;
}

/**
 * When a source is checked next, in UTC seconds: after its interval, sooner where more is to be read; after
 * a failure with growing pauses up to a day, never before its host allows it.
 */
export function nextCheck({ error, failures, hasUnread, ...outcome }: Ending): number {
  const { interval, busyUntil = 0, now, random } = outcome;
  const pause =
    error === undefined
      ? hasUnread
        ? PAUSES.unread
        : spread(interval, 0.1, random)
      : spread(backoff(failures), 0.5, random);
  return Math.max(now + Math.min(pause, Math.max(interval, PAUSES.longest)), busyUntil);
}

/** One minute, four, a quarter of an hour, an hour …, up to a day. */
function backoff(failures: number): number {
  return Math.min(PAUSES.first * 4 ** Math.min(failures - 1, 10), PAUSES.longest);
}

/** A pause shortened by up to a share of it. */
function spread(pause: number, share: number, random: number): number {
  return pause * (1 - share * random);
}

/** Seconds between full checks at least, and between those that send no validators. */
const FULL = { every: 20 * 3600, unconditional: 7 * 86_400 } as const;

/** How much of a source a check asks for. */
export interface Extent {
  /** It ends where the lists of changes are as they were. */
  readonly isShort: boolean;
  /** Everything is asked for anew: some hosts say wrongly that nothing has changed. */
  readonly isUnconditional: boolean;
  /** What its host said to stay as it is need not be asked for. */
  readonly isPatient: boolean;
}

/** Decides how much of a source is asked for. */
export function extentOf(source: SourceRow, now: number): Extent {
  const { wants_full, failures, moved_to, last_full, last_unconditional } = source;
  const isUnconditional = !isWithin(last_unconditional, FULL.unconditional, now);
  const isCalm = wants_full === 0 && failures === 0 && moved_to === null;
  const isPatient = isCalm && !isUnconditional;
  const isShort = isPatient && isWithin(last_full, FULL.every, now);
  return { isShort, isUnconditional, isPatient };
}

/** Whether a time lies no longer back; one that is still to come was written by a clock that was wrong. */
function isWithin(time: number | null, seconds: number, now: number): boolean {
  return time !== null && now >= time && now < time + seconds;
}

/** The same, so that everything is sent anew. */
export function withoutValidators(remembered: StoredDocuments): StoredDocuments {
  return new Map([...remembered].map(([url, one]) => [url, { ...one, validators: {} }]));
}
