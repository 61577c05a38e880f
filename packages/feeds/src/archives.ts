/** Entries in a document of a feed: the newest ones, or those of one archive. */
export const ENTRIES_PER_DOCUMENT = 50;

/** Inclusive entry numbers, counted from 1, and the neighbouring archives. */
export interface DocumentRange {
  /** Past `last` where there is no entry. */
  readonly first: number;
  readonly last: number;
  readonly previous: number | undefined;
  readonly next: number | undefined;
}

/** An archive exists once it is full. */
export function archiveCount(entries: number): number {
  return Math.floor(entries / ENTRIES_PER_DOCUMENT);
}

/** The newest entries (RFC 5005, section 4), overlapping the newest archive: none is missed. */
export function subscriptionRange(entries: number): DocumentRange {
  const first = Math.max(1, entries - ENTRIES_PER_DOCUMENT + 1);
  return {
    first,
    last: entries,
    previous: archive(archiveCount(entries), entries),
    next: undefined,
  };
}

/** Entries of an archive, numbered from 1. They never change (RFC 5005, section 4). */
export function archiveRange(number: number, entries: number): DocumentRange | undefined {
  if (archive(number, entries) === undefined) return undefined;
  return {
    first: (number - 1) * ENTRIES_PER_DOCUMENT + 1,
    last: number * ENTRIES_PER_DOCUMENT,
    previous: archive(number - 1, entries),
    next: archive(number + 1, entries),
  };
}

function archive(number: number, entries: number): number | undefined {
  const exists = Number.isInteger(number) && number >= 1 && number <= archiveCount(entries);
  return exists ? number : undefined;
}
