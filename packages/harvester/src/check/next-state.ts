import { BusyError, GoneError, OptedOutError } from "../http/errors.ts";
import type { SourceEnd, SourceRow } from "../store/source.ts";
import type { Harvester } from "./harvester.ts";
import { extentOf, nextCheck, PAUSES } from "./next-check.ts";
import { type Finding, tellsChanges } from "./outcome.ts";

/** Keeps requests made during the check, by comparing the source with what it was `before`. */
export function nextState(
  { settings, now, random }: Harvester,
  source: SourceRow,
  before: SourceRow,
  finding: Finding,
): SourceEnd {
  const { error } = finding;
  const failures = error === undefined ? 0 : source.failures + 1;
  const time = now();
  const next = nextCheck({
    error,
    failures,
    hasUnread: hasUnread(finding),
    interval: source.interval ?? settings.interval,
    busyUntil: error instanceof BusyError ? error.until : undefined,
    now: time,
    random: random(),
  });
  const { isShort, isUnconditional } = extentOf(before, time);
  // Of compared lists a short check reads only some, whatever it reads besides.
  const isWhole = finding.lists === undefined ? finding.read !== undefined : !isShort;
  const isFull = isWhole && error === undefined;
  const isTelling = tellsChanges(source, finding);
  const isAskedFor = source.wants_full > before.wants_full;
  return {
    ...source,
    ...placeOf(source, finding, isAskedFor ? time + PAUSES.first : next, time),
    last_check: time,
    last_success: error === undefined ? time : source.last_success,
    last_full: isFull ? time : source.last_full,
    last_unconditional: isFull && isUnconditional ? time : source.last_unconditional,
    wants_full: Number(isAskedFor || hasUnread(finding)),
    tells_changes: isTelling === undefined ? null : Number(isTelling),
    failures,
    attempts: 0,
    problem_code: error?.code ?? null,
    problem: error?.message ?? null,
  };
}

function placeOf(
  { state }: SourceRow,
  { error, read }: Finding,
  next: number,
  now: number,
): Pick<SourceEnd, "state" | "next_check"> {
  if (state === "blocked" || state === "paused") return { state, next_check: null };
  if (read !== undefined) return { state: "followed", next_check: next };
  if (error instanceof GoneError) return { state: "gone", next_check: null };
  if (error instanceof OptedOutError) {
    return { state: "opted-out", next_check: now + PAUSES.optedOut };
  }
  return { state, next_check: next };
}

/** Whether lists are left that were never read. Known lists can wait for the next check. */
export function hasUnread({ read, remembered }: Finding): boolean {
  if (read === undefined) return false;
  const { collections, documents } = read.reading;
  const known = new Set([...remembered.keys(), ...documents.map(({ url }) => url)]);
  return collections.some(
    ({ unreadLists, listUrls }) => unreadLists > 0 && listUrls.some((url) => !known.has(url)),
  );
}
