import type { StoredDocuments } from "../store/document.ts";
import type { SourceRow } from "../store/source.ts";

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
