import { readableAddress } from "./addresses.ts";
import { comparable } from "./comparable.ts";
import { type Catalogue, ENGLISH, moreOf, separatorOf } from "./message-catalogues.ts";
import type { FeedCollection, Group } from "./model.ts";
import type { ChangedPage, PageGroup } from "./page-groups.ts";
import { inWords, isSame, type Quote } from "./quotes.ts";
import { cutAtWord, cutInMiddle, lineOf, linesOf } from "./text.ts";

/** A title names all pages up to this number; of more pages it names two. */
const NAMES_IN_TITLE = 3;

/** UTF-16 code units: the author's words, one quote and several, a name that is not alone, and what follows the first. */
const IN_TITLE = { words: 120, quote: 100, quotes: 70, name: 40, whole: 120 };

export function collectionName({ title, url }: FeedCollection): string {
  return lineOf(title) || readableAddress(url);
}

/**
 * Names the best: the author's words, new pages, quotes, moved pages, or deleted pages. Then it quotes updated pages
 * where there is room, and counts the others of each kind: `New: Ice; 3 pages have news`. It is equal in every feed.
 */
export function entryTitle(groups: readonly PageGroup[], words: Catalogue = ENGLISH): string {
  const authors = wordsTold(groups);
  const { text, told } = authors ?? groupTold(groups, words);
  const rest = groups.flatMap((one) => {
    const left = one.count - (told.get(one.group) ?? 0);
    if (left <= 0) return [];
    const room = authors === undefined ? IN_TITLE.whole - text.length : 0;
    return (
      newsOfPages(one, words, { first: room, all: room, told: text }) ??
      words.count[one.group]({ count: left })
    );
  });
  if (rest.length === 0) return text;
  return [text.replace(/(?<![.。])[.。]$/, ""), ...rest].join(separatorOf(words, "then"));
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
      ({ group, pages }) => group !== "updated" || pages.some((page) => newsOf(page, words, "")),
    ) ?? groups[0];
  if (best === undefined) return { text: "", told: new Map() };
  const room = { first: Number.POSITIVE_INFINITY, all: IN_TITLE.whole, told: "" };
  const text = newsOfPages(best, words, room) ?? namedPages(best, words);
  return { text, told: new Map([[best.group, best.count]]) };
}

/**
 * What updated pages say, of as many as fit, and how many more there are; `undefined` where nothing is quoted.
 * @param room UTF-16 code units: for the first page, and for all; and what the title says before
 */
function newsOfPages(
  { group, pages, count }: PageGroup,
  words: Catalogue,
  room: { readonly first: number; readonly all: number; readonly told: string },
): string | undefined {
  let text = "";
  let told = 0;
  for (const page of group === "updated" ? pages : []) {
    const news = newsOf(page, words, `${room.told} ${text}`);
    const isFirst = text === "";
    if (news === undefined || (!isFirst && quotesOf(page).length === 0)) break;
    const longer = isFirst ? news : text + separatorOf(words, "then") + news;
    if (longer.length > (isFirst ? room.first : room.all)) break;
    text = longer;
    told += 1;
  }
  if (told === 0 || told === count) return text || undefined;
  return words.morePages({ news: text, count: count - told });
}

/** Without the page's name, which stands before them in a title. */
function quotesOf({ title, best: { quotes } }: ChangedPage): readonly Quote[] {
  return quotes?.shown.filter(({ text }) => !isSame(text, title)) ?? [];
}

/**
 * `Fan – “Jujutsu Kaisen”`; `undefined` where nothing is quoted.
 * @param told the title before it: what that says is quoted only if nothing else is there
 */
function newsOf(page: ChangedPage, words: Catalogue, told: string): string | undefined {
  const { name } = page;
  const quotes = quotesOf(page);
  const fresh = quotes.filter(({ text }) => !isToldIn(`${told} ${name}`, text));
  const [best, ...others] = fresh.length > 0 ? fresh : quotes;
  if (best === undefined) return page.best.quotes && words.renamedTo({ name });
  let news = inWords(best, words, IN_TITLE.quote);
  // A short quote says little alone.
  for (const one of others) {
    if (isToldIn(news, one.text)) continue;
    const longer = news + separatorOf(words, "list") + inWords(one, words, IN_TITLE.quote);
    if (longer.length > IN_TITLE.quotes) break;
    news = longer;
  }
  return words.news({ page: cutAtWord(name, IN_TITLE.name), news });
}

function isToldIn(title: string, quote: string): boolean {
  return quote !== "" && ` ${comparable(title)} `.includes(` ${comparable(quote)} `);
}

function namedPages({ group, pages, count }: PageGroup, words: Catalogue): string {
  const [page] = pages;
  if (page === undefined) return words.count[group]({ count });
  if (count === 1) return labelled(group, page.name, count, words);
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

/** Names that begin alike are cut in the middle, so that they differ. */
function cutApart(names: readonly string[]): readonly string[] {
  const cut = names.map((name) => cutAtWord(name, IN_TITLE.name));
  return cut.map((one, at) => {
    const isSame = cut.some((other, place) => place !== at && other === one);
    return isSame ? cutInMiddle(names[at] ?? "", IN_TITLE.name) : one;
  });
}
