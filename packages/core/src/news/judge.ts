import type { Quotes } from "@rs-emit/feeds";
import { shortTitle, titleParts } from "@rs-emit/feeds";
import { bestQuotes, type NewStatement } from "./best-quotes.ts";
import { ownKeys } from "./chrome.ts";
import { hasTellingNumber, isDull } from "./dull.ts";
import { CreatedPages, type Echoable, echoableOf, isEcho, type Name, nameOf } from "./echoes.ts";
import { areNear, differInDigits, keyOf, kindOf, type Mark, textMark } from "./mark.ts";
import { markToAttribute } from "./memory.ts";
import {
  type ChangedPage,
  goneMarks,
  type PageChange,
  pageChangeOf,
  replacements,
} from "./page-change.ts";
import type { Statement } from "./statement.ts";

/** What is known of the site beside a publication's own pages. */
export interface SiteBefore {
  /** Whether any page had a text, a picture, a linked file or a title before. */
  having(names: readonly Name[]): (name: Name) => boolean;
  /** Whether a block stands on most pages of a collection, before or now. */
  chromeOf(collection: string, keys: ReadonlySet<number>): (key: number) => boolean;
  /** What the titles of a collection's pages share. */
  namesOf(collection: string): readonly string[];
  /** Marks that the newest changes quoted, as quotes name them. */
  readonly quoted: ReadonlySet<string>;
}

/**
 * What an update is: news, or minor. Of a minor one, whether the page's own content changed or its chrome
 * alone.
 */
export type Verdict =
  | { readonly kind: "news"; readonly quotes: Quotes | undefined; readonly isReplaced: boolean }
  | { readonly kind: "minor" }
  | { readonly kind: "chrome" };

/** A page is told where its memory is missing. */
const UNKNOWN: Verdict = { kind: "news", quotes: undefined, isReplaced: false };

/**
 * Decides which updates of one publication are news (design, "What is news"): those that say something new.
 * @param pages all that the publication creates, updates or deletes
 * @returns of each page that is asked
 */
export function judgeUpdates(
  pages: readonly ChangedPage[],
  site: SiteBefore,
): ReadonlyMap<ChangedPage, Verdict> {
  const verdicts = new Map<ChangedPage, Verdict>();
  const created = new CreatedPages();
  const changes: PageChange[] = [];
  for (const page of pages) {
    if (page.before === undefined) created.add(page);
    if (page.asks === undefined) continue;
    const change = pageChangeOf(page);
    if (change === undefined) {
      verdicts.set(page, page.asks === "chrome" ? { kind: "minor" } : UNKNOWN);
    } else changes.push(change);
  }
  const chromeOf = chromeTests(changes, site);
  const candidates: Candidate[] = [];
  for (const change of changes) {
    const isChrome = chromeOf(change);
    if (isChromeAlone(change, isChrome)) verdicts.set(change.page, { kind: "chrome" });
    else if (change.page.asks === "chrome") verdicts.set(change.page, { kind: "minor" });
    else candidates.push(candidateOf(change, isChrome, site));
  }
  const isSaid = saidTest(candidates, site, created);
  const found = candidates.map((one) => newsOf(one, isSaid(one), created, site.quoted));
  for (const { candidate, news } of reportedOnce(found)) {
    const { change, isChrome } = candidate;
    const replaced = replacements(change, isChrome);
    const statements = news.map((one): NewStatement => {
      const key = keyOf(one.mark);
      // A title takes the place of the one before.
      return { ...one, isReplacement: replaced.has(key) || !change.added.has(key) };
    });
    verdicts.set(change.page, verdictOf(statements));
  }
  return verdicts;
}

function verdictOf(news: readonly NewStatement[]): Verdict {
  if (news.length === 0) return { kind: "minor" };
  const isReplaced = news.every(({ isReplacement }) => isReplacement);
  return { kind: "news", quotes: bestQuotes(news), isReplaced };
}

function chromeTests(
  changes: readonly PageChange[],
  site: SiteBefore,
): (change: PageChange) => (key: number) => boolean {
  const wanted = new Map<string, Set<number>>();
  for (const { page, old, now, added, gone } of changes) {
    if (!old.mayHoldChrome || !now.mayHoldChrome) continue;
    const keys = wanted.get(page.collection) ?? new Set();
    wanted.set(page.collection, keys);
    for (const key of [...added, ...gone]) keys.add(key);
  }
  const tests = new Map([...wanted].map(([url, keys]) => [url, site.chromeOf(url, keys)]));
  return ({ page, old, now }) => {
    const test = old.mayHoldChrome && now.mayHoldChrome ? tests.get(page.collection) : undefined;
    return test ?? (() => false);
  };
}

/** Whether the page differs only in what most pages have. */
function isChromeAlone(
  { page, old, now, added, gone }: PageChange,
  isChrome: (key: number) => boolean,
): boolean {
  if (added.size + gone.size === 0 || page.before?.title !== page.now?.title) return false;
  const [before, after] = [ownKeys(old, isChrome), ownKeys(now, isChrome)];
  return before.length === after.length && before.every((key, at) => key === after[at]);
}

/** An updated page with what may be news. */
interface Candidate {
  readonly change: PageChange;
  readonly isChrome: (key: number) => boolean;
  readonly echoables: readonly Echoable[];
  /** Its new title, where the page has another one now. */
  readonly title: Title | undefined;
}

interface Title {
  readonly statement: Statement;
  readonly echoable: Echoable;
  readonly old: Mark;
}

function candidateOf(
  change: PageChange,
  isChrome: (key: number) => boolean,
  site: SiteBefore,
): Candidate {
  const { page, added } = change;
  const fresh = (page.statements() ?? []).filter(({ mark }) => {
    const key = keyOf(mark);
    return added.has(key) && !isChrome(key);
  });
  const title = newTitle(page, site);
  return { change, isChrome, echoables: fresh.map(echoableOf), title };
}

function newTitle(page: ChangedPage, site: SiteBefore): Title | undefined {
  const [before = "", now = ""] = [page.before?.title, page.now?.title];
  if (before === now || now === "") return undefined;
  const names = site.namesOf(page.collection);
  const text = shortTitle(now, names);
  if (isDull(text) || titleParts(before).includes(text.toLowerCase())) return undefined;
  const statement: Statement = {
    kind: "heading",
    mark: textMark(text),
    text,
    name: "",
    isQuotable: true,
    links: [],
    rest: text,
    isAnchor: false,
    isHidden: false,
  };
  const old = textMark(shortTitle(before, names));
  return { statement, echoable: echoableOf(statement), old };
}

/** Whether a text was said before the publication, or is said by one of its new pages. */
function saidTest(
  candidates: readonly Candidate[],
  site: SiteBefore,
  created: CreatedPages,
): (candidate: Candidate) => (name: Name, isLink: boolean) => boolean {
  const all = candidates.flatMap(({ echoables, title }) => [
    ...echoables,
    ...(title === undefined ? [] : [title.echoable]),
  ]);
  const had = site.having(all.flatMap(({ own, links }) => [own, ...links]));
  const headings = newHeadings(candidates);
  return ({ change }) =>
    (name, isLink) => {
      if (had(name) || created.has(name)) return true;
      const on = isLink ? headings.get(name.letters) : undefined;
      return on !== undefined && (on.size > 1 || !on.has(change.page));
    };
}

/** Which updated pages have a heading or title that they had not before; by its letters. */
function newHeadings(
  candidates: readonly Candidate[],
): ReadonlyMap<string, ReadonlySet<ChangedPage>> {
  const headings = new Map<string, Set<ChangedPage>>();
  for (const { change, echoables, title } of candidates) {
    const own = echoables.filter(({ statement }) => statement.kind === "heading");
    for (const { statement } of [...own, ...(title === undefined ? [] : [title])]) {
      const letters = nameOf(statement.text).letters;
      headings.set(letters, (headings.get(letters) ?? new Set()).add(change.page));
    }
  }
  return headings;
}

interface Found {
  readonly candidate: Candidate;
  readonly news: readonly Statement[];
}

function newsOf(
  candidate: Candidate,
  isSaid: (name: Name, isLink: boolean) => boolean,
  created: CreatedPages,
  quoted: ReadonlySet<string>,
): Found {
  const { change, isChrome, echoables, title } = candidate;
  const gone = goneMarks(change, isChrome);
  const isNews = (one: Echoable, from: readonly Mark[]) =>
    !isEcho(one, isSaid, created) &&
    !isEdit(one.statement, from) &&
    !quoted.has(markToAttribute(one.statement.mark));
  const news = echoables.filter((one) => isNews(one, gone)).map(({ statement }) => statement);
  const parts = new Set(titleParts(change.page.now?.title ?? ""));
  // A heading that says the same has its place on the page.
  const isHeading = news.some(({ text }) => parts.has(text.toLowerCase()));
  const isNewTitle =
    title !== undefined &&
    !isHeading &&
    !change.old.keys.includes(keyOf(title.statement.mark)) &&
    isNews(title.echoable, [title.old, ...gone]);
  const titles = isNewTitle ? [title.statement] : [];
  return { candidate, news: withoutLinkWords([...titles, ...news]) };
}

/**
 * Whether a statement is a form of something that is gone: the same text but for some letters, or another
 * picture with the same description.
 */
function isEdit({ mark, text }: Statement, gone: readonly Mark[]): boolean {
  const kind = kindOf(mark);
  if (kind === "file") return false;
  if (kind === "picture") {
    return mark.low !== 0 && gone.some((one) => kindOf(one) === kind && one.low === mark.low);
  }
  const near = gone.filter((one) => areNear(one, mark));
  if (near.length === 0) return isDull(text);
  return !(hasTellingNumber(text) && near.every((one) => differInDigits(one, mark)));
}

/** A file whose words another new text has is told with that. */
function withoutLinkWords(news: readonly Statement[]): readonly Statement[] {
  const texts = news.filter(({ kind }) => kind === "text" || kind === "heading");
  return news.filter(
    ({ kind, text }) =>
      kind !== "file" || text === "" || !texts.some((one) => one.text.includes(text)),
  );
}

/** A text that is new on several pages is told of one: where it is a heading, else where least is new. */
function reportedOnce(found: readonly Found[]): readonly Found[] {
  const order = [...found].sort(
    (one, other) =>
      one.news.length - other.news.length ||
      (one.candidate.change.page.url < other.candidate.change.page.url ? -1 : 1),
  );
  const tellers = new Map<number, { readonly by: Found; readonly isHeading: boolean }>();
  for (const by of order) {
    for (const { kind, mark } of by.news) {
      const key = keyOf(mark);
      const isHeading = kind === "heading";
      const teller = tellers.get(key);
      if (teller === undefined || (isHeading && !teller.isHeading)) {
        tellers.set(key, { by, isHeading });
      }
    }
  }
  return found.map((one) => ({
    ...one,
    news: one.news.filter(({ mark }) => tellers.get(keyOf(mark))?.by === one),
  }));
}
