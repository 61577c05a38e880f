import { BusyError, FETCH_LIMITS, type HarvestError, OptedOutError } from "@rs-emit/reader";
import { GoneError } from "@rs-emit/reader/http/errors";
import type { StoredDocuments } from "../store/check/document.ts";
import { INTERVALS } from "../store/following/next-check.ts";
import type { SourceRow } from "../store/source.ts";
import type { Check } from "./facts.ts";
import type { Circumstances } from "./harvester.ts";

/** Minimum seconds between full checks, and between checks without validators. */
export const FULL = { every: 20 * 3600, unconditional: 7 * 86_400 } as const;

/** How much of a source a check asks for. */
export interface Extent {
  readonly isQuick: boolean;
  /** Requests everything anew: some hosts answer 304 wrongly. */
  readonly isUnconditional: boolean;
  /** Documents that are fresh by `Cache-Control` are not requested. */
  readonly trustsFreshness: boolean;
}

export function extentOf(source: SourceRow, now: number): Extent {
  const { wants_full, failures, moved_to, last_full, last_unconditional } = source;
  const isUnconditional = !isWithin(last_unconditional, FULL.unconditional, now);
  const isCalm = wants_full === 0 && failures === 0 && moved_to === null;
  const trustsFreshness = isCalm && !isUnconditional;
  const isQuick = trustsFreshness && isWithin(last_full, FULL.every, now);
  return { isQuick, isUnconditional, trustsFreshness };
}

/**
 * Whether a check looks for what the author publishes. Once a day is enough at a site that had no Change List and whose lists of
 * pages are compared.
 */
export function isSearchDue(
  { polls_sitemap, description_url, wants_full, searched_at }: SourceRow,
  now: number,
): boolean {
  const isOnlyListed = polls_sitemap === 1 && description_url === null && wants_full === 0;
  return !isOnlyListed || !isWithin(searched_at, FULL.every, now);
}

/** A time in the future comes from a wrong clock. */
export function isWithin(time: number | null, seconds: number, now: number): boolean {
  return time !== null && now >= time && now < time + seconds;
}

/** Removes validators, so that everything is sent again. */
export function withoutValidators(remembered: StoredDocuments): StoredDocuments {
  return new Map([...remembered].map(([url, one]) => [url, { ...one, validators: {} }]));
}

/** Seconds until a source is checked again. */
const PAUSES = {
  unread: 30,
  /** A deploy caught midway, or the first failure. */
  first: 60,
  /** Nobody waits longer for a source to come back. */
  longest: 86_400,
  /** The owner may allow the harvester again in robots.txt. */
  optedOut: 7 * 86_400,
} as const;

/**
 * Seconds from now. A later next check comes from a wrong clock: no interval is longer, no pause, and no `Retry-After`.
 *
 * @param interval of sources without one of their own
 */
export function farthestCheck(interval: number): number {
  const own = Math.max(...INTERVALS);
  return Math.max(interval, own, PAUSES.optedOut, FETCH_LIMITS.retryAfter) + SKEW;
}

/** Seconds by which the clocks of workers may differ. */
const SKEW = 3600;

export interface Ending {
  readonly error: HarvestError | undefined;
  /** Failed checks in a row, this one included. */
  readonly failures: number;
  readonly hasUnread: boolean;
  readonly interval: number;
  /** UTC seconds, from `Retry-After`. */
  readonly busyUntil: number | undefined;
  readonly now: number;
  /** From 0 up to 1. Spreads checks that would coincide. */
  readonly random: number;
}

/** What else is known of a check. */
interface Outcome {
  /** Lists wait that were never read. */
  readonly isUnread: boolean;
  /** There is more than one check reports. */
  readonly hasMore: boolean;
  readonly isBlocked: boolean;
  /** It publishes no change log, and never did. */
  readonly isSilent: boolean;
}

/**
 * The schedule of a source after a check: its state, when it is checked next and how, and what went wrong. Keeps what was
 * asked for during the check.
 *
 * @param source as it is now
 */
export function scheduleAfter(
  { source: before, facts }: Pick<Check, "source" | "facts">,
  source: SourceRow,
  { isUnread, hasMore, isBlocked, isSilent }: Outcome,
  { settings, now, random }: Circumstances,
) {
  const { error, reading, observation, searchedAt } = facts;
  // That there is no change log is an answer: it is looked for again as often as others are checked.
  const failure = isSilent ? undefined : error;
  const failures = failure === undefined ? 0 : source.failures + 1;
  const isAskedFor = source.wants_full > before.wants_full;
  const ending: Ending = {
    error: failure,
    failures,
    hasUnread: isUnread || hasMore,
    interval: source.interval ?? settings.interval,
    busyUntil: error instanceof BusyError ? error.until : undefined,
    now,
    random,
  };
  const next = isAskedFor ? now + PAUSES.first : nextCheck(ending);
  const { isQuick, isUnconditional } = extentOf(before, now);
  // Another reader reads only some in a quick check, whatever is read besides.
  const isWhole = observation === undefined ? reading !== undefined : !isQuick;
  const isFull = isWhole && error === undefined;
  return {
    ...stateAfter(source, {
      error,
      isRead: (reading ?? observation) !== undefined,
      isBlocked,
      // Where lists may take the place of the log, the site is gone only with them.
      mayEnd: before.polls_sitemap === 0 || searchedAt !== undefined,
      next,
      now,
    }),
    last_check: now,
    last_success: error === undefined ? now : source.last_success,
    last_full: isFull ? now : source.last_full,
    last_unconditional: isFull && isUnconditional ? now : source.last_unconditional,
    wants_full: Number(isAskedFor || isUnread),
    failures,
    unfinished_checks: 0,
    problem_code: error?.code ?? null,
    problem: error?.message ?? null,
    finding: error?.finding ?? null,
  };
}

function stateAfter(
  { state }: Pick<SourceRow, "state">,
  {
    error,
    isRead,
    isBlocked,
    mayEnd,
    next: next_check,
    now,
  }: Pick<Ending, "error" | "now"> & {
    readonly isRead: boolean;
    readonly isBlocked: boolean;
    readonly mayEnd: boolean;
    readonly next: number;
  },
): Pick<SourceRow, "state" | "next_check"> {
  if (isBlocked) return { state: "blocked", next_check: null };
  if (state === "blocked" || state === "paused") return { state, next_check: null };
  if (isRead) return { state: "followed", next_check };
  if (error instanceof GoneError && mayEnd) return { state: "gone", next_check: null };
  if (error instanceof OptedOutError) {
    return { state: "opted-out", next_check: now + PAUSES.optedOut };
  }
  return { state, next_check };
}

/** UTC seconds. Failures lead to growing pauses, up to a day; the host's wish is always obeyed. */
export function nextCheck({ error, failures, hasUnread, ...outcome }: Ending): number {
  const { interval, busyUntil = 0, now, random } = outcome;
  const pause =
    error === undefined
      ? hasUnread
        ? PAUSES.unread
        : spread(interval, 0.1, random)
      : spread(pauseAfter(failures), 0.5, random);
  return Math.max(now + Math.min(pause, Math.max(interval, PAUSES.longest)), busyUntil);
}

/** Seconds until a source that failed is tried again. */
export function pauseAfter(failures: number): number {
  return Math.min(PAUSES.first * 4 ** Math.min(failures - 1, 10), PAUSES.longest);
}

function spread(pause: number, share: number, random: number): number {
  return pause * (1 - share * random);
}
