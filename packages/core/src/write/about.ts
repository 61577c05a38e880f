import { replaceIllegalCharacters } from "@rs-emit/documents";
import { create } from "xmlbuilder2";
import { GENERATOR } from "../model/layout.ts";
import type { Collection } from "../model/types.ts";
import { DCTERMS } from "../model/vocabulary.ts";

const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

/**
 * What a collection is, as Dublin Core terms in RDF/XML: the target of `describedby` (IFCC-0001).
 *
 * @param fallbackTitle stands in where the author gave no title
 */
export function composeAbout(collection: Collection, fallbackTitle: string): string {
  const { url, title = fallbackTitle, author, description, language, rights } = collection;
  const document = create({ version: "1.0", encoding: "UTF-8" }).com(GENERATOR);
  const about = document
    .ele("rdf:RDF", { "xmlns:rdf": RDF, "xmlns:dcterms": DCTERMS })
    .ele("rdf:Description", { "rdf:about": escaped(url) });
  for (const [term, text] of Object.entries({
    title,
    creator: author,
    description,
    language,
    rights,
  })) {
    if (text !== undefined) about.ele(`dcterms:${term}`).txt(escaped(text));
  }
  return `${document.end({ prettyPrint: true })}\n`;
}

/** The description of a collection of a site that has moved. */
export function moveAbout(about: string, from: string, to: string): string {
  return from === to
    ? about
    : about.replace(`rdf:about="${escaped(from)}`, () => `rdf:about="${escaped(to)}`);
}

/** xmlbuilder2 leaves what looks like a reference as it is: `&amp;` in a title would be lost. */
function escaped(text: string): string {
  return replaceIllegalCharacters(text).replaceAll("&", "&amp;");
}
