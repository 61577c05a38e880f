import { escapeText, replaceIllegalCharacters } from "@rs-emit/documents";

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

/** Strings are text, never markup. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | undefined>>;
  readonly content: readonly (Element | string | undefined)[];
}

/** Leaves out attributes and content that are `undefined`. */
export function element(
  name: string,
  attributes: Element["attributes"] = {},
  content: Element["content"] = [],
): Element {
  return { name, attributes, content };
}

/** For documents of limited size. xmlbuilder2 took 0.7 s and 360 MB for the largest feed. */
export function documentOf(root: Element, comment?: string): string {
  const remark = comment === undefined ? "" : `<!--${comment}-->\n`;
  return `${DECLARATION}\n${remark}${replaceIllegalCharacters(written(root, "\n"))}\n`;
}

/** XML that is HTML as well. White space between its blocks separates words when tags are removed. */
export function markupOf(parts: readonly (Element | undefined)[]): string {
  return parts.flatMap((part) => (part === undefined ? [] : written(part, "\n"))).join("\n");
}

/** @param indent empty amid text */
function written({ name, attributes, content }: Element, indent: string): string {
  let tag = `<${name}`;
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined) tag += ` ${key}="${escapeText(value, /[&<"\t\n\r]/g)}"`;
  const isMixed = content.some((part) => typeof part === "string");
  const inner = isMixed || indent === "" ? "" : `${indent}  `;
  let text = "";
  for (const part of content) {
    if (part === undefined) continue;
    text += inner;
    text += typeof part === "string" ? escapeText(part, /[&<>\r]/g) : written(part, inner);
  }
  return text === "" ? `${tag}/>` : `${tag}>${text}${inner === "" ? "" : indent}</${name}>`;
}
