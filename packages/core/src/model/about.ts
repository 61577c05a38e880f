import { DCTERMS, escapeText } from "@rs-emit/documents";
import { documentOf, element } from "@rs-emit/feeds";
import { SaxesParser } from "saxes";
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
  const words = { title, author, description, language, rights };
  const terms = [...TERMS].map(([term, name]) => {
    const text = words[name];
    return text === undefined ? undefined : element(term, {}, [text]);
  });
  const about = element("rdf:Description", { "rdf:about": url }, terms);
  const namespaces = { "xmlns:rdf": RDF, "xmlns:dcterms": DCTERMS };
  return documentOf(element("rdf:RDF", namespaces, [about]), GENERATOR);
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
