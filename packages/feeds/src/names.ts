import { lineOf, readableAddress } from "./text.ts";

/** What authors write between a page's name and the site's: ` – `, ` | `, `: `. */
const SEPARATOR = String.raw`(?:\s+[-–—~/\\*]+\s+|\s*[|·•»«›‹]+\s*|\s*:{1,2}\s+)`;
const BEFORE = new RegExp(`${SEPARATOR}$`, "u");
const AFTER = new RegExp(`^${SEPARATOR}`, "u");
const ANYWHERE = new RegExp(SEPARATOR, "gu");

/** With fewer titled pages, equal words may be chance. */
const FEWEST = 3;

/**
 * The site's name as its titles tell it: what all of them share at the end or the beginning, set off by a
 * separator (`Ami – My garden`, `Fan – My garden`). `undefined` where they share nothing.
 * @param titles of pages other than the home page, which often has the site's name alone
 */
export function sharedName(titles: readonly string[]): string | undefined {
  const lines = titles.map((title) => lineOf(title, Number.POSITIVE_INFINITY));
  const [first] = lines;
  if (first === undefined || lines.length < FEWEST) return undefined;
  return namesIn(first).find((name) => lines.every((line) => withoutName(line, name) !== line));
}

/** Longest first, so that `Shrines – My garden` comes before `My garden`. */
function namesIn(title: string): string[] {
  const names = [...title.matchAll(ANYWHERE)].flatMap(({ index, 0: { length } }) => [
    title.slice(index + length),
    title.slice(0, index),
  ]);
  return names
    .filter((name) => name !== "")
    .sort((one, other) => other.length - one.length || (one < other ? -1 : 1));
}

/** A page's title without the names that it shares with its site's other pages. */
export function shortTitle(title: string, names: readonly string[]): string {
  const name = names.find((one) => withoutName(title, one) !== title);
  return name === undefined ? title : withoutName(title, name);
}

function withoutName(title: string, name: string): string {
  if (name === "" || title.length <= name.length) return title;
  if (title.endsWith(name)) {
    const rest = title.slice(0, -name.length).replace(BEFORE, "");
    if (rest !== "" && rest.length < title.length - name.length) return rest;
  }
  if (title.startsWith(name)) {
    const rest = title.slice(name.length).replace(AFTER, "");
    if (rest !== "" && rest.length < title.length - name.length) return rest;
  }
  return title;
}

const GREETING = "(?:home ?page|home|welcome)";
const GREETINGS = [
  new RegExp(`^${GREETING}(?:${SEPARATOR}|$)`, "iu"),
  new RegExp(`${SEPARATOR}${GREETING}$`, "iu"),
];

/** What a home page's title says of its site: `My garden` of `Home – My garden`. Empty for `Welcome`. */
export function homeTitle(title: string): string {
  return GREETINGS.reduce((rest, greeting) => rest.replace(greeting, ""), title.trim());
}

/** A page to be named, beside others. */
export interface TitledPage {
  readonly url: string;
  /** Empty or absent: the page is named by its path. */
  readonly title?: string | undefined;
}

export interface TitledSite {
  /** The collection's URL: paths are relative to it. */
  readonly url: string;
  readonly title: string;
  /** Further names of the site that its titles repeat. */
  readonly names?: readonly string[] | undefined;
}

/**
 * What followers call each page, in order: its title without the site's name. A title that repeats, or that
 * is the site's own, has the path beside it.
 */
export function pageNames(pages: readonly TitledPage[], site: TitledSite): string[] {
  const own = [site.title, ...(site.names ?? [])].map((name) => lineOf(name));
  const titles = pages.map(({ title }) => shortTitle(lineOf(title ?? ""), own));
  const counts = new Map<string, number>();
  for (const title of titles) counts.set(title, (counts.get(title) ?? 0) + 1);
  return pages.map(({ url }, at) => {
    const title = titles[at] ?? "";
    if (title === "") return readableAddress(url, site.url);
    const isUnclear = (counts.get(title) ?? 0) > 1 || own.includes(title);
    return isUnclear ? `${title} (${pathOf(url, site.url)})` : title;
  });
}

function pathOf(url: string, collection: string): string {
  return url === collection ? "/" : readableAddress(url, collection);
}

/** A title, and its parts as separators cut it, in lower case: any of them may name the page elsewhere. */
export function titleParts(title: string): readonly string[] {
  const line = lineOf(title, Number.POSITIVE_INFINITY).toLowerCase();
  return line === "" ? [] : [line, ...namesIn(line)];
}
