import { SaxesParser, type SaxesTagNS } from "saxes";
import { resolveUrl } from "../address.ts";
import { unreadableError } from "./errors.ts";
import { readHtml } from "./html.ts";

/** What a document states, as it is written there; the first value of several counts. */
export interface StatedDescription {
  readonly titles: readonly (string | undefined)[];
  readonly authors: readonly string[];
  readonly summaries: readonly string[];
  readonly languages: readonly (string | undefined)[];
  readonly rights: readonly string[];
}

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

type Terms = Map<string, string[]>;

/** Dublin Core in RDF/XML or other XML. Without `about`, the first subject counts. */
export function describeRdf(
  root: XmlElement,
  about: string,
  base: string,
): StatedDescription | undefined {
  const subjects = new Map<string, Terms>();
  collect(root, "", base, subjects);
  const own = [...subjects].find(([subject]) => isSame(subject, about))?.[1];
  const titled = [...subjects.values()].find((terms) => terms.has("title"));
  const said = own ?? titled ?? [...subjects.values()][0];
  if (said === undefined) return undefined;
  const all = (...terms: readonly string[]) => terms.flatMap((term) => said.get(term) ?? []);
  return {
    titles: all("title"),
    authors: all("creator"),
    summaries: all("description", "abstract"),
    languages: all("language"),
    rights: all("rights", "license", "rightsHolder"),
  };
}

function collect(
  node: XmlElement,
  outer: string,
  base: string,
  subjects: Map<string, Terms>,
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
  subjects: Map<string, Terms>,
  subject: string,
  term: string,
  values: readonly string[],
): void {
  const terms: Terms = subjects.get(subject) ?? new Map();
  subjects.set(subject, terms);
  const known = terms.get(term) ?? [];
  terms.set(term, known);
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

export const ATOM = "http://www.w3.org/2005/Atom";

/** RFC 4287, section 4.1.1. */
export function describeAtom(feed: XmlElement): StatedDescription {
  const all = (parent: XmlElement, name: string) =>
    children(parent).filter((child) => child.namespace === ATOM && child.name === name);
  const names = all(feed, "author").flatMap((author) => all(author, "name"));
  return {
    titles: all(feed, "title").map(textConstruct),
    authors: names.map(textOf),
    summaries: all(feed, "subtitle").map(textConstruct),
    languages: [languageOf(feed)],
    rights: all(feed, "rights").map(textConstruct),
  };
}

/** Plain text, or the text of markup (RFC 4287, section 3.1). */
function textConstruct(element: XmlElement): string {
  const text = textOf(element);
  return element.attributes.get("{}type") === "html" ? htmlToText(text) : text;
}

/** From `title`, `meta` and `lang` (HTML, section 4.2). */
export function describeHtml(html: string): StatedDescription {
  const metas = new Map<string, string[]>();
  let title: string | undefined;
  let language: string | undefined;
  let drawings = 0;
  let isInTitle = false;
  readHtml(html, {
    onopentag(tag, { name = "", property = "", content, lang }) {
      // An SVG has titles of its own.
      if (tag === "svg") drawings += 1;
      if (tag === "html") language ??= lang;
      if (tag === "title" && drawings === 0 && title === undefined) {
        isInTitle = true;
        title = "";
      }
      if (tag !== "meta" || content === undefined) return;
      const key = (name || property).toLowerCase();
      const contents = metas.get(key);
      if (contents === undefined) metas.set(key, [content]);
      else contents.push(content);
    },
    ontext(text) {
      if (isInTitle) title += text;
    },
    onclosetag(tag) {
      if (tag === "svg") drawings -= 1;
      if (tag === "title") isInTitle = false;
    },
  });
  const all = (...names: readonly string[]) => names.flatMap((name) => metas.get(name) ?? []);
  return {
    titles: [title, ...all("og:site_name", "og:title")],
    authors: all("author"),
    summaries: all("description", "og:description"),
    languages: [language],
    rights: all("rights", "copyright"),
  };
}

function htmlToText(html: string): string {
  let text = "";
  readHtml(html, {
    ontext(part) {
      text += part;
    },
  });
  return text;
}

export interface XmlElement {
  readonly namespace: string;
  readonly name: string;
  /** By `{namespace}name`. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly nodes: readonly (XmlElement | string)[];
}

interface Growing extends XmlElement {
  readonly nodes: (XmlElement | string)[];
}

const XML = "http://www.w3.org/XML/1998/namespace";

/** Nested elements. */
const DEPTH = 64;

/** Throws {@link HarvestError}, also for a DOCTYPE, whose entities could expand without end. */
export function parseXml(text: string, url: string): XmlElement {
  const refuse = (problem: string): never => {
    throw unreadableError(url, `is no description that can be read: ${problem}`);
  };
  const parser = new SaxesParser({ xmlns: true });
  const open: Growing[] = [];
  let root: XmlElement | undefined;
  const add = (node: XmlElement | string) => open.at(-1)?.nodes.push(node);
  parser.on("error", ({ message }) => refuse(message));
  parser.on("doctype", () => refuse("a DOCTYPE is not accepted"));
  parser.on("opentag", (tag) => {
    if (open.length >= DEPTH) refuse("its elements are nested too deep");
    const element = elementOf(tag);
    add(element);
    root ??= element;
    open.push(element);
  });
  parser.on("closetag", () => void open.pop());
  parser.on("text", add);
  parser.on("cdata", add);
  // Some hosts send a line end before the XML declaration.
  parser.write(text.replace(/^[ \t\r\n]+/, "")).close();
  return root ?? refuse("it is empty");
}

export function children({ nodes }: XmlElement): XmlElement[] {
  return nodes.filter((node) => typeof node !== "string");
}

export function textOf({ nodes }: XmlElement): string {
  return nodes.map((node) => (typeof node === "string" ? node : textOf(node))).join("");
}

function languageOf({ attributes }: XmlElement): string | undefined {
  return attributes.get(`{${XML}}lang`);
}

function elementOf({ uri, local, attributes }: SaxesTagNS): Growing {
  const named = Object.values(attributes).map((one): [string, string] => [
    `{${one.uri}}${one.local}`,
    one.value,
  ]);
  return { namespace: uri, name: local, attributes: new Map(named), nodes: [] };
}
