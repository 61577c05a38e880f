import { lineOf, readableAddress } from "./text.ts";

/** Separators between a page's name and the site's: ` – `, ` | `, ` @ `, `: `. Not signs that join words. */
const SEPARATOR = String.raw`(?:\s+[^\p{L}\p{N}\s&+,.;!?'"…()[\]]+\s+|\s+@\s*|\s*[|·•»«›‹]+\s*|\s*:{1,2}\s+)`;
const BEFORE = new RegExp(`(?:${SEPARATOR}|\\s*[([])$`, "u");
const AFTER = new RegExp(`^(?:${SEPARATOR}|[)\\]]\\s*)`, "u");
const ANYWHERE = new RegExp(SEPARATOR, "gu");
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
  /** The identity of what it says: of equal pages with one title, one counts. */
  readonly content?: string | undefined;
}

export interface TitledSite {
  /** The collection's URL: paths are relative to it. */
  readonly url: string;
  readonly title: string;
  readonly names?: readonly string[] | undefined;
}

/** The name of a home page with the site's title. */
export const HOME_PAGE = "Home page";

/**
 * Names pages by their titles, without the parts that three pages share. A title that three pages or the home page
 * have names none of the others: their first heading does, else "page 2", else the end of their path.
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
  const copies = copiesIn(all);
  let home: string | undefined;
  for (const { url, title } of all) {
    if (url === site.url) home = titleIn(title);
    if (copies.has(url)) continue;
    addTo(titled, titleIn(title), url, site.url);
    addTo(named, calledBy(titleIn(title)), url, site.url);
  }
  const endOf = pathEnds(site.url, all);
  const isAlone = (known: Namesakes | undefined, url: string) => {
    return (
      known === undefined || (known.urls.size === 1 && (known.urls.has(url) || copies.has(url)))
    );
  };
  return ({ url, title, heading }) => {
    const whole = titleIn(title);
    const called = lineOf(calledBy(whole));
    const inside = lineOf(titleIn(heading));
    const isHome = url === site.url;
    const isOfMany = (titled.get(whole)?.plain ?? 0) >= FEWEST || whole === home;
    const isNamed = called !== "" && !own.includes(called) && (isHome || !isOfMany);
    const says = inside !== "" && inside !== called && !own.includes(inside);
    if (!isNamed && isHome) return HOME_PAGE;
    if (isAlone(named.get(calledBy(whole)), url) && isNamed) return called;
    const known = titled.get(whole);
    if (!isNamed && says) return inside;
    if (!isNamed) {
      const isListed = known && whole === home && known.plain < FEWEST && !own.includes(whole);
      return isListed && numberIn(known, url, site.url)
        ? apart(called, url, site.url, known, endOf)
        : endOf(url);
    }
    if (isAlone(known, url)) return lineOf(whole);
    if (says) return inside.includes(called) ? inside : `${called}, ${inside}`;
    return apart(called, url, site.url, known, endOf);
  };
}

/** URLs of pages that say what a page before them says, under the same title. */
function copiesIn(pages: readonly TitledPage[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const copies = pages.filter(({ title, content }) => {
    if (content === undefined || !content.includes(":")) return false;
    const key = `${title}\n${content}`;
    return seen.has(key) || !seen.add(key);
  });
  return new Set(copies.map(({ url }) => url));
}

/** Takes from a title the parts that three titles have at the same end. */
function withoutSharedParts(titles: readonly string[]): (title: string) => string {
  const counts = new Map<string, number>();
  for (const title of titles) {
    for (const part of new Set(partsOf(title).map(keyOfPart))) {
      counts.set(part, (counts.get(part) ?? 0) + 1);
    }
  }
  const all = new Set(titles);
  const isName = (rest: string) => /\p{L}/u.test(rest) && !all.has(rest);
  const without = (title: string, end: Part["end"]) => {
    const shared = partsOf(title).filter(
      (part) => part.end === end && (counts.get(keyOfPart(part)) ?? 0) >= FEWEST,
    );
    const [longest] = shared.sort((one, other) => other.name.length - one.name.length);
    const rest = longest === undefined ? title : withoutName(title, longest.name);
    return isName(rest) ? rest : title;
  };
  return (title) => without(without(title, "last"), "first");
}

interface Part {
  readonly end: "first" | "last";
  readonly name: string;
}

function keyOfPart({ end, name }: Part): string {
  return `${end} ${name}`;
}

function partsOf(title: string): readonly Part[] {
  const cut = [...title.matchAll(ANYWHERE)].flatMap(({ index, 0: { length } }): Part[] => [
    { end: "last", name: title.slice(index + length) },
    { end: "first", name: title.slice(0, index) },
  ]);
  const bracketed = [...title.matchAll(BRACKETED)].map(([, first, last = ""]): Part => {
    return first === undefined ? { end: "last", name: last } : { end: "first", name: first };
  });
  return [...cut, ...bracketed].filter(({ name }) => name !== "");
}

function namesIn(title: string): string[] {
  return partsOf(title).map(({ name }) => name);
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
  const number = known && numberIn(known, url, site);
  if (number !== undefined) return `${called}, page ${number}`;
  if (url === site) return HOME_PAGE;
  const isOnlyPlain =
    known?.plain === 1 && known.urls.has(url) && pageNumber(url, site) === undefined;
  const end = endOf(url);
  return isOnlyPlain || end.toLowerCase() === called.toLowerCase() ? called : `${called}, ${end}`;
}

/** A page's number, where no other page of its title has it. */
function numberIn({ numbers }: Namesakes, url: string, site: string): string | undefined {
  const number = pageNumber(url, site);
  return number !== undefined && numbers.get(number) === 1 ? number : undefined;
}

/** The end of a page's path that no other page has: `keys-2017` of `talks/keys-2017/`, `art/7` of `art/7.html`. */
function pathEnds(site: string, pages: readonly TitledPage[]): (url: string) => string {
  let owners: Map<string, Set<string>> | undefined;
  const ownersOf = () => {
    const all = new Map<string, Set<string>>();
    for (const { url } of pages) {
      for (const end of endsOf(url, site)) all.set(end, (all.get(end) ?? new Set()).add(url));
    }
    return all;
  };
  return (url) => {
    owners ??= ownersOf();
    const isOwn = (end: string) => [...(owners?.get(end) ?? [])].every((one) => one === url);
    const ends = endsOf(url, site);
    return lineOf(ends.find(isOwn) ?? "") || readableAddress(url, site);
  };
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

/** Distinct names, in order: pages with the same title also have a number or the end of their path. */
export function distinctNames(pages: readonly TitledPage[], site: string): string[] {
  const titled = new Map<string, Namesakes>();
  const titles = pages.map(({ title }) => lineOf(title ?? ""));
  for (const [at, { url }] of pages.entries()) addTo(titled, titles[at] ?? "", url, site);
  const endOf = pathEnds(site, pages);
  return pages.map(({ url }, at) => {
    const title = titles[at] ?? "";
    if (title === "") return url === site ? HOME_PAGE : endOf(url);
    const namesakes = titled.get(title);
    return namesakes?.urls.size === 1 ? title : apart(title, url, site, namesakes, endOf);
  });
}

/** A title, and its parts between separators: any part may be the page's name elsewhere. */
export function titleParts(title = ""): readonly string[] {
  const line = lineOf(title, LONGEST_TITLE);
  return line === "" ? [] : [line, ...namesIn(line)];
}
