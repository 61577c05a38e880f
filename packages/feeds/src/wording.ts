import { readableAddress } from "./addresses.ts";
import { dayOf } from "./feed-dates.ts";
import {
  type Catalogue,
  ENGLISH,
  ended,
  inSentences,
  moreOf,
  separatorOf,
} from "./message-catalogues.ts";
import type { FeedCollection, Group } from "./model.ts";
import { type ChangedPage, onlyPage, type PageGroup, sharedWords } from "./page-groups.ts";
import { nameInWords } from "./page-names.ts";
import { isRename, isSame, picturesText, quotedText, quotesLine } from "./quotes.ts";
import { cutAtWord, cutInMiddle, lineOf, linesOf } from "./text.ts";

const NAMES_IN_SUMMARY = 5;

/** A title names all pages up to this number; of more pages it names two. */
const NAMES_IN_TITLE = 3;

/** UTF-16 code units: a title's words and quote, and a name that is not alone. */
const IN_TITLE = { words: 120, quote: 100, name: 40 };

export function collectionName({ title, url }: FeedCollection): string {
  return lineOf(title) || readableAddress(url);
}

/**
 * Names the best: the author's words, new pages, a quote, moved pages, or deleted pages. Then it counts the
 * others of each kind: `New: Ice; 3 pages have news`. It is equal in every feed.
 */
export function entryTitle(groups: readonly PageGroup[], words: Catalogue = ENGLISH): string {
  const { text, told } = wordsTold(groups) ?? groupTold(groups, words);
  const rest = groups.flatMap(({ group, count }) => {
    const left = count - (told.get(group) ?? 0);
    return left > 0 ? words.count[group]({ count: left }) : [];
  });
  if (rest.length === 0) return text;
  return [text.replace(/[.。]$/, ""), ...rest].join(separatorOf(words, "then"));
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

function groupTold(groups: readonly PageGroup[], words: Catalogue): WordedChange {
  // Pages whose quotes are gone say less than those that are new, moved or gone.
  const best =
    groups.find(
      ({ group, pages }) => group !== "updated" || pages.some((page) => newsOf(page, words)),
    ) ?? groups[0];
  if (best === undefined) return { text: "", told: new Map() };
  const { group, pages, count } = best;
  const [page] = pages;
  const news = group === "updated" && page !== undefined ? newsOf(page, words) : undefined;
  const named = news ?? namedPages(best, words);
  const others = news === undefined ? 0 : count - 1;
  const text = others === 0 ? named : words.morePages({ news: named, count: others });
  return { text, told: new Map([[group, count]]) };
}

/** `Fan – “Jujutsu Kaisen”`; `undefined` where nothing is quoted. */
function newsOf(
  { name, title, best: { quotes } }: ChangedPage,
  words: Catalogue,
): string | undefined {
  if (quotes === undefined) return undefined;
  const quote = quotes.shown.find(({ text }) => !isSame(text, title));
  if (quote === undefined) return words.renamedTo({ name });
  const news = quotedText(quote, words, IN_TITLE.quote) ?? picturesText(quote, words);
  return words.news({ page: cutAtWord(name, IN_TITLE.name), news });
}

function namedPages({ group, pages, count }: PageGroup, words: Catalogue): string {
  const [page] = pages;
  if (page === undefined) return words.count[group]({ count });
  if (count === 1) {
    const whole = wholeOf(page, words);
    return whole === undefined
      ? labelled(group, page.name, count, words)
      : words.partOf({ page: page.name, whole });
  }
  if (group === "minor") return words.count.minor({ count });
  const shown = pages.slice(0, count > NAMES_IN_TITLE ? NAMES_IN_TITLE - 1 : NAMES_IN_TITLE);
  const names = cutApart(shown.map(({ name }) => name)).join(separatorOf(words, "list"));
  const rest = count - shown.length;
  if (group !== "deleted") return labelled(group, names + moreOf(words, rest), count, words);
  const what = words.count.deleted({ count });
  return words.named({ what, pages: rest === 0 ? names : `${names} …` });
}

/** A language may need the number of the pages. */
function labelled(group: Group, pages: string, count: number, words: Catalogue): string {
  const values = { pages, count };
  return words.label[group](values);
}

/** The page that now contains a deleted page. */
export function wholeOf({ site, changes: [change] }: ChangedPage, words: Catalogue) {
  const { partOf, moved = "" } = change;
  return partOf === undefined ? undefined : nameInWords(partOf, moved, site, words);
}

/** Names that begin alike are cut in the middle, so that they differ. */
function cutApart(names: readonly string[]): readonly string[] {
  const cut = names.map((name) => cutAtWord(name, IN_TITLE.name));
  return cut.map((one, at) => {
    const isSame = cut.some((other, place) => place !== at && other === one);
    return isSame ? cutInMiddle(names[at] ?? "", IN_TITLE.name) : one;
  });
}

export function entrySummary(
  groups: readonly PageGroup[],
  words: Catalogue = ENGLISH,
): string | undefined {
  if (groups.length === 0) return undefined;
  const page = onlyPage(groups);
  if (page !== undefined) return pageSummary(page, words);
  const said = linesOf(sharedWords(groups) ?? "").join(" ");
  return inSentences(
    [said, ...groups.map((group) => ended(groupSummary(group, words), words))],
    words,
  );
}

function groupSummary({ group, pages, count }: PageGroup, words: Catalogue): string {
  const names = pages.slice(0, NAMES_IN_SUMMARY).map(({ name }) => name);
  if (names.length === 0) return words.count[group]({ count });
  const shown = names.join(separatorOf(words, "list")) + moreOf(words, count - names.length);
  return labelled(group, shown, count, words);
}

function pageSummary(
  { group, title, best, changes: [newest] }: ChangedPage,
  words: Catalogue,
): string {
  const { quotes } = best;
  const isRenamed = quotes !== undefined && isRename(quotes, title);
  const news = quotes === undefined || isRenamed ? "" : quotesLine(quotes, words);
  const said = linesOf(best.words ?? "").join(" ");
  if (said !== "" || news !== "") return inSentences([said, news], words);
  const what = group === "moved" ? "moved" : isRenamed ? "renamed" : newest.kind;
  const day = dayOf(newest.datetime, words);
  return ended(capitalized(words.happened[what]({ day })), words);
}

export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
