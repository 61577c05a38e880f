/** Entries in a document of a feed: the newest ones, or those of one archive. */
export const ENTRIES_PER_DOCUMENT = 50;

/**
 * Which entries of a feed stand in one of its documents, both ends included, and the archives beside
 * it. Entries are numbered from 1 as they come, archives as they fill.
 */
export interface DocumentRange {
  /** The oldest entry; past `last` where there is none. */
  readonly first: number;
  /** The newest entry. */
  readonly last: number;
  /** The archive with what came before. */
  readonly previous: number | undefined;
  /** The archive with what came after, if there is one yet. */
  readonly next: number | undefined;
}

/** How many archives a feed has: an archive exists as soon as it is full. */
export function archiveCount(entries: number): number {
  return Math.floor(entries / ENTRIES_PER_DOCUMENT);
}

/**
 * What stands in the subscription document (RFC 5005, section 4): the newest entries. They overlap
 * with those of the newest archive, so that nothing lies between the two.
 *
 * @param entries how many entries the feed has
 */
export function subscriptionRange(entries: number): DocumentRange {
  const first = Math.max(1, entries - ENTRIES_PER_DOCUMENT + 1);
  return {
    first,
    last: entries,
    previous: archive(archiveCount(entries), entries),
    next: undefined,
  };
}

/**
 * What stands in an archive document (RFC 5005, section 4): always the same entries.
 *
 * @param number counted from 1, the oldest
 * @returns `undefined` where there is no such archive
 */
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
