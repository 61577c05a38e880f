import { type Handler, Parser } from "htmlparser2";

/** The attribute on everything that rs-emit writes into a page, or fills. */
export const MARK = "data-rs-emit";

const CHANGES = "changes";

export const LINK = "link";

const DEFAULT_LIMIT = 10;
const MOST = 100;

/** Bytes that differ from ASCII in some charset: UTF-16, ISO-2022-JP. */
const NOT_ASCII = [0x00, 0x0e, 0x0f, 0x1b];

/** HTML standard, "Metadata content". */
const IN_HEAD = new Set("base link meta noscript script style template title".split(" "));

/** White space, perhaps after a byte order mark, does not end a head. */
const NO_TEXT = /^(?:\u00ef\u00bb\u00bf)?[\t\n\f\r ]*$/;

const NOT_PLAIN = /[^ !#-%'-;=?-~]/gu;

/** Byte offsets in the page. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Region extends Span {
  readonly limit: number;
}

export interface PageMarks {
  readonly regions: readonly Region[];
  /** How many lists cannot be filled: not list elements, or without an end tag. */
  readonly unfit: number;
  readonly ownLinks: readonly Span[];
  readonly isLinked: boolean;
  readonly feeds: readonly string[];
  readonly base: string | undefined;
  /** New links go before the end of the head. */
  readonly headEnd: number;
}

/** A quick test, which saves parsing most pages. */
export function mayBeMarked(bytes: Uint8Array): boolean {
  return asBuffer(bytes).includes(MARK);
}

/** Whether the page's charset extends ASCII; only such pages get insertions. */
export function isWritable(bytes: Uint8Array): boolean {
  return !NOT_ASCII.some((byte) => bytes.includes(byte));
}

export function findMarks(bytes: Uint8Array, xhtml: boolean): PageMarks {
  // With one character per byte, text offsets are byte offsets.
  const text = asBuffer(bytes).toString("latin1");
  const finder = new MarkFinder(text);
  const options = { recognizeSelfClosing: xhtml, recognizeCDATA: xhtml };
  finder.read(new Parser(finder, options), text, text.includes(MARK));
  return finder;
}

interface OpenElement {
  readonly start: number;
  readonly region: Region | undefined;
}

class MarkFinder implements PageMarks, Partial<Handler> {
  readonly regions: Region[] = [];
  unfit = 0;
  readonly ownLinks: Span[] = [];
  isLinked = false;
  readonly feeds: string[] = [];
  base: string | undefined;
  headEnd: number;
  #parser: Parser | undefined;
  readonly #open: OpenElement[] = [];
  #isInRegion = false;
  #isHead = true;
  #headDepth = 0;
  #isWhole = true;

  constructor(text: string) {
    // An implied head begins after the byte order mark and anything before the first element.
    this.headEnd = text.startsWith("\u00ef\u00bb\u00bf") ? 3 : 0;
  }

  read(parser: Parser, text: string, isWhole: boolean): void {
    this.#parser = parser;
    this.#isWhole = isWhole;
    parser.write(text);
    // No end tag follows any more.
    if (this.#isInRegion) this.unfit += 1;
  }

  onprocessinginstruction(): void {
    if (this.#isHead && this.#open.length === 0) this.headEnd = this.#end;
  }

  onopentag(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#isHead) this.#openInHead(name);
    const region = this.#isInRegion ? undefined : this.#take(name, attributes);
    if (region !== undefined) this.#isInRegion = true;
    this.#open.push({ start: this.#start, region });
  }

  #take(name: string, attributes: Readonly<Record<string, string>>): Region | undefined {
    if (name === "link") this.#takeLink(attributes);
    else if (name === "base" && this.#isHead) this.base ??= attributes.href;
    return attributes[MARK] === CHANGES ? this.#regionOf(name, attributes) : undefined;
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
    if (isInHead && !NO_TEXT.test(data)) this.#endHead();
  }

  onclosetag(name: string, isImplied: boolean): void {
    const closed = this.#open.pop();
    if (closed === undefined) return;
    if (this.#isHead) this.#closeInHead(name, isImplied, closed);
    const { region } = closed;
    if (region === undefined) return;
    this.#isInRegion = false;
    if (isImplied) this.unfit += 1;
    else this.regions.push({ ...region, end: this.#start });
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
    if (!this.#isWhole) this.#parser?.pause();
  }

  #takeLink(attributes: Readonly<Record<string, string>>): void {
    const { rel = "", href } = attributes;
    const relations = rel.toLowerCase().split(/\s+/);
    if (attributes[MARK] === LINK) this.ownLinks.push({ start: this.#start, end: this.#end });
    // Browsers and harvesters read links only in the head.
    else if (!this.#isHead) return;
    else if (relations.includes("resourcesync")) this.isLinked = true;
    else if (relations.includes("alternate") && href !== undefined) this.feeds.push(href);
  }

  #regionOf(name: string, attributes: Readonly<Record<string, string>>): Region | undefined {
    if (name === "ul" || name === "ol") {
      return { start: this.#end, end: this.#end, limit: limitOf(attributes["data-limit"]) };
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

function limitOf(value: string | undefined): number {
  const number = /^\s*[1-9]\d*\s*$/.test(value ?? "") ? Number(value) : DEFAULT_LIMIT;
  return Math.min(number, MOST);
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

export interface Replacement extends Span {
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
  const { regions, ownLinks } = findMarks(bytes, xhtml);
  if (regions.length + ownLinks.length === 0) return bytes;
  return replaced(
    bytes,
    [...regions, ...ownLinks].map(({ start, end }) => ({ start, end, text: "" })),
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
