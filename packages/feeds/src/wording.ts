import { numeral, plural } from "@rs-emit/documents";
import { dayOf } from "./feed-dates.ts";
import type { FeedCollection, Group } from "./model.ts";
import { type ChangedPage, onlyPage, type PageGroup, sharedWords } from "./page-groups.ts";
import { isRename, isSame, quotedText, quotesLine, RENAMED, wordlessText } from "./quotes.ts";
import { cutAtWord, cutInMiddle, lineOf, linesOf, readableAddress } from "./text.ts";

const NAMES_IN_SUMMARY = 5;

/** A title names all pages up to this number; of more pages it names two. */
const NAMES_IN_TITLE = 3;

/** UTF-16 code units: a title's words and quote, and a name that is not alone. */
const IN_TITLE = { words: 120, quote: 100, name: 40 };

const LABELS: Readonly<Record<Group, string>> = {
  new: "New",
  updated: "Updated",
  moved: "Moved",
  deleted: "Gone",
  minor: "Minor change",
};

export const HEADINGS: Readonly<Record<Group, string>> = {
  new: "New pages",
  updated: "Updated pages",
  moved: "Moved pages",
  deleted: "Pages that are gone",
  minor: "Minor changes",
};

export function collectionName({ title, url }: FeedCollection): string {
  return lineOf(title) || readableAddress(url);
}

/**
 * Names the best: the author's words, new pages, a quote, moved pages, or deleted pages. Then it counts the
 * others of each kind: `New: Ice; 3 pages have news`. It is equal in every feed.
 */
export function entryTitle(groups: readonly PageGroup[]): string {
  const { text, told } = wordsTold(groups) ?? groupTold(groups);
  const rest = groups.flatMap(({ group, count }) => {
    const left = count - (told.get(group) ?? 0);
    return left > 0 ? counted(group, left) : [];
  });
  return rest.length === 0 ? text : [text.replace(/\.$/, ""), ...rest].join("; ");
}

interface WordedChange {
  readonly text: string;
  readonly told: ReadonlyMap<Group, number>;
}

function wordsTold(groups: readonly PageGroup[]): WordedChange | undefined {
  const pages = groups.flatMap((group) => group.pages);
  const words = pages.map(firstLine).find(Boolean);
  if (words === undefined) return undefined;
  const isReported = (page: ChangedPage) => firstLine(page) === words;
  // Pages that are only counted belong to the group of those that are shown.
  const told = groups.map(({ group, pages, count }): [Group, number] => [
    group,
    pages.every(isReported) ? count : pages.filter(isReported).length,
  ]);
  return { text: cutAtWord(words, IN_TITLE.words), told: new Map(told) };
}

function firstLine({ best }: ChangedPage): string {
  return linesOf(best.words ?? "")[0] ?? "";
}

function groupTold(groups: readonly PageGroup[]): WordedChange {
  // Pages whose quotes are gone say less than those that are new, moved or gone.
  const best =
    groups.find(({ group, pages }) => group !== "updated" || pages.some(newsOf)) ?? groups[0];
  if (best === undefined) return { text: "", told: new Map() };
  const { group, pages, count } = best;
  const [page] = pages;
  const quote = group === "updated" && page !== undefined ? newsOf(page) : undefined;
  const others = count - 1;
  const text =
    quote === undefined
      ? namedPages(best)
      : `${quote}${others === 0 ? "" : `, and ${numeral(others)} more ${plural(others, "page", "pages")}`}`;
  return { text, told: new Map([[group, count]]) };
}

/** `Fan – “Jujutsu Kaisen”`; `undefined` where nothing is quoted. */
function newsOf({ name, best: { quotes } }: ChangedPage): string | undefined {
  if (quotes === undefined) return undefined;
  const quote = quotes.shown.find(({ text }) => !isSame(text, name));
  if (quote === undefined) return `${RENAMED}: ${name}`;
  const text = quotedText(quote, IN_TITLE.quote) ?? wordlessText(quote);
  return `${cutAtWord(name, IN_TITLE.name)} – ${text}`;
}

function namedPages({ group, pages, count }: PageGroup): string {
  const [page] = pages;
  if (page === undefined) return counted(group, count);
  if (count === 1) {
    const { partOf } = page.changes[0];
    return partOf === undefined
      ? `${LABELS[group]}: ${page.name}`
      : `${page.name} is now part of ${lineOf(partOf)}`;
  }
  if (group === "minor") return counted(group, count);
  const shown = pages.slice(0, count > NAMES_IN_TITLE ? NAMES_IN_TITLE - 1 : NAMES_IN_TITLE);
  const names = cutApart(shown.map(({ name }) => name)).join(", ");
  const rest = count - shown.length;
  if (group === "deleted") return `${counted(group, count)}: ${names}${rest === 0 ? "" : " …"}`;
  return `${LABELS[group]}: ${names}${rest === 0 ? "" : ` and ${numeral(rest)} more`}`;
}

/** Names that begin alike are cut in the middle, so that they differ. */
function cutApart(names: readonly string[]): readonly string[] {
  const cut = names.map((name) => cutAtWord(name, IN_TITLE.name));
  return cut.map((one, at) => {
    const isSame = cut.some((other, place) => place !== at && other === one);
    return isSame ? cutInMiddle(names[at] ?? "", IN_TITLE.name) : one;
  });
}

/** `3 pages have news` */
function counted(group: Group, count: number): string {
  const number = numeral(count);
  switch (group) {
    case "new":
      return `${number} new ${plural(count, "page", "pages")}`;
    case "updated":
      return `${number} ${plural(count, "page has", "pages have")} news`;
    case "moved":
      return `${number} ${plural(count, "page", "pages")} moved`;
    case "deleted":
      return `${number} ${plural(count, "page is", "pages are")} gone`;
    case "minor":
      return `${number} ${plural(count, "minor change", "minor changes")}`;
  }
}

export function entrySummary(groups: readonly PageGroup[]): string | undefined {
  if (groups.length === 0) return undefined;
  const page = onlyPage(groups);
  if (page !== undefined) return pageSummary(page);
  const words = linesOf(sharedWords(groups) ?? "").join(" ");
  const counts = groups.map(
    ({ group, pages, count }) => `${label(group, count)}: ${named(pages, count)}.`,
  );
  return [...(words === "" ? [] : [words]), ...counts].join(" ");
}

function pageSummary({ group, name, best: { words, quotes }, changes: [newest] }: ChangedPage) {
  const isRenamed = quotes !== undefined && isRename(quotes, name);
  const told = [
    linesOf(words ?? "").join(" "),
    quotes === undefined || isRenamed ? "" : quotesLine(quotes),
  ];
  const what = group === "moved" ? "moved" : isRenamed ? RENAMED : newest.kind;
  return (
    told.filter((one) => one !== "").join(" ") || `${capitalized(what)} ${dayOf(newest.datetime)}.`
  );
}

export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
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
