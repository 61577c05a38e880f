/** Entries in one document of a feed: the newest, or one archive. */
export const ENTRIES_PER_DOCUMENT = 50;

/** An archive exists once it is full. */
export function archiveCount(entries: number): number {
  return Math.floor(entries / ENTRIES_PER_DOCUMENT);
}

/** Inclusive entry numbers of an archive; both count from 1. They never change (RFC 5005, section 4). */
export function archiveRange(
  archive: number,
  entries: number,
): { readonly first: number; readonly last: number } | undefined {
  const exists = Number.isInteger(archive) && archive >= 1 && archive <= archiveCount(entries);
  if (!exists) return undefined;
  const last = archive * ENTRIES_PER_DOCUMENT;
  return { first: last - ENTRIES_PER_DOCUMENT + 1, last };
}

/** The archive of an entry, which exists once it is full. */
export function archiveOf(entry: number): number {
  return Math.ceil(entry / ENTRIES_PER_DOCUMENT);
}
