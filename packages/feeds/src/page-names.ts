import { readableAddress } from "./addresses.ts";
import { comparable } from "./comparable.ts";
import { type Catalogue, ENGLISH } from "./message-catalogues.ts";
import { lineOf } from "./text.ts";

/** Separators between a page's name and the site's: ` – `, ` | `, ` @ `, `: `. Not signs that join words. */
const SEPARATOR = String.raw`(?:\s+[^\p{L}\p{N}\s&+,.;!?'"…()[\]]+\s+|\s+@\s*|\s*[|｜·•»«›‹]+\s*|\s*:{1,2}\s+)`;
const BEFORE = new RegExp(`(?:${SEPARATOR}|\\s*[([]|[_＿])$`, "u");
const AFTER = new RegExp(`^(?:${SEPARATOR}|[)\\]]\\s*|[_＿])`, "u");
/** `_` joins words, but for those of Chinese and Japanese. */
const EASTERN = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`;
const ANYWHERE = new RegExp(`${SEPARATOR}|(?<=${EASTERN})[_＿]|[_＿](?=${EASTERN})`, "gu");
const BRACKETED = /^[([]([^()[\]]+)[)\]]|[([]([^()[\]]+)[)\]]$/gu;

/** With fewer titled pages, equal words may be chance. */
const FEWEST = 3;

/** An unclosed `title` may contain a whole page. UTF-16 code units. */
const LONGEST_TITLE = 1000;

/** A name in most titles is in some of this many, taken from the whole site. */
const MOST_ASKED = 50;

/**
 * The site's name. At least three quarters of the titles have it at the same end, with a separator:
 * `Ami – My garden`, `Fan @ moss.example`.
 * @param titles of pages other than the home page, which often has only the site's name
 */
export function sharedName(titles: readonly string[]): string | undefined {
  if (titles.length < FEWEST) return undefined;
  const lines = titles.map((title) => lineOf(title, LONGEST_TITLE));
  const step = Math.ceil(lines.length / MOST_ASKED);
  const asked = lines.filter((_, at) => at % step === 0);
  const most = Math.max(FEWEST, (lines.length * 3) / 4);
  const shared = [...new Set(asked.flatMap(namesIn))]
    .filter((name) => countOf(asked, name) * 2 > asked.length)
    .map((name) => ({ name, count: countOf(lines, name) }))
    .filter(({ count }) => count >= most);
  // The longest of equals, so that `Shrines – My garden` comes before `My garden`.
  const [best] = shared.sort(
    (one, other) =>
      other.count - one.count ||
      other.name.length - one.name.length ||
      (one.name < other.name ? -1 : 1),
  );
  return best?.name;
}

function countOf(lines: readonly string[], name: string): number {
  return lines.filter((line) => withoutName(line, name) !== line).length;
}

/** A page's title without the names that the site's pages share. */
export function shortTitle(title: string, names: readonly string[]): string {
  const name = names.find((one) => withoutName(title, one) !== title);
  return name === undefined ? title : withoutName(title, name);
}

function withoutName(title: string, name: string): string {
  if (name === "" || title.length <= name.length) return title;
  return withoutEnd(title, name) ?? withoutBeginning(title, name) ?? title;
}

function withoutEnd(title: string, name: string): string | undefined {
  const isBracketed = /[)\]]$/.test(title) && !title.endsWith(name);
  const end = isBracketed ? title.slice(0, -1) : title;
  if (!end.endsWith(name)) return undefined;
  const before = end.slice(0, -name.length);
  if (isBracketed && !/[([]$/.test(before)) return undefined;
  const rest = before.replace(BEFORE, "");
  return rest !== "" && rest.length < before.length ? rest : undefined;
}

function withoutBeginning(title: string, name: string): string | undefined {
  const isBracketed = /^[([]/.test(title) && !title.startsWith(name);
  const beginning = isBracketed ? title.slice(1) : title;
  if (!beginning.startsWith(name)) return undefined;
  const behind = beginning.slice(name.length);
  if (isBracketed && !/^[)\]]/.test(behind)) return undefined;
  const rest = behind.replace(AFTER, "");
  return rest !== "" && rest.length < behind.length ? rest : undefined;
}

const GREETING = "(?:home ?page|home|welcome)";
const GREETINGS = [
  new RegExp(`^${GREETING}(?:${SEPARATOR}|$)`, "iu"),
  new RegExp(`${SEPARATOR}${GREETING}$`, "iu"),
];

/** The site's name in a home page's title: `My garden` of `Home – My garden`. Empty for `Welcome`. */
export function homeTitle(title: string): string {
  return GREETINGS.reduce((rest, greeting) => rest.replace(greeting, ""), title.trim());
}

/** A page that needs a name beside other pages. */
export interface TitledPage {
  readonly url: string;
  /** Empty or absent: the path is the page's name. */
  readonly title?: string | undefined;
}

export interface TitledSite {
  /** The collection's URL: paths are relative to it. */
  readonly url: string;
  readonly title: string;
  readonly names?: readonly string[] | undefined;
}

/**
 * Names pages by their titles, without the parts that three pages share. A title that three pages or the home page
 * have names none of the others: their first heading does, else their number, else the end of their path.
 * Names have no words of ours: that of a home page with the site's title is empty, and `Blog, 2` is page 2 of the blog.
 */
export function pageNamer(
  site: TitledSite,
  pages: Iterable<TitledPage>,
): (page: TitledPage & { readonly heading?: string | undefined }) => string {
  const own = [site.title, ...(site.names ?? [])].map((name) => lineOf(name));
  const titleIn = (title = "") => shortTitle(lineOf(title, LONGEST_TITLE), own);
  const all = [...pages];
  const calledBy = withoutSharedParts(all.map(({ title }) => titleIn(title)));
  const [titled, named] = [new Map<string, Namesakes>(), new Map<string, Namesakes>()];
  let home: string | undefined;
  for (const { url, title } of all) {
    const whole = titleIn(title);
    if (url === site.url) home = whole;
    addTo(titled, whole, url, site.url);
    addTo(named, calledBy(whole), url, site.url);
  }
  const endOf = pathEnds(site.url, all);
  return ({ url, title, heading }) => {
    const whole = titleIn(title);
    const called = lineOf(calledBy(whole));
    const inside = lineOf(titleIn(heading));
    const isHome = url === site.url;
    const known = titled.get(whole);
    const isOfMany = !isHome && ((known?.plain ?? 0) >= FEWEST || whole === home);
    const isNamed = called !== "" && !own.includes(called) && !isOfMany;
    const says = inside !== "" && inside !== called && !own.includes(inside);
    if (!isNamed) return isHome ? "" : says ? inside : endOf(url);
    if (isAlone(named.get(calledBy(whole)), url)) return called;
    if (isAlone(known, url)) return lineOf(whole);
    if (says) return inside.includes(called) ? inside : `${called}, ${inside}`;
    return apart(called, url, site.url, known, endOf);
  };
}

function isAlone(known: Namesakes | undefined, url: string): boolean {
  return known === undefined || (known.urls.size === 1 && known.urls.has(url));
}

/** Takes from a title the parts that three titles have. */
function withoutSharedParts(titles: readonly string[]): (title: string) => string {
  const counts = new Map<string, number>();
  for (const title of titles) {
    for (const part of new Set(namesIn(title))) counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  const all = new Set(titles);
  const withoutOne = (title: string) => {
    const shared = namesIn(title).filter((part) => (counts.get(part) ?? 0) >= FEWEST);
    const [longest = ""] = shared.sort((one, other) => other.length - one.length);
    const rest = withoutName(title, longest);
    return /\p{L}/u.test(rest) && !all.has(rest) ? rest : title;
  };
  // There may be one at each end.
  return (title) => withoutOne(withoutOne(title));
}

function namesIn(title: string): string[] {
  const cut = [...title.matchAll(ANYWHERE)].flatMap(({ index, 0: { length } }) => [
    title.slice(index + length),
    title.slice(0, index),
  ]);
  const bracketed = [...title.matchAll(BRACKETED)].flatMap(
    ([, first, last]) => first ?? last ?? [],
  );
  return [...cut, ...bracketed].filter((name) => name !== "");
}

interface Namesakes {
  readonly urls: Set<string>;
  /** The number of pages without a number in their path, except the home page. */
  plain: number;
  readonly numbers: Map<string, number>;
}

function addTo(titled: Map<string, Namesakes>, title: string, url: string, site: string): void {
  const known = titled.get(title) ?? { urls: new Set(), plain: 0, numbers: new Map() };
  titled.set(title, known);
  if (known.urls.has(url)) return;
  known.urls.add(url);
  const number = pageNumber(url, site);
  if (number !== undefined) known.numbers.set(number, (known.numbers.get(number) ?? 0) + 1);
  else if (url !== site) known.plain += 1;
}

function apart(
  called: string,
  url: string,
  site: string,
  known: Namesakes | undefined,
  endOf: (url: string) => string,
): string {
  const number = pageNumber(url, site);
  if (number !== undefined && known?.numbers.get(number) === 1) return called + numbered(number);
  if (url === site) return "";
  const isOnlyPlain = number === undefined && known?.plain === 1 && known.urls.has(url);
  const end = endOf(url);
  return isOnlyPlain || comparable(end) === comparable(called) ? called : `${called}, ${end}`;
}

/** The end of a page's path that no other page has: `keys-2017` of `talks/keys-2017/`, `art/7` of `art/7.html`. */
function pathEnds(site: string, pages: readonly TitledPage[]): (url: string) => string {
  let owners: ReadonlyMap<string, string> | undefined;
  return (url) => {
    owners ??= ownersOfEnds(site, pages);
    const own = endsOf(url, site).find((end) => (owners?.get(end) ?? url) === url);
    return lineOf(own ?? "") || readableAddress(url, site);
  };
}

/** The page that has each end; empty where several have it. */
function ownersOfEnds(site: string, pages: readonly TitledPage[]): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const { url } of pages) {
    for (const end of endsOf(url, site)) {
      owners.set(end, (owners.get(end) ?? url) === url ? url : "");
    }
  }
  return owners;
}

/** The shortest first. A number says too little alone. */
function endsOf(url: string, site: string): readonly string[] {
  if (!url.startsWith(site) || url === site) return [];
  const path = readableAddress(url, site)
    .replace(/(?:^|\/)index\.[a-z]+$/i, "")
    .replace(/\.[sx]?html?$/i, "");
  const segments = path.split("/").filter((one) => one !== "");
  const ends = segments.map((_, at) => segments.slice(-1 - at).join("/"));
  return ends.filter((end) => /\p{L}/u.test(end) || end === ends.at(-1));
}

const PAGE_NUMBER = /(?:^|[/_-]|page|seite)(\d{1,3})(?:\/|(?:\/index)?\.[sx]?html?)?$/i;

/** The `2` of `blog/page/2/`, `blog/2/` and `blog/page2.html`. */
function pageNumber(url: string, site: string): string | undefined {
  return url.startsWith(site) ? PAGE_NUMBER.exec(url.slice(site.length))?.[1] : undefined;
}

/** Whether a page is one of a numbered series, like the pages of a list. */
export function isNumbered(url: string): boolean {
  return PAGE_NUMBER.test(url);
}

function numbered(number: string): string {
  return `, ${number}`;
}

/** What a page is called in words: a name, as {@link pageNamer} gives it, and the URL that it names. */
export function nameInWords(name: string, url: string, site: string, words: Catalogue): string {
  const line = lineOf(name);
  if (line === "") return url === site ? words.homePage() : readableAddress(url, site);
  const number = pageNumber(url, site);
  if (number === undefined || !line.endsWith(numbered(number))) return line;
  return words.numberedPage({ name: line.slice(0, -numbered(number).length), number });
}

/** Distinct names, in order: pages with the same title also have a number or the end of their path. */
export function distinctNames(
  pages: readonly TitledPage[],
  site: string,
  words: Catalogue = ENGLISH,
): string[] {
  const titled = new Map<string, Namesakes>();
  const titles = pages.map(({ title }) => lineOf(title ?? ""));
  for (const [at, { url }] of pages.entries()) addTo(titled, titles[at] ?? "", url, site);
  const endOf = pathEnds(site, pages);
  return pages.map(({ url }, at) => {
    const title = titles[at] ?? "";
    if (title === "" && url !== site) return endOf(url);
    const namesakes = titled.get(title);
    const isAlone = title === "" || namesakes?.urls.size === 1;
    const name = isAlone ? title : apart(title, url, site, namesakes, endOf);
    return nameInWords(name, url, site, words);
  });
}

/** A title, and its parts between separators: any part may be the page's name elsewhere. */
export function titleParts(title = ""): readonly string[] {
  const line = lineOf(title, LONGEST_TITLE);
  return line === "" ? [] : [line, ...namesIn(line)];
}
