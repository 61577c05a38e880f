import { escapeText } from "@rs-emit/documents";
import { SaxesParser } from "saxes";

type Words = Record<"title" | "author" | "description" | "language" | "rights", string>;

export const TERMS: ReadonlyMap<string, keyof Words> = new Map([
  ["dcterms:title", "title"],
  ["dcterms:creator", "author"],
  ["dcterms:description", "description"],
  ["dcterms:language", "language"],
  ["dcterms:rights", "rights"],
]);

/** Whether a description that was read has these words, and no others. */
export function hasWords(
  words: Partial<Words>,
  collection: { readonly [Name in keyof Words]?: Words[Name] | undefined },
): boolean {
  return [...TERMS.values()].every((name) => words[name] === collection[name]);
}

/** The words of a description; `undefined` where it is no XML: then it is written anew. */
export function describedIn(about: string): Partial<Words> | undefined {
  const words: Partial<Words> = {};
  let name: keyof Words | undefined;
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", (tag) => {
    name = TERMS.get(tag.name);
    if (name !== undefined) words[name] = "";
  });
  parser.on("text", (text) => {
    if (name !== undefined) words[name] += text;
  });
  parser.on("closetag", () => {
    name = undefined;
  });
  try {
    parser.write(about).close();
  } catch {
    return undefined;
  }
  return words;
}

export function moveAbout(about: string, from: string, to: string): string {
  return from === to
    ? about
    : about.replace(`rdf:about="${escapeText(from)}`, () => `rdf:about="${escapeText(to)}`);
}
