import type { Description } from "../../model.ts";
import { resolveUrl } from "../place.ts";
import { descriptionOf } from "./draft.ts";
import { children, textOf, type XmlElement } from "./xml.ts";

export const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

const DUBLIN_CORE = new Set(["http://purl.org/dc/terms/", "http://purl.org/dc/elements/1.1/"]);

/** Names of a person or organization in a nested element. */
const NAMES = new Set([
  "http://xmlns.com/foaf/0.1/ name",
  "http://www.w3.org/2000/01/rdf-schema# label",
  "http://www.w3.org/2006/vcard/ns# fn",
  "https://schema.org/ name",
  "http://schema.org/ name",
  `${RDF} value`,
]);

type Statements = Map<string, string[]>;

/** Dublin Core in RDF/XML or other XML. Without `about`, the first subject counts. */
export function describeRdf(
  root: XmlElement,
  about: string,
  base: string,
): Description | undefined {
  const subjects = new Map<string, Statements>();
  collect(root, "", base, subjects);
  const own = [...subjects].find(([subject]) => isSame(subject, about))?.[1];
  const titled = [...subjects.values()].find((statements) => statements.has("title"));
  const said = own ?? titled ?? [...subjects.values()][0];
  if (said === undefined) return undefined;
  const all = (...terms: readonly string[]) => terms.flatMap((term) => said.get(term) ?? []);
  return descriptionOf({
    titles: all("title"),
    authors: all("creator"),
    summaries: all("description", "abstract"),
    languages: all("language"),
    rights: all("rights", "license", "rightsHolder"),
  });
}

function collect(
  node: XmlElement,
  outer: string,
  base: string,
  subjects: Map<string, Statements>,
): void {
  const named = node.attributes.get(`{${RDF}}about`);
  const subject = named === undefined ? outer : (resolveUrl(named, base) ?? named);
  for (const [name, value] of node.attributes) {
    const [, namespace = "", term = ""] = /^\{(.*)\}(.*)$/.exec(name) ?? [];
    if (DUBLIN_CORE.has(namespace)) state(subjects, subject, term, [value]);
  }
  for (const child of children(node)) {
    if (DUBLIN_CORE.has(child.namespace)) state(subjects, subject, child.name, valuesOf(child));
    else collect(child, subject, base, subjects);
  }
}

function state(
  subjects: Map<string, Statements>,
  subject: string,
  term: string,
  values: readonly string[],
): void {
  const statements: Statements = subjects.get(subject) ?? new Map();
  subjects.set(subject, statements);
  const known = statements.get(term) ?? [];
  statements.set(term, known);
  for (const value of values) known.push(value);
}

function valuesOf(property: XmlElement): string[] {
  const items = descendants(property, ({ namespace, name }) => namespace === RDF && name === "li");
  if (items.length > 0) return items.flatMap(valuesOf);
  const [name] = descendants(property, (one) => NAMES.has(`${one.namespace} ${one.name}`));
  const text = textOf(name ?? property).trim();
  return [text === "" ? (property.attributes.get(`{${RDF}}resource`) ?? "") : text];
}

function descendants(
  element: XmlElement,
  isWanted: (element: XmlElement) => boolean,
): XmlElement[] {
  return children(element).flatMap((child) =>
    isWanted(child) ? [child] : descendants(child, isWanted),
  );
}

function isSame(one: string, other: string): boolean {
  const plain = (url: string) => url.replace(/^https?:|\/$/g, "");
  return plain(one) === plain(other);
}
