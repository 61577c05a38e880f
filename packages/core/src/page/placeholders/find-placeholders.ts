import { decodeHTML, decodeHTMLAttribute } from "entities/decode";
import type { ByteSpan, DateMark, PageMarks, Region } from "../../model/page-marks.ts";
import { IN_HEAD } from "../elements.ts";
import { type PageHandler, PageParser } from "../page-parser.ts";
import {
  bodyStart,
  CHANGES,
  copied,
  latin1,
  markedPlaces,
  mayBeMarked,
  plainRest,
} from "./placeholder-search.ts";

/** This attribute is on every element that rs-emit inserts or fills. */
export const MARK = "data-rs-emit";

const UPDATED = "updated";

export const LINK = "link";

const DEFAULT_LIMIT = 10;
/** The number of changes. */
export const LONGEST_LIST = 100;

/** Bytes that differ from ASCII in some charset: UTF-16, ISO-2022-JP. */
const NOT_ASCII = [0x00, 0x0e, 0x0f, 0x1b];

/** White space, perhaps after a byte order mark, does not end a head. */
const NO_TEXT = /^(?:\u00ef\u00bb\u00bf)?[\t\n\f\r ]*$/;

const NOT_PLAIN = /[^ !#-%'-;=?-~]/gu;

/** Only pages whose charset extends ASCII get insertions. */
export function isWritable(bytes: Uint8Array): boolean {
  return !NOT_ASCII.some((byte) => bytes.includes(byte));
}

/** The result keeps nothing of the page alive. */
export function findMarks(bytes: Uint8Array, xhtml: boolean): PageMarks {
  // With one character for each byte, text offsets are byte offsets.
  const text = latin1(bytes);
  const finder = new MarkFinder(text);
  // The parser skips plain text only where it decodes nothing: this halves its time.
  const options = { recognizeSelfClosing: xhtml, recognizeCDATA: xhtml, decodeEntities: false };
  finder.read(new PageParser(finder, options), text, xhtml);
  const { regions, dates, unfit, ownLinks, isLinked, headEnd } = finder;
  const feeds = finder.feeds.map(copied);
  const base = finder.base === undefined ? undefined : copied(finder.base);
  return { regions, dates, unfit, ownLinks, isLinked, feeds, base, headEnd };
}

interface Marked {
  readonly region: Region | undefined;
  readonly date: number | undefined;
}

const NOT_MARKED: Marked = { region: undefined, date: undefined };

interface OpenElement extends Marked {
  readonly start: number;
}

class MarkFinder implements PageMarks, PageHandler {
  readonly regions: Region[] = [];
  readonly dates: DateMark[] = [];
  unfit = 0;
  readonly ownLinks: ByteSpan[] = [];
  isLinked = false;
  readonly feeds: string[] = [];
  base: string | undefined;
  headEnd: number;
  #parser: PageParser | undefined;
  readonly #open: OpenElement[] = [];
  /** Marks within a marked element are its contents. */
  #isInMark = false;
  #isHead = true;
  #headDepth = 0;
  /** The number of open templates: their contents are not part of the page. */
  #templates = 0;
  #bodyStart: number | undefined;
  /** Offset of the last possible mark; parsing ends after it. */
  #last = -1;

  constructor(text: string) {
    // An implied head begins after the byte order mark and anything before the first element.
    this.headEnd = text.startsWith("\u00ef\u00bb\u00bf") ? 3 : 0;
  }

  read(parser: PageParser, text: string, isXhtml: boolean): void {
    this.#parser = parser;
    const marks = markedPlaces(text);
    this.#last = marks.at(-1) ?? -1;
    const start = isXhtml ? undefined : bodyStart(text);
    if (start !== undefined) parser.write(text.slice(0, start));
    const rest = start !== undefined && start === this.#bodyStart && plainRest(text, start, marks);
    parser.write(rest || text.slice(start));
    // No end tag follows any more.
    if (this.#isInMark) this.unfit += 1;
  }

  get #isInHead(): boolean {
    return this.#isHead && this.#templates === 0;
  }

  get depth(): number {
    return this.#open.length;
  }

  onprocessinginstruction(): void {
    if (this.#isHead && this.#open.length === 0) this.headEnd = this.#end;
  }

  onopentag(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#isHead && this.#templates === 0) this.#openInHead(name);
    if (name === "body" && this.#templates === 0) this.#bodyStart ??= this.#end;
    if (name === "template") this.#templates += 1;
    const isTaken = !this.#isInMark && (name === "link" || name === "base" || MARK in attributes);
    const { region, date } = isTaken ? this.#take(name, decodedValues(attributes)) : NOT_MARKED;
    if (region !== undefined || date !== undefined) this.#isInMark = true;
    this.#open.push({ start: this.#start, region, date });
  }

  #take(name: string, attributes: Readonly<Record<string, string>>): Marked {
    if (name === "link") this.#takeLink(attributes);
    else if (name === "base" && this.#isInHead) this.base ??= attributes.href;
    const mark = attributes[MARK]?.toLowerCase();
    return {
      region: mark === CHANGES ? this.#regionOf(name, attributes) : undefined,
      date: mark === UPDATED ? this.#dateOf(name) : undefined,
    };
  }

  #dateOf(name: string): number | undefined {
    if (name === "time") return this.#end;
    this.unfit += 1;
    return undefined;
  }

  #openInHead(name: string): void {
    if (name === "html" || name === "head") {
      this.headEnd = this.#end;
      this.#headDepth = this.#open.length + 1;
    } else if (this.#open.length <= this.#headDepth && !IN_HEAD.has(name)) {
      if (name === "body") this.headEnd = this.#start;
      this.#endHead();
    }
  }

  ontext(data: string): void {
    const isInHead = this.#isHead && this.#open.length <= this.#headDepth;
    if (isInHead && !NO_TEXT.test(decodeHTML(data))) this.#endHead();
  }

  onclosetag(name: string, isImplied: boolean): void {
    const closed = this.#open.pop();
    if (closed === undefined) return;
    if (name === "template") this.#templates -= 1;
    if (this.#isHead && this.#templates === 0) this.#closeInHead(name, isImplied, closed);
    const { region, date, start } = closed;
    if (region === undefined && date === undefined) return;
    this.#isInMark = false;
    if (isImplied || this.#start < (date ?? 0)) this.unfit += 1;
    else if (region !== undefined) this.regions.push({ ...region, end: this.#start });
    else if (date !== undefined) {
      this.dates.push({ start, end: this.#end, inner: { start: date, end: this.#start } });
    }
    this.#stopAfterLast();
  }

  #closeInHead(name: string, isImplied: boolean, { start }: OpenElement): void {
    if (name === "head") {
      this.headEnd = this.#start;
      this.#endHead();
      // An empty or self-closing element ends where it began.
    } else if (this.#open.length <= this.#headDepth && (!isImplied || start === this.#start)) {
      this.headEnd = this.#end;
    }
  }

  #endHead(): void {
    this.#isHead = false;
    this.#stopAfterLast();
  }

  #stopAfterLast(): void {
    if (!this.#isHead && !this.#isInMark && this.#start > this.#last) this.#parser?.pause();
  }

  #takeLink(attributes: Readonly<Record<string, string>>): void {
    const { rel = "", href } = attributes;
    const relations = rel.toLowerCase().split(/\s+/);
    if (attributes[MARK] === LINK) this.ownLinks.push({ start: this.#start, end: this.#end });
    // Browsers and harvesters read links only in the head.
    else if (!this.#isInHead) return;
    else if (relations.includes("resourcesync")) this.isLinked = true;
    else if (relations.includes("alternate") && href !== undefined) this.feeds.push(href);
  }

  #regionOf(name: string, attributes: Readonly<Record<string, string>>): Region | undefined {
    if (name === "ul" || name === "ol") {
      const limit = limitOf(attributes["data-limit"]);
      const hasQuotes = attributes["data-quotes"]?.trim().toLowerCase() !== "off";
      return { start: this.#end, end: this.#end, limit, hasQuotes };
    }
    this.unfit += 1;
    return undefined;
  }

  get #start(): number {
    return this.#parser?.startIndex ?? 0;
  }

  get #end(): number {
    return (this.#parser?.endIndex ?? -1) + 1;
  }
}

function decodedValues(
  attributes: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const values = Object.entries(attributes);
  return Object.fromEntries(values.map(([name, value]) => [name, decodeHTMLAttribute(value)]));
}

function limitOf(value: string | undefined): number {
  const number = /^\s*[1-9]\d*\s*$/.test(value ?? "") ? Number(value) : DEFAULT_LIMIT;
  return Math.min(number, LONGEST_LIST);
}

export interface Replacement extends ByteSpan {
  readonly text: string;
}

export function replaced(bytes: Uint8Array, replacements: readonly Replacement[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let last = 0;
  for (const { start, end, text } of replacements.toSorted((a, b) => a.start - b.start)) {
    pieces.push(bytes.subarray(last, start), Buffer.from(text, "latin1"));
    last = end;
  }
  return Buffer.concat([...pieces, bytes.subarray(last)]);
}

/** The page without rs-emit's insertions, for comparison. */
export function withoutInsertions(bytes: Uint8Array, xhtml: boolean): Uint8Array {
  if (!mayBeMarked(bytes) || !isWritable(bytes)) return bytes;
  return withoutMarks(bytes, findMarks(bytes, xhtml));
}

export type MarkedSpans = Pick<PageMarks, "regions" | "dates" | "ownLinks">;

export const NO_MARKS: MarkedSpans = { regions: [], dates: [], ownLinks: [] };

/** The page without the contents of its marks. A marked date is removed with its tags. */
export function withoutMarks(
  bytes: Uint8Array,
  { regions, dates, ownLinks }: MarkedSpans,
): Uint8Array {
  const spans = [...regions, ...dates, ...ownLinks];
  if (spans.length === 0) return bytes;
  return replaced(
    bytes,
    spans.map(({ start, end }) => ({ start, end, text: "" })),
  );
}

export function isXhtml(file: string): boolean {
  return /\.xhtml$/i.test(file);
}

/** Escapes for HTML and XHTML, in ASCII, which nearly every charset extends. */
export function asciiText(text: string): string {
  return text.replace(NOT_PLAIN, (character) => `&#${character.codePointAt(0)};`);
}

export function attribute(name: string, value: string): string {
  return ` ${name}="${asciiText(value)}"`;
}
