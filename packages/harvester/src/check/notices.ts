import { count, list, plural } from "@rs-emit/documents";
import { utcDay } from "@rs-emit/feeds";
import {
  IGNORED,
  type Ignored,
  plainNotice,
  type Reading,
  type RememberedDocument,
} from "@rs-emit/reader";
import type { Selection } from "../changes/select-new.ts";
import { type Distrust, mustBeConfirmed } from "../page-lists/trust.ts";
import type { SourceRow } from "../store/source.ts";
import type { WatchRow } from "../store/watch.ts";

/** What is said of a check, to followers and to the author of a site: on its page, in its feed and by the command. */

/** Collections that a notice names. */
const NAMED = 3;

interface RedatedCollection extends Pick<Selection, "replaced"> {
  readonly row: { readonly url: string };
}

/** A check that found a re-dated log. */
export interface Redated {
  /** Changes that are not reported, since they look like changes with other dates that were reported before. */
  readonly changes: number;
  /** For followers. */
  readonly notice: string;
}

/** Says that the logs of collections were re-dated. */
export function redatedNotice(
  collections: readonly RedatedCollection[],
  now: number,
): Redated | undefined {
  const some = collections
    .map(({ row: { url }, replaced }) => ({ url, redated: replaced.size }))
    .filter(({ redated }) => redated > 0);
  if (some.length === 0) return undefined;
  const changes = some.reduce((sum, { redated }) => sum + redated, 0);
  const which = list(
    some.map(({ url }) => url),
    NAMED,
  );
  const notice =
    `On ${utcDay(now)}, ${count(changes, "change")} of ${which} had other dates than before. ` +
    "They look like changes that were reported before, and are not reported again.";
  return { changes, notice };
}

type IgnoredText = (changes: number, useLastmod: boolean) => string;

const IGNORED_TEXTS: Readonly<Record<Ignored, IgnoredText>> = {
  undated: (changes, useLastmod) =>
    useLastmod
      ? `${leftOut(changes, "without datetime and lastmod")}.`
      : `${leftOut(changes, "without datetime")}; --use-lastmod reads ${plural(changes, "it", "them")}.`,
  misdated: (changes) =>
    `${leftOut(changes, "with a datetime that cannot be read")}: it is written like 2026-10-01T12:00:00Z.`,
  unknown: (changes) =>
    `${leftOut(changes, "of an unknown kind")}: a change is created, updated or deleted, and an index of lists a sitemapindex.`,
  foreign: (changes) => `${leftOut(changes, "of other hosts")}.`,
  future: (changes) =>
    `${count(changes, "change")} dated beyond tomorrow ` +
    `${plural(changes, "waits until its", "wait until their")} day has come.`,
};

function leftOut(changes: number, which: string): string {
  return `${count(changes, "change")} ${which} ${plural(changes, "was", "were")} left out`;
}

const MOST_NOTES = 10;

/** Notes for the author; `undefined` if nothing was read that they could be about: the known ones stay. */
export function notesOn(
  { address }: Pick<SourceRow, "address">,
  { descriptionUrl, collections, documents }: Reading,
  { useLastmod }: { readonly useLastmod: boolean },
): readonly string[] | undefined {
  const left = IGNORED.flatMap((reason) => {
    const changes = collections.reduce((sum, { ignored }) => sum + (ignored[reason] ?? 0), 0);
    return changes === 0 ? [] : [IGNORED_TEXTS[reason](changes, useLastmod)];
  });
  const named = collections.flatMap(({ notes = [] }) => notes);
  const plain = plainNotice(address ?? "", descriptionUrl) ?? [];
  const notes = [...new Set([...left, ...named, ...documents.flatMap(missingLocs)].concat(plain))];
  const hasLists = collections.some(({ lists }) => lists.length > 0);
  return hasLists || notes.length > 0 ? notes.slice(0, MOST_NOTES) : undefined;
}

function missingLocs({ url, outline }: RememberedDocument): string[] {
  const { missingLocs = 0 } = outline ?? {};
  if (missingLocs === 0) return [];
  const entries = count(missingLocs, "entry", "entries");
  const were = plural(missingLocs, "was", "were");
  return [`${entries} of ${url} without an address (loc) ${were} left out.`];
}

/** The note on every entry that comes from comparing lists. */
export const SEEN_BY_COMPARING = "Seen by comparing lists, not told by the author.";

/** Says which lists are watched from now on. */
export function beginning(roots: readonly string[], pages: number): string {
  return `From now on the list of this site's pages is watched: ${roots.join(", ")}, with ${count(pages, "page")}.`;
}

/** Says once that the lists of a site are watched from now on. */
export function announcement(roots: readonly string[], pages: number): string {
  return `${beginning(roots, pages)} What differs from now on is told here. ${SEEN_BY_COMPARING}`;
}

/** What followers should know after a check that compared lists. */
export function notesOnWatch(
  before: WatchRow | undefined,
  after: WatchRow | undefined,
): readonly string[] {
  if (after?.began_at == null) return [];
  const isFirst = before?.began_at == null;
  const first = isFirst ? [beginning(JSON.parse(after.roots), after.pages)] : [];
  return [...first, SEEN_BY_COMPARING, ...remarksOn(after)];
}

/** What followers should know about a watch: which dates are not believed, and what a person has to decide. */
export function remarksOn(watch: WatchRow): readonly string[] {
  const { distrust, moving, awaits_confirmation, missing, pages, confirmed_at } = watch;
  const { undated, unread_dates, missing_locs } = watch;
  const isConfirmed = awaits_confirmation === 0 && confirmed_at !== null;
  return [
    ...(distrust === null ? [] : [DISTRUSTED[distrust]]),
    ...(moving === 0 ? [] : [movingText(moving)]),
    ...(undated === 0 ? [] : [undatedText(undated, pages - missing)]),
    ...(unread_dates === 0 ? [] : [unreadText(unread_dates)]),
    ...(missing_locs === 0 ? [] : [missingLocsText(missing_locs)]),
    ...(awaits_confirmation === 0 ? [] : [heldText(missing)]),
    ...(isConfirmed && mustBeConfirmed({ known: pages, missing }) ? [confirmedText(missing)] : []),
  ];
}

const ONLY =
  "Only new pages and those that are gone are told, and those whose hash differs in the list.";

const UNTIL =
  "They count again after three checks in a row in which fewer than a tenth of them moved.";

const DISTRUSTED: Readonly<Record<Distrust, string>> = {
  together: `The dates in its list are not believed: more than half of them moved at once. ${ONLY} ${UNTIL}`,
  equal: `The dates in its list are not believed: all were equal. ${ONLY} ${UNTIL}`,
};

function movingText(pages: number): string {
  return pages === 1
    ? "The date of 1 page moves at every check, and is not believed."
    : `The dates of ${count(pages, "page")} move at every check, and are not believed.`;
}

function undatedText(pages: number, listed: number): string {
  return pages >= listed
    ? "Updates cannot be seen: its list has neither dates nor hashes. Only new pages and those that are gone are told."
    : `Updates of ${count(pages, "page")} cannot be seen: the list has neither dates nor hashes for them.`;
}

function unreadText(dates: number): string {
  const are = plural(dates, "is", "are");
  return `${count(dates, "date")} in its list cannot be read, or ${are} not of this time, and ${are} left out.`;
}

function missingLocsText(entries: number): string {
  const are = plural(entries, "is", "are");
  return `${count(entries, "entry", "entries")} of its list without an address (loc) ${are} left out.`;
}

function heldText(missing: number): string {
  const are = plural(missing, "is", "are");
  return (
    `${count(missing, "page")} ${are} missing from its list, more than half of all. ` +
    "They are reported as deleted only after a person confirms it."
  );
}

function confirmedText(missing: number): string {
  return (
    `${count(missing, "page")} missing from its list, and a person has said that they are gone. ` +
    "Each is reported as deleted when it has been missing for a day."
  );
}
