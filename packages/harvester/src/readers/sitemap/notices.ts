import { count, plural } from "@rs-emit/documents";
import type { Distrust } from "../../store/schema.ts";
import type { PollingRow } from "./polling-row.ts";
import { mustBeConfirmed } from "./trust.ts";

/** What is said of a site whose sitemaps are polled: to its followers, and by the command. */

/** The note on every entry that comes from comparing lists. */
export const SEEN_BY_COMPARING = "Seen by comparing lists, not reported by the author.";

/** Says which lists are polled from now on. Its first sentence is the title of an entry. */
export function beginning(roots: readonly string[], pages: number): string {
  return `From now on this site is followed by its sitemap. ${count(pages, "page")}: ${roots.join(", ")}.`;
}

/** Says once that the lists of a site are polled from now on. */
export function announcement(roots: readonly string[], pages: number): string {
  return `${beginning(roots, pages)} What differs is reported here. ${SEEN_BY_COMPARING}`;
}

/** What followers should know after a check that compared lists. */
export function notesOnPolling(
  before: PollingRow | undefined,
  after: PollingRow,
): readonly string[] {
  const first = before === undefined ? [beginning(JSON.parse(after.roots), after.pages)] : [];
  return [...first, SEEN_BY_COMPARING, ...remarksOn(after)];
}

/** What followers should know about sitemap polling: which dates are not believed, and what a person has to decide. */
export function remarksOn(polling: PollingRow): readonly string[] {
  const { distrust, moving, awaits_confirmation, missing, pages, confirmed_at } = polling;
  const { strange, undated, unread_dates, missing_locs } = polling;
  const isConfirmed = awaits_confirmation === 0 && confirmed_at !== null;
  return [
    ...(distrust === null ? [] : [DISTRUSTED[distrust]]),
    ...(moving === 0 ? [] : [movingText(moving)]),
    ...(strange === 0 ? [] : [strangeText(strange)]),
    ...(undated === 0 ? [] : [undatedText(undated, pages - missing)]),
    ...(unread_dates === 0 ? [] : [unreadText(unread_dates)]),
    ...(missing_locs === 0 ? [] : [missingLocsText(missing_locs)]),
    ...(awaits_confirmation === 0 ? [] : [heldText(missing)]),
    ...(isConfirmed && mustBeConfirmed({ known: pages, missing }) ? [confirmedText(missing)] : []),
  ];
}

const ONLY =
  "Only new pages and those that are gone are reported, and those whose hash differs in the list.";

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

function strangeText(pages: number): string {
  return `Most of its list is new: ${count(pages, "page")}. They are reported when half of them are listed again.`;
}

function undatedText(pages: number, listed: number): string {
  return pages >= listed
    ? "Updates cannot be seen: its list has neither dates nor hashes. Only new pages and those that are gone are reported."
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
