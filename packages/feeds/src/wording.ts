import { numeral, plural } from "@rs-emit/documents";
import { dayOf } from "./dates.ts";
import type { FeedCollection, Group } from "./model.ts";
import { type ChangedPage, onlyPage, type PageGroup, sharedWords } from "./pages.ts";
import { quotedText, quotesLine } from "./quotes.ts";
import { lineOf, linesOf, readableAddress } from "./text.ts";

const NAMES_IN_SUMMARY = 5;

const LABELS: Readonly<Record<Group, string>> = {
  here: "Pages",
  new: "New",
  updated: "Updated",
  deleted: "Deleted",
  minor: "Minor change",
  moved: "Moved",
};

export const HEADINGS: Readonly<Record<Group, string>> = {
  here: "Pages",
  new: "New pages",
  updated: "Updated pages",
  deleted: "Deleted pages",
  minor: "Minor changes",
  moved: "Moved pages",
};

export function collectionName({ title, url }: FeedCollection): string {
  return lineOf(title) || readableAddress(url);
}

/** `Updated: Moss` for one page, `Moss shrine: 2 new pages, 3 updated` for several. */
export function entryTitle(
  groups: readonly PageGroup[],
  collection: FeedCollection,
  isAmongOthers: boolean,
): string {
  const site = collectionName(collection);
  if (groups.length === 0) return site;
  const page = onlyPage(groups);
  if (page === undefined || page.group === "here") {
    return `${site}: ${groups.map(counted).join(", ")}`;
  }
  const title = `${LABELS[page.group]}: ${page.name}`;
  // The home page is often called like its site, and has its path beside it then.
  const namesSite = page.name === site || page.name.startsWith(`${site} (`);
  const named = isAmongOthers && !namesSite ? `${title} (${site})` : title;
  return `${named}${firstQuote(page)}`;
}

function firstQuote({ group, changes: [newest] }: ChangedPage): string {
  if (group !== "updated") return "";
  const [text] = newest.quotes?.shown.flatMap((quote) => quotedText(quote) ?? []) ?? [];
  return text === undefined ? "" : ` – ${text}`;
}

export function entrySummary(groups: readonly PageGroup[]): string | undefined {
  if (groups.length === 0) return undefined;
  const page = onlyPage(groups);
  if (page !== undefined) {
    const [{ words, kind, datetime, quotes }] = page.changes;
    const told = [linesOf(words ?? "").join(" "), quotes === undefined ? "" : quotesLine(quotes)];
    return (
      told.filter((one) => one !== "").join(" ") ||
      `${capitalized(page.group === "moved" ? "moved" : kind)} ${dayOf(datetime)}.`
    );
  }
  const words = linesOf(sharedWords(groups) ?? "").join(" ");
  const counts = groups.map(
    ({ group, pages, count }) => `${label(group, count)}: ${named(pages, count)}.`,
  );
  return [...(words === "" ? [] : [words]), ...counts].join(" ");
}

export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The first group of a title says what it counts: `2 new pages, 3 updated, 1 minor change`. */
function counted({ group, count }: PageGroup, place: number): string {
  const number = numeral(count);
  if (group === "here") return `${number} ${plural(count, "page is", "pages are")} here`;
  if (group === "minor") return `${number} ${label(group, count).toLowerCase()}`;
  if (place > 0) return `${number} ${group}`;
  return `${number} ${group} ${plural(count, "page", "pages")}`;
}

function label(group: Group, pages: number): string {
  return group === "minor" && pages > 1 ? HEADINGS.minor : LABELS[group];
}

function named(pages: PageGroup["pages"], count: number): string {
  const names = pages.slice(0, NAMES_IN_SUMMARY).map(({ name }) => name);
  const rest = count - names.length;
  if (names.length === 0) return numeral(count);
  return rest === 0 ? names.join(", ") : `${names.join(", ")} and ${numeral(rest)} more`;
}
