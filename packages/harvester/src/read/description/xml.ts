import { SaxesParser, type SaxesTagNS } from "saxes";
import { DESCRIPTION_LIMITS } from "./description-cache.ts";

/** An element of a small document that is held whole. */
export interface XmlElement {
  readonly namespace: string;
  readonly name: string;
  /** By namespace and name, `{namespace}name`. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly nodes: readonly (XmlElement | string)[];
}

/** A text that is no XML, or none that is read. */
export class XmlError extends Error {}

interface Growing extends XmlElement {
  readonly nodes: (XmlElement | string)[];
}

const XML = "http://www.w3.org/XML/1998/namespace";

/**
 * Parses a small document.
 *
 * @throws {XmlError} where it is not well-formed, too deep, or has a DOCTYPE: entities make it huge
 */
export function parseXml(text: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true });
  const open: Growing[] = [];
  let root: XmlElement | undefined;
  const add = (node: XmlElement | string) => open.at(-1)?.nodes.push(node);
  parser.on("error", ({ message }) => refuse(message));
  parser.on("doctype", () => refuse("a DOCTYPE is not accepted"));
  parser.on("opentag", (tag) => {
    if (open.length >= DESCRIPTION_LIMITS.depth) refuse("its elements are nested too deep");
    const element = elementOf(tag);
    add(element);
    root ??= element;
    open.push(element);
  });
  parser.on("closetag", () => void open.pop());
  parser.on("text", add);
  parser.on("cdata", add);
  parser.write(text).close();
  return root ?? refuse("it is empty");
}

/** The elements within an element. */
export function children({ nodes }: XmlElement): XmlElement[] {
  return nodes.filter((node) => typeof node !== "string");
}

/** All text within an element. */
export function textOf({ nodes }: XmlElement): string {
  return nodes.map((node) => (typeof node === "string" ? node : textOf(node))).join("");
}

/** The language of an element's text, where it says so itself. */
export function languageOf({ attributes }: XmlElement): string | undefined {
  return attributes.get(`{${XML}}lang`);
}

function elementOf({ uri, local, attributes }: SaxesTagNS): Growing {
  const named = Object.values(attributes).map((one): [string, string] => [
    `{${one.uri}}${one.local}`,
    one.value,
  ]);
  return { namespace: uri, name: local, attributes: new Map(named), nodes: [] };
}

function refuse(problem: string): never {
  throw new XmlError(problem);
}
