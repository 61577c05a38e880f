import type { Quotes } from "@rs-emit/feeds";
import { comparable } from "@rs-emit/feeds";
import { markToAttribute } from "../model/page-memory.ts";
import { keyOf, kindOf, type Mark, type Statement } from "../model/statement.ts";
import { isNear } from "../page/texts/dates.ts";
import { hasNewsworthyNumber, isDull } from "../page/texts/dull.ts";
import { areNear, differInDigits } from "../page/texts/mark.ts";
import { isLabel, wordsIn } from "../page/texts/words.ts";
import { bestQuotes, type NewStatement, saysLittle } from "./best-quotes.ts";
import {
  CreatedPages,
  type Echoable,
  type EchoedName,
  echoableOf,
  isEcho,
  titleForms,
} from "./echoes.ts";
import { type NewTitle, newTitles } from "./new-titles.ts";
import {
  goneMarks,
  type JudgedChange,
  type PageChange,
  type PageStates,
  pageChangeOf,
  replacements,
} from "./page-change.ts";
import {
  type AskedBlocks,
  type ChromeSource,
  type ChromeTest,
  chromeTests,
  ownKeys,
} from "./page-chrome.ts";
import { type PageNews, reportedOnce } from "./reported-once.ts";

export interface SiteBefore extends ChromeSource {
  readonly isEmpty: boolean;
  having(names: Iterable<EchoedName>): (name: EchoedName) => boolean;
  /** As last published, the pages with one of these titles and first headings. What many pages have gives none. */
  titled(titles: ReadonlySet<string>): Iterable<PageStates>;
  /** Whether three pages, or a home page, have a title. */
  readonly isCommon: (title: string) => boolean;
  readonly quoted: Pick<ReadonlySet<string>, "has">;
  /** When the judged publication takes place: UTC seconds. */
  readonly time: number;
}

interface Told {
  readonly kind: "news";
  readonly quotes: Quotes | undefined;
  readonly isReplaced: boolean;
}

/** News or minor. A minor update changed the page's own content or only its page chrome. */
export type NewsVerdict = Told | { readonly kind: "minor" } | { readonly kind: "chrome" };

/** A page whose memory is missing is reported, without a quote. */
const UNKNOWN: Told = { kind: "news", quotes: undefined, isReplaced: false };
const MINOR: NewsVerdict = { kind: "minor" };
const CHROME: NewsVerdict = { kind: "chrome" };

/**
 * Updates that say something new are news (design, "What is news").
 * @param pages everything that the publication creates, updates or deletes
 * @returns a verdict for each page with `asks`
 */
export function judgeUpdates(
  pages: readonly JudgedChange[],
  site: SiteBefore,
): ReadonlyMap<JudgedChange, NewsVerdict> {
  const verdicts = new Map<JudgedChange, NewsVerdict>();
  const entered = pages.filter(({ before, isMoved }) => before === undefined || isMoved);
  const created = new CreatedPages(
    entered.filter(({ isMoved }) => !isMoved),
    site,
  );
  // A moved page silences others like a new one, and not itself.
  const silencing = pages.some(({ isMoved }) => isMoved)
    ? new CreatedPages(entered, site)
    : created;
  const createdFor = (page: JudgedChange) => (page.isMoved ? created : silencing);
  const updated = pages.filter(({ asks }) => asks !== undefined);
  const titles = newTitles(updated);
  const chromeOf = chromeTests(askedBlocks(updated), site);
  const candidates = candidatesIn(updated, chromeOf, titles);
  const isSaid = saidTest(candidates, { site, createdFor, titles });
  const found: PageNews[] = [];
  for (const page of updated) {
    const change = pageChangeOf(page);
    const chrome = chromeOf(page.collection);
    if (change === undefined) {
      verdicts.set(page, page.asks === "news" ? UNKNOWN : MINOR);
      continue;
    }
    verdicts.set(page, isChromeAlone(change, chrome) ? CHROME : MINOR);
    if (page.asks !== "news") continue;
    const candidate = candidateOf(change, chrome, titles.get(page));
    const news = newsOn(candidate, isSaid(page), createdFor(page), site);
    const dates = listedDates(candidate, site);
    if (news.length > 0) found.push({ page, chrome, news, dates });
  }
  for (const [page, verdict] of toldOn(found, site)) verdicts.set(page, verdict);
  return verdicts;
}

/** Where no line is dated, a page with a new date in a line of its own leads. */
function toldOn(
  found: readonly PageNews[],
  site: SiteBefore,
): readonly (readonly [JudgedChange, Told])[] {
  const reported = reportedOnce(found).filter(({ news }) => news.length > 0);
  const told = reported.map((one) => ({ ...one, verdict: verdictOn(one, site) }));
  const isLineDated = told.some(({ verdict }) => verdict.quotes?.isDated);
  return told.map(({ page, dates, verdict }) => {
    const { quotes } = verdict;
    const leads = !isLineDated && quotes !== undefined && dates.length > 0;
    return [page, leads ? { ...verdict, quotes: { ...quotes, isDated: true } } : verdict];
  });
}

function verdictOn({ page, chrome, news }: PageNews, site: SiteBefore): Told {
  const change = pageChangeOf(page);
  if (change === undefined) return UNKNOWN;
  const replaced = replacements(change, chrome);
  const statements = news.map((one): NewStatement => {
    const key = keyOf(one.mark);
    // A title replaces the previous title.
    const isReplacement = replaced.has(key) || !change.added.has(key);
    const isOnMost = chrome(key) !== undefined;
    return { ...one, isReplacement, isDated: isDated(one, site), isOnMost };
  });
  const isReplaced = statements.every(({ isReplacement }) => isReplacement);
  return { kind: "news", quotes: bestQuotes(statements), isReplaced };
}

function* askedBlocks(updated: readonly JudgedChange[]): Generator<AskedBlocks> {
  for (const page of updated) {
    const { added = [], gone = [] } = pageChangeOf(page) ?? {};
    yield { collection: page.collection, keys: [...added, ...gone] };
  }
}

/** Whether the page differs only in what most pages have. */
function isChromeAlone({ page, old, now, added, gone }: PageChange, chrome: ChromeTest): boolean {
  const differing = [...added, ...gone];
  if (differing.length === 0 || page.before?.title !== page.now?.title) return false;
  if (differing.some((key) => chrome(key) === undefined)) return false;
  const [before, after] = [ownKeys(old, chrome), ownKeys(now, chrome)];
  return before.length === after.length && before.every((key, at) => key === after[at]);
}

interface NewsCandidate {
  readonly change: PageChange;
  readonly chrome: ChromeTest;
  readonly echoables: readonly Echoable[];
  readonly title: NewTitle | undefined;
}

/** One at a time, since together those of a large site would take half of a run's memory. */
function* candidatesIn(
  updated: readonly JudgedChange[],
  chromeOf: (collection: string) => ChromeTest,
  titles: Titles,
): Generator<NewsCandidate> {
  for (const page of updated) {
    const change = page.asks === "news" ? pageChangeOf(page) : undefined;
    if (change === undefined) continue;
    yield candidateOf(change, chromeOf(page.collection), titles.get(page));
  }
}

type Titles = ReadonlyMap<JudgedChange, NewTitle>;

function candidateOf(
  change: PageChange,
  chrome: ChromeTest,
  title: NewTitle | undefined,
): NewsCandidate {
  const { page, added } = change;
  const fresh = (page.statements ?? []).filter((one) => {
    const key = keyOf(one.mark);
    if (!added.has(key)) return false;
    const when = chrome(key);
    // What comes onto most pages at once is told if it is no label, and no way to another page.
    const isAnnouncement = wordsIn(one.rest) > LABEL_WORDS && !saysLittle(one.rest);
    return when === undefined || (when === "now" && isAnnouncement);
  });
  return { change, chrome, echoables: fresh.map(echoableOf), title };
}

const LABEL_WORDS = 3;

interface Sayings {
  readonly site: SiteBefore;
  readonly createdFor: (page: JudgedChange) => CreatedPages;
  readonly titles: Titles;
}

/** Whether a text was said before the publication, or is said by one of its new pages, or is the new title of another one. */
function saidTest(
  candidates: Iterable<NewsCandidate>,
  { site, createdFor, titles }: Sayings,
): (page: JudgedChange) => (name: EchoedName) => boolean {
  const had = site.having(namesIn(candidates));
  const titled = new Map(
    [...titles].reverse().map(([page, { echoable }]) => [echoable.own.form, page]),
  );
  return (page) => (name) =>
    had(name) || createdFor(page).has(name) || (titled.get(name.form) ?? page) !== page;
}

function* namesIn(candidates: Iterable<NewsCandidate>): Generator<EchoedName> {
  for (const { echoables, title } of candidates) {
    for (const { own, links } of [echoables, title?.echoable ?? []].flat()) yield* [own, ...links];
  }
}

function newsOn(
  candidate: NewsCandidate,
  isSaid: (name: EchoedName) => boolean,
  created: CreatedPages,
  site: SiteBefore,
): readonly Statement[] {
  const { change, echoables, title } = candidate;
  const gone = goneMarks(change);
  // Authors write "updated the gallery" again and again, each time with another date.
  const isQuoted = (one: Statement) =>
    site.quoted.has(markToAttribute(one.mark)) && !isDated(one, site);
  const isNews = (one: Echoable, from: readonly Mark[]) =>
    !isEcho(one, isSaid, created) && !isEdit(one.statement, from) && !isQuoted(one.statement);
  const news = echoables.filter((one) => isNews(one, gone)).map(({ statement }) => statement);
  const { title: called, headings = [] } = change.page.now ?? {};
  const parts = new Set(titleForms(called));
  // A heading with the same words is quoted instead: it has a place on the page.
  const isHeading = called === headings[0] || news.some(({ text }) => parts.has(comparable(text)));
  const isNewTitle =
    title !== undefined &&
    !isHeading &&
    !change.old.keys().includes(keyOf(title.statement.mark)) &&
    isNews(title.echoable, [title.old, ...gone]);
  const titles = isNewTitle ? [title.statement] : [];
  // A label says nothing by itself: what it stands before is news, or is not.
  return [...titles, ...news].filter((one) => !(isText(one) && isLabel(one.text)));
}

/** An edited text, or another picture with the same description. */
function isEdit({ mark, text }: Statement, gone: readonly Mark[]): boolean {
  const kind = kindOf(mark);
  if (kind === "file") return false;
  if (kind === "picture") {
    return mark.low !== 0 && gone.some((one) => kindOf(one) === kind && one.low === mark.low);
  }
  const near = gone.filter((one) => areNear(one, mark));
  if (near.length === 0) return isDull(text);
  return !(hasNewsworthyNumber(text) && near.every((one) => differInDigits(one, mark)));
}

/** A date that took another's place is of the page, not of what is new. */
function listedDates(
  { change, chrome, echoables }: NewsCandidate,
  site: SiteBefore,
): readonly Statement[] {
  const dates = echoables
    .map(({ statement }) => statement)
    .filter((one) => isDated(one, site) && isDull(one.text));
  const replaced = dates.length === 0 ? undefined : replacements(change, chrome);
  return dates.filter(({ mark }) => !replaced?.has(keyOf(mark)));
}

/** Whether the author dated it near the publication. */
function isDated({ date }: Statement, { time }: SiteBefore): boolean {
  return date !== undefined && isNear(date, time);
}

function isText({ kind }: Statement): boolean {
  return kind === "text" || kind === "heading";
}
