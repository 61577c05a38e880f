import { TextDecoder } from "node:util";
import { lineOf } from "@rs-emit/feeds";
import type { Description } from "../../model.ts";
import { ATOM, describeAtom, describeHtml, describeRdf, type Statement } from "./formats.ts";
import { parseXml } from "./xml.ts";

/** Lengths in UTF-16 code units. */
const LIMITS = { title: 300, author: 100, authors: 10, summary: 2_000, rights: 500 } as const;

export interface Described {
  readonly about: string;
  readonly base: string;
}

/**
 * What a document says of a collection or a site: Dublin Core in XML, else a page, else an Atom feed. `undefined`
 * without title, authors and summary. Throws {@link UnreadableError} otherwise.
 */
export function understand(bytes: Uint8Array, described: Described): Description | undefined {
  const stated = statementIn(decode(bytes), described);
  return stated === undefined ? undefined : descriptionOf(stated);
}

function statementIn(text: string, { about, base }: Described): Statement | undefined {
  if (isPage(text)) return describeHtml(text);
  const root = parseXml(text, base);
  const isFeed = root.namespace === ATOM && root.name === "feed";
  return isFeed ? describeAtom(root) : describeRdf(root, about, base);
}

function descriptionOf(stated: Statement): Description | undefined {
  const title = first(stated.titles, LIMITS.title);
  const summary = first(stated.summaries, LIMITS.summary);
  const authors = stated.authors.map((name) => lineOf(name, LIMITS.author)).filter(Boolean);
  if (title === undefined && summary === undefined && authors.length === 0) return undefined;
  return {
    title,
    authors: [...new Set(authors)].slice(0, LIMITS.authors),
    summary,
    language: stated.languages.map(languageTag).find((tag) => tag !== undefined),
    rights: first(stated.rights, LIMITS.rights),
  };
}

function first(texts: readonly (string | undefined)[], most: number): string | undefined {
  return texts.map((text = "") => lineOf(text, most)).find((line) => line !== "");
}

function languageTag(text: string | undefined): string | undefined {
  try {
    return Intl.getCanonicalLocales(text?.trim())[0];
  } catch {
    return undefined;
  }
}

const PAGE = /\s*<(?:!doctype\s+html|html|head|title|body)\b/iy;

const PREAMBLE = /\s*(?:<\?xml[^>]*\?>|<!--[\s\S]*?-->)/y;

/** Loops over pieces: one pattern for all would backtrack. */
function isPage(text: string): boolean {
  PREAMBLE.lastIndex = 0;
  let start = 0;
  while (PREAMBLE.test(text)) start = PREAMBLE.lastIndex;
  PAGE.lastIndex = start;
  return PAGE.test(text);
}

const DECLARED =
  /^[^>]{0,200}?\bencoding\s*=\s*["']([\w.:-]+)["']|<meta[^>]+\bcharset\s*=\s*["']?([\w.:-]+)/i;

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
