import {
  DoctypeError,
  EmptyDocumentError,
  EncodingError,
  LimitError,
  NotSitemapError,
  NotWellFormedError,
  type Position,
  TruncatedError,
} from "../errors.ts";
import { READ_LIMITS, type ReadLimits } from "../limits.ts";
import type { Entry } from "../model.ts";
import type { Attribute } from "./attributes.ts";
import { DocumentBuilder } from "./builder.ts";
import { Decoder } from "./decoder.ts";
import { expectation } from "./expectation.ts";
import { type Listener, Scanner } from "./scanner.ts";
import type { Name } from "./scope.ts";

const OPENING = 1024;
const HTML = /^(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body|title)\b/i;
/** Only HTML has it in other than upper case. */
const HTML_DOCTYPE = /^<!(?!DOCTYPE)[Dd][Oo][Cc][Tt][Yy][Pp][Ee]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Understands a document piece by piece: bytes or text in, head and entries out. */
export class DocumentParser implements Listener {
  readonly builder: DocumentBuilder;
  readonly #limits: ReadLimits;
  readonly #decoder = new Decoder();
  readonly #scanner: Scanner = new Scanner(this);
  /** The document's first characters, to tell what else it may be. */
  #opening = "";
  #bytes = 0;
  #ending = false;

  constructor(limits: Partial<ReadLimits> = {}) {
    this.#limits = { ...READ_LIMITS, ...limits };
    this.builder = new DocumentBuilder(this.#limits, () => this.#scanner.place);
  }

  /** Takes the next piece of a document that comes either as bytes or as text. */
  write(chunk: string | Uint8Array): void {
    const room = this.#limits.bytes - this.#bytes;
    this.#bytes += typeof chunk === "string" ? Buffer.byteLength(chunk) : chunk.length;
    if (typeof chunk === "string") this.#writeText(chunk);
    else this.#feed(this.#decoder.decode(chunk.subarray(0, room)));
    this.#checkEncoding();
    if (this.#bytes > this.#limits.bytes) this.#refuse("bytes");
  }

  /** Says that no more pieces come. */
  end(): void {
    this.#feed(this.#decoder.end());
    this.#checkEncoding();
    this.#ending = true;
    this.#scanner.end();
  }

  /** @returns the entries that were completed since they were last taken */
  take(): Entry[] {
    const { entries } = this.builder;
    this.builder.entries = [];
    return entries;
  }

  open(depth: number, name: Name, attributes: readonly Attribute[]): void {
    if (depth > this.#limits.depth) this.#refuse("depth");
    this.builder.open(depth, name, attributes);
  }

  close(depth: number): void {
    this.builder.close(depth);
  }

  text(depth: number, text: string): void {
    this.tag(text.length);
    this.builder.text(depth, text);
  }

  comment(text: string): void {
    this.tag(text.length);
    this.builder.comment(text);
  }

  tag(length: number): void {
    if (length > this.#limits.attribute) this.#refuse("attribute");
  }

  doctype(text: string): never {
    if (/^\s*html/i.test(text)) this.#html();
    throw new DoctypeError(this.#scanner.place);
  }

  malformed(problem: string): never {
    const { path, place } = this.#scanner;
    if (this.builder.head === undefined && isHtml(this.#opening)) this.#html();
    if (!this.#ending) {
      throw new NotWellFormedError(place, problem.replace(/\.$/, ""), expectation(problem, path));
    }
    if (this.#opening === "") throw new EmptyDocumentError(place);
    const open = path.at(-1);
    throw new TruncatedError(place, open === undefined ? "a root element" : `</${open}>`);
  }

  #writeText(text: string): void {
    const bad = text.search(LONE_SURROGATE);
    this.#feed(bad < 0 ? text : text.slice(0, bad));
    if (bad >= 0) this.malformed("half a surrogate pair.");
  }

  #feed(text: string): void {
    if (text === "") return;
    if (this.#opening.length < OPENING) {
      this.#opening = (this.#opening + text).trimStart().slice(0, OPENING);
    }
    this.#scanner.write(text);
    // What saxes collects without telling (an attribute never closed, say) must end somewhere.
    if (this.#scanner.silence > 2 * this.#limits.attribute + text.length) this.#refuse("attribute");
  }

  #checkEncoding(): void {
    const { problem } = this.#decoder;
    if (problem === undefined) return;
    throw new EncodingError(this.#scanner.next, problem, "text in the encoding it declares");
  }

  #html(): never {
    throw new NotSitemapError(this.#scanner.place, "this is an HTML page", true);
  }

  #refuse(limit: "attribute" | "bytes" | "depth"): never {
    const place: Position = this.#scanner.place;
    const cure = `Read it with a larger limit "${limit}" if you trust its source.`;
    throw new LimitError(limit, this.#limits[limit], cure, place);
  }
}

function isHtml(opening: string): boolean {
  return HTML.test(opening) || HTML_DOCTYPE.test(opening);
}
