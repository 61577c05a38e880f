import type { StoredDocuments } from "../store/document.ts";
import type { SourceRow } from "../store/source.ts";
import type { WatchRow } from "../store/watch.ts";

/** How much of a source a check asks for. */

/** Minimum seconds between full checks, and between checks without validators. */
const FULL = { every: 20 * 3600, unconditional: 7 * 86_400 } as const;

export interface Extent {
  readonly isShort: boolean;
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
  const isShort = trustsFreshness && isWithin(last_full, FULL.every, now);
  return { isShort, isUnconditional, trustsFreshness };
}

/**
 * Whether a check looks for what the author publishes. Once a day is enough at a site that had no Change List and whose lists of
 * pages are compared.
 */
export function isSearchDue(
  { from_lists, description_url, wants_full }: SourceRow,
  watch: Pick<WatchRow, "searched_at"> | undefined,
  now: number,
): boolean {
  const isOnlyListed = from_lists === 1 && description_url === null && wants_full === 0;
  return !isOnlyListed || !isWithin(watch?.searched_at ?? null, FULL.every, now);
}

/** A time in the future comes from a wrong clock. */
function isWithin(time: number | null, seconds: number, now: number): boolean {
  return time !== null && now >= time && now < time + seconds;
}

/** Removes validators, so that everything is sent again. */
export function withoutValidators(remembered: StoredDocuments): StoredDocuments {
  return new Map([...remembered].map(([url, one]) => [url, { ...one, validators: {} }]));
}
