/** The words of feeds and lists: messages of a site's language. */
import { type Catalogue, ENGLISH, LANGUAGES } from "./messages/index.ts";

export { type Catalogue, ENGLISH } from "./messages/index.ts";

export type CatalogueOf = (language: string | undefined) => Catalogue;

/** The catalogue of Chinese has simplified characters. */
const TRADITIONAL_CHINESE = /^zh-(?!hans\b).*\b(?:hant|hk|mo|tw)\b/i;

/** Loads what texts in these languages need. A language without a catalogue has English words. */
export async function loadCatalogues(
  languages: Iterable<string | undefined>,
): Promise<CatalogueOf> {
  const keys = [...new Set([...languages].map(keyOf))];
  const loaded = await Promise.all(
    keys.map(async (key) => [key, await LANGUAGES[key]?.()] as const),
  );
  const catalogues = new Map(loaded);
  return (language) => catalogues.get(keyOf(language))?.default ?? ENGLISH;
}

function keyOf(language = ""): string {
  const [key = ""] = language.toLowerCase().split("-", 1);
  return Object.hasOwn(LANGUAGES, key) && !TRADITIONAL_CHINESE.test(language) ? key : "en";
}

/** The language of the words beside a site's own: the site's, if there are such words. */
export function languageOfWords(site: string | undefined, { language }: Catalogue): string {
  return site?.toLowerCase().split("-", 1)[0] === language ? site : language;
}

/** Stand for what is no text, such as elements, in the values of a message. */
export const PLACES = ["\0", "\x01"] as const;

/** A message's text, in pieces: a number is one of the {@link PLACES}. */
export function piecesOf(text: string): readonly (string | 0 | 1)[] {
  const pieces = text.split(new RegExp(`([${PLACES.join("")}])`)).filter((piece) => piece !== "");
  return pieces.map((piece) => (piece === PLACES[0] ? 0 : piece === PLACES[1] ? 1 : piece));
}

/** What stands between the items of a list, or between two clauses or titles. */
export function separatorOf(words: Catalogue, kind: "list" | "clause" | "then"): string {
  return words[kind]({ first: "", second: "" });
}

/** ` and 3 more`, behind a list; empty for none. */
export function moreOf(words: Catalogue, count: number): string {
  return count === 0 ? "" : words.more({ names: "", count });
}
