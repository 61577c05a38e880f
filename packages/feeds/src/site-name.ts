import { lineOf } from "./text.ts";
import { FEWEST, LONGEST_TITLE, partCounts, partsIn, SEPARATOR } from "./title-parts.ts";

/**
 * The site's name. At least three quarters of the titles have it at the same end, with a separator:
 * `Ami – My garden`, `Fan @ moss.example`.
 * @param titles of pages other than the home page, which often has only the site's name
 */
export function sharedName(titles: readonly string[]): string | undefined {
  const counts = partCounts(titles.map((title) => lineOf(title, LONGEST_TITLE)));
  const most = Math.max(FEWEST, (titles.length * 3) / 4);
  // The longest of equals, so that `Shrines – My garden` comes before `My garden`.
  const [best] = [...counts]
    .filter(([, count]) => count >= most)
    .sort(([one, a], [other, b]) => b - a || other.length - one.length || (one < other ? -1 : 1));
  return best?.[0];
}

/** A page's title without the names that the site's pages share. */
export function shortTitle(title: string, names: readonly string[]): string {
  const parts = partsIn(title).filter(({ rest }) => rest !== "");
  return names.flatMap((name) => parts.find(({ part }) => part === name) ?? [])[0]?.rest ?? title;
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
