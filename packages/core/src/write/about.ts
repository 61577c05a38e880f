/** Writes descriptions by xmlbuilder2. Load this file only where one is written anew: few runs do. */
import { DCTERMS, replaceIllegalCharacters } from "@rs-emit/documents";
import { create } from "xmlbuilder2";
import { TERMS } from "../model/about.ts";
import type { Collection } from "../model/collections.ts";
import { GENERATOR } from "../model/layout.ts";

const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

/** Dublin Core terms in RDF/XML, the target of `describedby` (IFCC-0001). */
export function composeAbout(collection: Collection & { readonly title: string }): string {
  const { url, title, author, description, language, rights } = collection;
  const document = create({ version: "1.0", encoding: "UTF-8" }).com(GENERATOR);
  const about = document
    .ele("rdf:RDF", { "xmlns:rdf": RDF, "xmlns:dcterms": DCTERMS })
    .ele("rdf:Description", { "rdf:about": escapedText(url) });
  const words = { title, author, description, language, rights };
  for (const [term, name] of TERMS) {
    const text = words[name];
    if (text !== undefined) about.ele(term).txt(escapedText(text));
  }
  return `${document.end({ prettyPrint: true })}\n`;
}

/** xmlbuilder2 does not escape text like a reference: `&amp;` in a title would be lost. */
function escapedText(text: string): string {
  return replaceIllegalCharacters(text).replaceAll("&", "&amp;");
}
