import { SaxesParser } from "saxes";

/** An element as an XML parser with namespaces understands it. */
export interface XmlElement {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

interface OpenElement extends XmlElement {
  readonly children: (XmlElement | string)[];
}

const XHTML = "http://www.w3.org/1999/xhtml";

/** Parses a document, HTML in it as well, and throws where either is not well-formed. */
export function parseXml(text: string): XmlElement {
  const parser = new SaxesParser<{ xmlns: true }>({ xmlns: true });
  const top: OpenElement = { name: "", namespace: "", attributes: {}, children: [] };
  const open = [top];
  parser.on("opentag", ({ local, uri, attributes }) => {
    const values = Object.values(attributes).map(({ name, value }) => [name, value]);
    const element = {
      name: local,
      namespace: uri,
      attributes: Object.fromEntries(values),
      children: [],
    };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("text", (data) => open.at(-1)?.children.push(data));
  parser.on("closetag", () => {
    const element = open.pop();
    if (element?.name !== "content" || element.attributes.type !== "html") return;
    const html = element.children.splice(0).join("");
    element.children.push(parseXml(`<div xmlns="${XHTML}">${html}</div>`));
  });
  parser.write(text).close();
  const root = childrenOf(top)[0];
  if (root === undefined) throw new Error("a document has a root");
  return root;
}

/** The elements right below an element, all or those with a name. */
export function childrenOf(element: XmlElement, name?: string): XmlElement[] {
  return element.children.filter(
    (child): child is XmlElement =>
      typeof child !== "string" && (name === undefined || child.name === name),
  );
}

/** The elements anywhere below an element, in document order. */
export function descendantsOf(element: XmlElement, name?: string): XmlElement[] {
  return childrenOf(element).flatMap((child) => [
    ...(name === undefined || child.name === name ? [child] : []),
    ...descendantsOf(child, name),
  ]);
}

/** The first element with a name right below an element. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element === undefined ? undefined : childrenOf(element, name)[0];
}

/** The text of an element, with blanks as a reader shows them. */
export function textOf(element: XmlElement | undefined): string {
  return rawTextOf(element).replace(/\s+/g, " ").trim();
}

/** The `href` of the first link with a relation. */
export function hrefOf(element: XmlElement | undefined, rel: string): string | undefined {
  const links = element === undefined ? [] : childrenOf(element, "link");
  return links.find(({ attributes }) => attributes.rel === rel)?.attributes.href;
}

function rawTextOf(element: XmlElement | undefined): string {
  if (element === undefined) return "";
  return element.children
    .map((child) => {
      if (typeof child === "string") return child;
      return child.name === "br" ? "\n" : rawTextOf(child);
    })
    .join("");
}
