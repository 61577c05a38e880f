import { noteWithoutChangeError } from "../model/errors.ts";
import type { Change } from "../model/log.ts";
import { noteDigest } from "../model/log-attributes.ts";
import type { Plan } from "../model/plan.ts";
import type { Resource } from "../model/resources.ts";
import type { Settings } from "../options/settings.ts";
import type { Difference } from "./difference.ts";

type AuthorWords = Pick<Change, "message" | "noteDigest">;

/**
 * A new note waits for a change that is not minor.
 * @param commit the first line of a commit message
 */
export function authorWords(
  { kind, minor, resource, before, from }: Difference,
  note: string | undefined,
  commit: string | undefined,
): AuthorWords {
  if (kind === "deleted") return minor ? { message: commit } : { message: note ?? commit };
  const own = resource?.authorNote;
  const last = lastNote(resource, before ?? from);
  const digest = own === undefined ? last : noteDigest(own);
  const isNew = digest !== last;
  if (minor) return { message: isNew ? undefined : commit, noteDigest: last };
  return isNew
    ? { message: both(own, note), noteDigest: digest }
    : { message: note ?? commit, noteDigest: last };
}

/** A note that was published with these bytes is not published again when they replace another page. */
function lastNote(
  resource: Resource | undefined,
  before: Difference["before"],
): string | undefined {
  return resource?.noteDigest ?? before?.noteDigest;
}

export function hasNewNote(resource: Resource | undefined, before: Difference["before"]): boolean {
  const own = resource?.authorNote;
  return own !== undefined && noteDigest(own) !== lastNote(resource, before);
}

/** The page's own words come first. */
function both(own: string | undefined, note: string | undefined): string | undefined {
  return own === undefined || note === undefined || own === note
    ? (own ?? note)
    : `${own}\n${note}`;
}

/** A page's note goes with its newest change that is not minor. */
export function withFirstWords(
  changes: readonly Change[],
  pageOf: (url: string) => Resource | undefined,
  note: string | undefined,
): readonly Change[] {
  const full = changes.filter(({ minor }) => !minor);
  const last = new Map(full.map((change) => [change.url, change]));
  const newest = full.at(-1)?.datetime;
  return changes.map((change): Change => {
    if (change.minor) return change;
    const own = last.get(change.url) === change ? pageOf(change.url)?.authorNote : undefined;
    const ofRun = change.datetime === newest ? note : undefined;
    if (own === undefined) return ofRun === undefined ? change : { ...change, message: ofRun };
    return { ...change, message: both(own, ofRun), noteDigest: noteDigest(own) };
  });
}

/** An interrupted publication may have the note already. */
export function refuseNoteWithoutChange(
  { note, folder, previous }: Settings,
  { collections, published }: Plan,
): void {
  if (note === undefined || published?.collections.some(({ repaired }) => repaired)) return;
  const isNews = collections.some(({ derived }) => derived.changes.some(({ minor }) => !minor));
  if (isNews) return;
  const copies = [folder, previous.kind === "folder" ? previous.folder : folder];
  throw noteWithoutChangeError(published !== undefined && !copies.includes(published.folder));
}
