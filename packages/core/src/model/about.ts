import { DCTERMS, replaceIllegalCharacters } from "@rs-emit/documents";
import { create } from "xmlbuilder2";
import type { Collection } from "./collections.ts";
import { GENERATOR } from "./layout.ts";

const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

type Words = Record<"title" | "author" | "description" | "language" | "rights", string>;

const TERMS: ReadonlyMap<string, keyof Words> = new Map([
  ["dcterms:title", "title"],
  ["dcterms:creator", "author"],
  ["dcterms:description", "description"],
  ["dcterms:language", "language"],
  ["dcterms:rights", "rights"],
]);

/** Dublin Core terms in RDF/XML, the target of `describedby` (IFCC-0001). */
export function composeAbout(collection: Collection & { readonly title: string }): string {
  const { url, title, author, description, language, rights } = collection;
  const document = create({ version: "1.0", encoding: "UTF-8" }).com(GENERATOR);
  const about = document
    .ele("rdf:RDF", { "xmlns:rdf": RDF, "xmlns:dcterms": DCTERMS })
    .ele("rdf:Description", { "rdf:about": escaped(url) });
  const words = { title, author, description, language, rights };
  for (const [term, name] of TERMS) {
    const text = words[name];
    if (text !== undefined) about.ele(term).txt(escaped(text));
  }
  return `${document.end({ prettyPrint: true })}\n`;
}

/** The words of a description; `undefined` where it is no XML: then it is written anew. */
export function describedIn(about: string): Partial<Words> | undefined {
  const words: Partial<Words> = {};
  try {
    create(about).each(
      ({ node }) => {
        const name = TERMS.get(node.nodeName);
        if (name !== undefined) words[name] = node.textContent ?? "";
      },
      false,
      true,
    );
  } catch {
    return undefined;
  }
  return words;
}

export function moveAbout(about: string, from: string, to: string): string {
  return from === to
    ? about
    : about.replace(`rdf:about="${escaped(from)}`, () => `rdf:about="${escaped(to)}`);
}

/** xmlbuilder2 does not escape text like a reference: `&amp;` in a title would be lost. */
function escaped(text: string): string {
  return replaceIllegalCharacters(text).replaceAll("&", "&amp;");
}
