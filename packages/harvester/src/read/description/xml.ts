import { SaxesParser, type SaxesTagNS } from "saxes";
import { UnreadableError } from "../errors.ts";

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

/** Throws {@link UnreadableError}, also for a DOCTYPE, whose entities could expand without end. */
export function parseXml(text: string, url: string): XmlElement {
  const refuse = (problem: string): never => {
    throw new UnreadableError(url, `is no description that can be read: ${problem}`);
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
  parser.write(text).close();
  return root ?? refuse("it is empty");
}

export function children({ nodes }: XmlElement): XmlElement[] {
  return nodes.filter((node) => typeof node !== "string");
}

export function textOf({ nodes }: XmlElement): string {
  return nodes.map((node) => (typeof node === "string" ? node : textOf(node))).join("");
}

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
