import type { Reader } from "./reader.ts";
import cost from "./readers/cost.ts";
import html from "./readers/html.ts";
import site from "./readers/site.ts";
import text from "./readers/text.ts";
import xml from "./readers/xml.ts";
import zip from "./readers/zip.ts";

/** The readers by their names. Each is the default export of a module, which a thread can import. */
export const READERS: Readonly<Record<string, Reader>> = { xml, html, zip, text, site, cost };

export function moduleOf(name: string): string {
  return new URL(`readers/${name}.ts`, import.meta.url).href;
}
