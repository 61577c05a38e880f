import { TextDecoder } from "node:util";
import type { Description } from "../../model.ts";
import { UnreadableError } from "../errors.ts";
import { ATOM, describeAtom } from "./atom.ts";
import { describeHtml } from "./html.ts";
import { describeRdf } from "./rdf.ts";
import { parseXml, type XmlElement, XmlError } from "./xml.ts";

const PAGE = /\s*<(?:!doctype\s+html|html|head|title|body)\b/iy;

const PREAMBLE = /\s*(?:<\?xml[^>]*\?>|<!--[\s\S]*?-->)/y;

const DECLARED =
  /^[^>]{0,200}?\bencoding\s*=\s*["']([\w.:-]+)["']|<meta[^>]+\bcharset\s*=\s*["']?([\w.:-]+)/i;

export interface Described {
  readonly about: string;
  readonly base: string;
}

/** Dublin Core in XML, else a page, else an Atom feed. Throws {@link UnreadableError} otherwise. */
export function understand(bytes: Uint8Array, { about, base }: Described): Description | undefined {
  const text = decode(bytes);
  if (isPage(text)) return describeHtml(text);
  const root = xmlOf(text, base);
  if (root.namespace === ATOM && root.name === "feed") return describeAtom(root);
  return describeRdf(root, about, base);
}

/** Loops over pieces: one pattern for all would backtrack. */
function isPage(text: string): boolean {
  PREAMBLE.lastIndex = 0;
  let start = 0;
  while (PREAMBLE.test(text)) start = PREAMBLE.lastIndex;
  PAGE.lastIndex = start;
  return PAGE.test(text);
}

function xmlOf(text: string, url: string): XmlElement {
  try {
    return parseXml(text);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new UnreadableError(url, `is no description that can be read: ${error.message}`, error);
  }
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const beginning = new TextDecoder("latin1").decode(bytes.subarray(0, 1024));
  const [, inXml, inHtml] = DECLARED.exec(beginning) ?? [];
  return decoderOf(inXml ?? inHtml ?? "utf-8").decode(bytes);
}

function decoderOf(label: string): TextDecoder {
  try {
    // A declaration that can be read byte by byte is not UTF-16.
    return new TextDecoder(/^utf-?16/i.test(label) ? "utf-8" : label);
  } catch {
    return new TextDecoder();
  }
}
