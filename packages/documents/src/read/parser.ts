import { type SaxesAttributePlain, SaxesParser } from "saxes";
import {
  doctypeError,
  emptyDocumentError,
  encodingError,
  notSitemapError,
  notWellFormedError,
  type Position,
  readerLimitError,
  truncatedError,
} from "../errors.ts";
import { READ_LIMITS, type ReadLimits, type ReadOptions } from "../limits.ts";
import type { Entry } from "../model.ts";
import { AmpersandFinder } from "./ampersand.ts";
import { type Attribute, DocumentBuilder } from "./builder.ts";
import { Decoder } from "./decoder.ts";
import type { PassedOverNotes } from "./passed-over.ts";
import { Scope } from "./scope.ts";

const OPENING = 1024;
const COMMENT = /<!--[\s\S]*?-->\s*/y;
const HTML = /<(?:!doctype\s+html|html|head|body|title)\b/iy;
/** Only HTML allows other than upper case. */
const HTML_DOCTYPE = /^<!(?!DOCTYPE)[Dd][Oo][Cc][Tt][Yy][Pp][Ee]/;
const LONE_SURROGATE = /\p{Surrogate}/u;
const NO_ATTRIBUTES: readonly Attribute[] = [];

/** Parses a document piece by piece: bytes or text in, head and entries out. */
export class DocumentParser {
  readonly builder: DocumentBuilder;
  /** Kept only where it is set. */
  passedOver: PassedOverNotes | undefined;
  readonly #limits: ReadLimits & ReadOptions;
  readonly #decoder = new Decoder();
  readonly #sax = new SaxesParser({ position: false });
  readonly #scope = new Scope();
  readonly #ampersands = new AmpersandFinder();
  readonly #isPlain: boolean;
  readonly #path: string[] = [];
  #attributes: SaxesAttributePlain[] = [];
  #length = 0;
  /** The innermost element has ended, and the builder does not know yet. */
  #closed = false;
  /** Characters since the last event: what saxes holds of an unfinished token. */
  #held = 0;
  #opening = "";
  #bytes = 0;
  #ending = false;

  /** @param isPlain the root may be in any namespace */
  constructor(options: ReadOptions = {}, isPlain = false) {
    this.#isPlain = isPlain;
    this.#limits = { ...READ_LIMITS, ...options };
    this.builder = new DocumentBuilder(this.#limits, () => this.#place);
    // No more than seven: with an eighth V8 keeps the parser as a hash table, five times as slow.
    this.#sax.on("doctype", (text) => this.#doctype(text));
    this.#sax.on("attribute", (attribute) => this.#attribute(attribute));
    this.#sax.on("opentag", (tag) => this.#open(tag.name));
    this.#sax.on("closetag", () => this.#close());
    this.#sax.on("text", (text) => this.#text(text));
    this.#sax.on("cdata", (text) => this.#text(text));
    this.#sax.on("comment", (text) => this.#comment(text));
  }

  write(chunk: string | Uint8Array): void {
    const room = this.#limits.bytes - this.#bytes;
    this.#bytes += typeof chunk === "string" ? Buffer.byteLength(chunk) : chunk.length;
    if (typeof chunk === "string") this.#writeText(chunk);
    else this.#feed(this.#decoder.decode(chunk.subarray(0, room)));
    this.#checkEncoding();
    if (this.#bytes > this.#limits.bytes) this.#refuse("bytes");
  }

  end(): void {
    this.#feed(this.#decoder.end());
    this.#checkEncoding();
    this.#ending = true;
    this.#run(() => this.#sax.close());
  }

  /** @returns the entries that were completed since the last call */
  take(): Entry[] {
    const { entries } = this.builder;
    this.builder.entries = [];
    return entries;
  }

  get #place(): Position {
    return { line: this.#sax.line, column: Math.max(1, this.#sax.column) };
  }

  #writeText(text: string): void {
    const bad = text.search(LONE_SURROGATE);
    this.#feed(bad < 0 ? text : text.slice(0, bad));
    if (bad >= 0) this.#malformed("half a surrogate pair.");
  }

  #feed(given: string): void {
    const text = this.#opening === "" ? this.#begun(given) : given;
    if (text === "") return;
    if (this.#opening.length < OPENING) {
      this.#opening = (this.#opening + text).trimStart().slice(0, OPENING);
    }
    const place = { line: this.#sax.line, column: this.#sax.column };
    this.#ampersands.feed(text, place, this.#held === 0);
    this.#held += text.length;
    this.#run(() => this.#sax.write(text));
    this.#settle();
    // Limits what saxes holds without an event, such as a tag that never ends.
    if (this.#held > 2 * this.#limits.attribute + text.length) {
      this.#refuseAmpersand();
      this.#refuse("attribute");
    }
  }

  /** Without leading white space: some hosts send a line end before the XML declaration. */
  #begun(text: string): string {
    const begun = text.replace(/^[ \t\r\n]+/, "");
    const space = text.slice(0, text.length - begun.length);
    this.#sax.line += space.split("\n").length - 1;
    return begun;
  }

  #run(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "Error") throw error; // not saxes' own
      if (!error.message.startsWith("unexpected close tag")) this.#settle();
      this.#malformed(error.message);
    }
  }

  #attribute(attribute: SaxesAttributePlain): void {
    const { name, value } = attribute;
    this.#event();
    this.#length += name.length + value.length;
    this.#checkLength(this.#length);
    if (name === "xmlns") this.#declare("", value);
    else if (name.startsWith("xmlns:")) this.#declare(name.slice("xmlns:".length), value);
    else this.#attributes.push(attribute);
  }

  #declare(prefix: string, namespace: string): void {
    if (this.#scope.declare(this.#path.length + 1, prefix, namespace)) return;
    this.#malformed(`the prefix "${prefix}" is declared wrongly.`);
  }

  #open(qualified: string): void {
    this.#event();
    const depth = this.#path.push(qualified);
    if (depth === 1 && this.#isPlain) this.#scope.adopt(qualified);
    const name = this.#scope.element(qualified) ?? this.#undeclared(qualified);
    if (depth > this.#limits.depth) this.#refuse("depth");
    const described = name.known === "rs:md" || name.known === "rs:ln";
    const notes = this.passedOver;
    const attributes = described || notes !== undefined ? this.#resolved() : NO_ATTRIBUTES;
    this.builder.open(depth, name, attributes);
    notes?.open(depth, name, attributes, this.#sax.line);
    if (this.#attributes.length > 0) this.#attributes = [];
    this.#length = 0;
  }

  #resolved(): Attribute[] {
    const expanded: string[] = [];
    const attributes = this.#attributes.map((attribute): Attribute => {
      const { name: qualified, value } = attribute;
      if (!qualified.includes(":")) return attribute;
      const [namespace, name] = this.#scope.attribute(qualified) ?? this.#undeclared(qualified);
      expanded.push(`${namespace} ${name}`);
      return { namespace, name, value };
    });
    if (expanded.length > 1 && new Set(expanded).size < expanded.length) {
      this.#malformed("duplicate attribute by another prefix.");
    }
    return attributes;
  }

  #undeclared(qualified: string): never {
    this.#malformed(`the prefix of "${qualified.slice(0, 100)}" is not declared.`);
  }

  /** saxes reports an end before it compares the names, so the builder is informed one event later. */
  #close(): void {
    this.#event();
    this.#closed = true;
  }

  #text(text: string): void {
    this.#event();
    this.#checkLength(text.length);
    this.builder.text(this.#path.length, text);
    this.passedOver?.text(text, this.#sax.line);
  }

  #comment(text: string): void {
    this.#event();
    this.#checkLength(text.length);
    this.builder.comment(text);
  }

  #doctype(text: string): never {
    if (/^\s*html/i.test(text)) this.#html();
    throw doctypeError(this.#place);
  }

  #event(): void {
    this.#held = 0;
    this.#settle();
  }

  #settle(): void {
    if (!this.#closed) return;
    this.#closed = false;
    const depth = this.#path.length;
    this.builder.close(depth);
    this.passedOver?.close(depth);
    this.#scope.leave(depth);
    this.#path.pop();
  }

  #malformed(problem: string): never {
    const place = this.#place;
    const open = this.#path.at(-1);
    if (this.builder.head === undefined && isHtml(this.#opening)) this.#html();
    this.#refuseAmpersand();
    if (!this.#ending) {
      throw notWellFormedError(place, problem, open);
    }
    if (this.#opening === "") throw emptyDocumentError(place);
    throw truncatedError(place, open === undefined ? "a root element" : `</${open}>`);
  }

  #refuseAmpersand(): void {
    const found = this.#ampersands.find();
    if (found === undefined) return;
    throw notWellFormedError(found, `"${found.text}" begins no character reference`);
  }

  #checkEncoding(): void {
    const { problem } = this.#decoder;
    if (problem === undefined) return;
    const next = { line: this.#sax.line, column: this.#sax.column + 1 };
    throw encodingError(next, problem, "text in the encoding it declares");
  }

  #html(): never {
    throw notSitemapError(this.#place, "this is an HTML page", true);
  }

  #checkLength(length: number): void {
    if (length > this.#limits.attribute) this.#refuse("attribute");
  }

  #refuse(limit: keyof ReadLimits): never {
    throw readerLimitError(limit, this.#limits[limit], this.#place);
  }
}

/** Loops over comments: a single pattern would try every way to split them. */
function isHtml(opening: string): boolean {
  let start = 0;
  COMMENT.lastIndex = 0;
  while (COMMENT.test(opening)) start = COMMENT.lastIndex;
  HTML.lastIndex = start;
  return HTML.test(opening) || HTML_DOCTYPE.test(opening);
}
