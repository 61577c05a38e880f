import { replaceIllegalCharacters } from "@rs-emit/documents";
import { create } from "xmlbuilder2";
import type { XMLBuilder } from "xmlbuilder2/lib/interfaces.js";

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

/** An element: its texts are texts, whatever they look like. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: readonly (Element | string)[];
}

type Attributes = Readonly<Record<string, string | undefined>>;

/** An element without the attributes and contents that are `undefined`. */
export function element(
  name: string,
  attributes: Attributes = {},
  content: readonly (Element | string | undefined)[] = [],
): Element {
  const given: Record<string, string> = {};
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined) given[key] = value;
  return { name, attributes: given, content: content.filter((part) => part !== undefined) };
}

/**
 * A document of bounded size. Elements that hold elements only are indented; where there is text
 * beside them, no blank is added, since it would be read.
 */
export function documentOf(root: Element): string {
  const document = create();
  append(document, root, "\n");
  return `${DECLARATION}\n${document.end({ headless: true })}\n`;
}

/** @param indent the line break and blanks before the element, or nothing amid text */
function append(parent: XMLBuilder, { name, attributes, content }: Element, indent: string): void {
  const node = parent.ele(name);
  for (const [key, value] of Object.entries(attributes)) node.att(key, escaped(value));
  const isMixed = content.some((part) => typeof part === "string");
  const inner = isMixed || indent === "" ? "" : `${indent}  `;
  for (const part of content) {
    if (inner !== "") node.txt(inner);
    if (typeof part === "string") node.txt(escaped(part));
    else append(node, part, inner);
  }
  if (inner !== "" && content.length > 0) node.txt(indent);
}

/** xmlbuilder2 leaves what looks like a reference as it is: `&amp;` in a title would be lost. */
function escaped(text: string): string {
  return replaceIllegalCharacters(text).replaceAll("&", "&amp;");
}
