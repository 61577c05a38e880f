import { groupBy } from "@rs-emit/documents";
import { readableAddress } from "./addresses.ts";
import { comparable } from "./comparable.ts";
import { type Catalogue, ENGLISH } from "./message-catalogues.ts";
import { shortTitle } from "./site-name.ts";
import { lineOf } from "./text.ts";
import { FEWEST, LONGEST_TITLE, partCounts, partsIn } from "./title-parts.ts";

/** A page that needs a name beside other pages. */
export interface TitledPage {
  readonly url: string;
  /** Empty or absent: the path is the page's name. */
  readonly title?: string | undefined;
  /** The page's first headings, in page order. */
  readonly headings?: readonly string[] | undefined;
}

export interface TitledSite {
  /** The collection's URL: paths are relative to it. */
  readonly url: string;
  readonly title: string;
  readonly names?: readonly string[] | undefined;
}

/**
 * Names pages by their titles, without the parts that three pages share. A title that three pages or the home page
 * have names none of the others: their first heading does if no other page has it, else their number, else the end of
 * their path, or a later heading where that is no word.
 * Names have no words of ours: that of a home page with the site's title is empty, and `Blog, 2` is page 2 of the blog.
 */
export function pageNamer(
  site: TitledSite,
  pages: Iterable<TitledPage>,
): (page: TitledPage) => string {
  const own = [site.title, ...(site.names ?? [])].map((name) => lineOf(name));
  const forms = new Set(own.map(comparable));
  const isOwn = (name: string) => forms.has(comparable(name));
  const titleIn = (title = "") => shortTitle(lineOf(title, LONGEST_TITLE), own);
  const linesIn = (headings: readonly string[] = []) => headings.map((one) => lineOf(titleIn(one)));
  const titled = [...pages].map(({ url, title, headings }) => {
    return { url, title: titleIn(title), headings: url === site.url ? [] : linesIn(headings) };
  });
  const calledBy = withoutSharedParts(titled.map(({ title }) => title));
  const named = titled.map((page) => ({ ...page, called: calledBy(page.title) }));
  const namesakes = new Namesakes(site.url, named);
  return ({ url, title, headings }) => {
    const whole = titleIn(title);
    const called = lineOf(calledBy(whole));
    const isHome = url === site.url;
    const isNamed = called !== "" && !isOwn(called) && (isHome || !namesakes.areMany(whole));
    if (!isNamed && isHome) return "";
    const inside = linesIn(isHome ? [] : headings).find((line, at) => {
      const says = line !== "" && line !== called && !isOwn(line);
      const isBest = at === 0 || !namesakes.isCalledByPath(url);
      const key = headed(line, at === 0 ? "first" : "any");
      return says && isBest && namesakes.isAlone(key, url) && namesakes.isAlone(line, url);
    });
    if (!isNamed) return inside ?? namesakes.endOf(url);
    if (namesakes.isAlone(calledBy(whole), url)) return called;
    if (namesakes.isAlone(whole, url)) return lineOf(whole);
    if (namesakes.isShortest(calledBy(whole), url)) return called;
    if (inside === undefined) return namesakes.apart(called, whole, url);
    return inside.includes(called) ? inside : `${called} (${inside})`;
  };
}

/** Takes from a title the parts that three titles have; of a series, "Week 3", only those that most titles have. */
export function withoutSharedParts(titles: readonly string[]): (title: string) => string {
  const counts = partCounts(titles);
  const all = new Set(titles);
  const withoutOne = (title: string, fewest: number) => {
    const shared = partsIn(title).filter(({ part }) => (counts.get(part) ?? 0) >= fewest);
    const [longest] = shared.sort((one, other) => other.part.length - one.part.length);
    const rest = longest?.rest ?? "";
    return /\p{L}/u.test(rest) && !all.has(rest) ? rest : title;
  };
  // There may be one at each end.
  const without = (title: string, fewest: number) => withoutOne(withoutOne(title, fewest), fewest);
  return (title) => {
    const name = without(title, FEWEST);
    return isOfSeries(name) ? without(title, Math.max(FEWEST, (titles.length + 1) / 2)) : name;
  };
}

function isOfSeries(name: string): boolean {
  return /\d/.test(name) && (name.match(/\p{L}+/gu)?.length ?? 0) <= 1;
}

const WORD = /[\p{L}\p{M}]{3}|\p{Lo}{2}/u;

interface NamedPage {
  readonly url: string;
  readonly title: string;
  readonly headings: readonly string[];
  readonly called: string;
}

/** Tells pages apart whose names are equal. */
class Namesakes {
  readonly #site: string;
  readonly #pages: readonly NamedPage[];
  readonly #home: string | undefined;
  /** By titles, without the home page and pages with a number in their path. */
  readonly #titled: ReadonlyMap<string, readonly NamedPage[]>;
  /** By names, the URL of the page with the shortest address; none where two are as short. */
  readonly #shortest: ReadonlyMap<string, string>;
  readonly #owners: ReadonlyMap<string, string>;
  #ends: ReadonlyMap<string, string> | undefined;

  constructor(site: string, pages: readonly NamedPage[]) {
    this.#site = site;
    this.#pages = pages;
    this.#home = pages.find(({ url }) => url === site)?.title;
    const plain = pages.filter(({ url }) => url !== site && pageNumber(url, site) === "");
    this.#titled = groupBy(plain, ({ title }) => title);
    this.#shortest = shortestOf(groupBy(plain, ({ called }) => called));
    this.#owners = ownersOf(pages, ({ url, title, headings, called }) => {
      const [first = ""] = headings;
      const inside = [headed(first, "first"), ...headings.map((one) => headed(one, "any"))];
      const names = [title, called, ...inside];
      return url === site ? names : [...names, this.#numbered(title, url)];
    });
  }

  /** Whether three pages, or the home page, have a title. */
  areMany(title: string): boolean {
    return (this.#titled.get(title)?.length ?? 0) >= FEWEST || title === this.#home;
  }

  isAlone(name: string, url: string): boolean {
    return (this.#owners.get(name) ?? url) === url;
  }

  /** Of pages with one name, the one with the shortest address is best known. */
  isShortest(called: string, url: string): boolean {
    return this.#shortest.get(called) === url;
  }

  /** With the number in its path where no other page of that title has it, else with the end of its path. */
  apart(called: string, title: string, url: string): string {
    const number = pageNumber(url, this.#site);
    if (this.#owners.get(this.#numbered(title, url)) === url) return called + numbered(number);
    if (url === this.#site) return "";
    const end = this.endOf(url);
    if (comparable(end) !== comparable(called)) return `${called} (${end})`;
    const [, longer = end] = endsOf(url, this.#site);
    return this.#shortest.has(called) ? `${called} (${longer.replace(/^\//, "")})` : called;
  }

  /** Whether its path says more than the heading of a page's part: a word without number, or a number of its own. */
  isCalledByPath(url: string): boolean {
    const end = this.endOf(url);
    return pageNumber(url, this.#site) !== "" || (WORD.test(end) && !/\d$/.test(end));
  }

  /** The end of a page's path that no other page has: `keys-2017` of `talks/keys-2017/`, `art/7` of `art/7.html`. */
  endOf(url: string): string {
    this.#ends ??= ownersOf(this.#pages, (page) => endsOf(page.url, this.#site));
    const own = endsOf(url, this.#site).find((end) => (this.#ends?.get(end) ?? url) === url);
    return lineOf(own?.replace(/^\//, "") ?? "") || readableAddress(url, this.#site);
  }

  #numbered(title: string, url: string): string {
    return `${title}\n${pageNumber(url, this.#site)}`;
  }
}

function shortestOf(
  byName: ReadonlyMap<string, readonly NamedPage[]>,
): ReadonlyMap<string, string> {
  const shortest = new Map<string, string>();
  for (const [name, same] of byName) {
    const [first, second] = same
      .map(({ url }) => url)
      .sort((one, other) => one.length - other.length);
    if (first !== undefined && first.length !== second?.length) shortest.set(name, first);
  }
  return shortest;
}

/** The key of a heading, which is no title. A page's first heading may stand further down on others. */
function headed(heading: string, place: "first" | "any"): string {
  return `\n${place}\n${heading}`;
}

/** The URL of the page that has each key; empty where several have it. */
function ownersOf(
  pages: readonly NamedPage[],
  keysOf: (page: NamedPage) => readonly string[],
): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const page of pages) {
    for (const key of keysOf(page)) {
      owners.set(key, (owners.get(key) ?? page.url) === page.url ? page.url : "");
    }
  }
  return owners;
}

/** The shortest first; the whole path has a `/`, since it may be the end of others. A number says too little alone. */
function endsOf(url: string, site: string): readonly string[] {
  if (!url.startsWith(site) || url === site) return [];
  const path = readableAddress(url, site)
    .replace(/(?:^|\/)index\.[a-z]+$/i, "")
    .replace(/\.[sx]?html?$/i, "")
    .replaceAll("_", " ");
  const segments = path.split("/").filter((one) => one !== "");
  const ends = segments.map((_, at) => segments.slice(-1 - at).join("/"));
  return [...ends.filter((end) => /\p{L}/u.test(end)), ...ends.slice(-1).map((path) => `/${path}`)];
}

const PAGE_NUMBER = /(?:^|[/_-]|page|seite)(\d{1,3})(?:\/|(?:\/index)?\.[sx]?html?)?$/i;

/** The `2` of `blog/page/2/`, `blog/2/` and `blog/page2.html`; else empty. */
function pageNumber(url: string, site: string): string {
  const path = url.startsWith(site) ? url.slice(site.length) : "";
  return PAGE_NUMBER.exec(path)?.[1] ?? "";
}

/** Whether a page is one of a numbered series, like the pages of a list. */
export function isNumbered(url: string): boolean {
  return PAGE_NUMBER.test(url);
}

function numbered(number: string): string {
  return number && `, ${number}`;
}

/** What a page is called in words: a name, as {@link pageNamer} gives it, and the URL that it names. */
export function nameInWords(name: string, url: string, site: string, words: Catalogue): string {
  const line = lineOf(name);
  if (line === "") return url === site ? words.homePage() : readableAddress(url, site);
  const number = pageNumber(url, site);
  if (number === "" || !line.endsWith(numbered(number))) return line;
  return words.numberedPage({ name: line.slice(0, -numbered(number).length), number });
}

/** Distinct names, in order: pages with the same title also have a number or the end of their path. */
export function distinctNames(
  pages: readonly TitledPage[],
  site: string,
  words: Catalogue = ENGLISH,
): string[] {
  const distinct = new Map(pages.map((page) => [page.url, page]));
  const nameOf = pageNamer({ url: site, title: "" }, distinct.values());
  return pages.map((page) => nameInWords(nameOf(page), page.url, site, words));
}
