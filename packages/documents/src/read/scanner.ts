import { createRequire } from "node:module";
import type { SaxesAttributePlain, SaxesParser } from "saxes";
import type { Position } from "../errors.ts";
import { XML } from "../namespaces.ts";
import type { Attribute } from "./attributes.ts";
import { type Name, Scope, split } from "./scope.ts";

/** Who is told what a document consists of. Depths count from 1, the root's. */
export interface Listener {
  open(depth: number, name: Name, attributes: readonly Attribute[]): void;
  close(depth: number): void;
  text(depth: number, text: string): void;
  comment(text: string): void;
  doctype(text: string): void;
  /** Throws for a start tag that is too long, before it is all held. */
  tag(length: number): void;
  /** Throws an error that names the problem. */
  malformed(problem: string): never;
}

const NONE: readonly Attribute[] = [];

const require = createRequire(import.meta.url);

/**
 * Required when the first document is read: Node takes 25 ms to import this CommonJS module, since it
 * looks through its text for exports, and 5 to require it.
 */
function newParser(): SaxesParser<{ position: false }> {
  const { SaxesParser }: typeof import("saxes") = require("saxes");
  return new SaxesParser({ position: false });
}

/**
 * XML with namespaces, told to a listener.
 *
 * saxes reads the XML; namespaces are resolved here, because its own resolution makes reading take
 * half as long again.
 */
export class Scanner {
  /** Names of the elements that are open, as they stand in the document. */
  readonly path: string[] = [];
  /** Characters since anything was told: what saxes holds of a token that has not ended. */
  silence = 0;
  readonly #sax = newParser();
  readonly #scope = new Scope();
  readonly #listener: Listener;
  #attributes: SaxesAttributePlain[] = [];
  #length = 0;
  /** Whether the innermost element has ended, and nobody was told yet. */
  #ended = false;

  constructor(listener: Listener) {
    this.#listener = listener;
    // No more than seven: with an eighth V8 keeps the parser as a hash table, five times as slow.
    this.#sax.on("doctype", (text) => listener.doctype(text));
    this.#sax.on("attribute", (attribute) => this.#attribute(attribute));
    this.#sax.on("opentag", (tag) => this.#open(tag.name));
    this.#sax.on("closetag", () => this.#close());
    this.#sax.on("text", (text) => this.#text(text));
    this.#sax.on("cdata", (text) => this.#text(text));
    this.#sax.on("comment", (text) => this.#comment(text));
  }

  /** The place of the last character that was read. */
  get place(): Position {
    return { line: this.#sax.line, column: Math.max(1, this.#sax.column) };
  }

  /** The place of the character that would be read next. */
  get next(): Position {
    return { line: this.#sax.line, column: this.#sax.column + 1 };
  }

  write(text: string): void {
    this.silence += text.length;
    this.#run(() => this.#sax.write(text));
    this.#settle();
  }

  end(): void {
    this.#run(() => this.#sax.close());
  }

  #run(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "Error") throw error; // not saxes' own
      if (!error.message.startsWith("unexpected close tag")) this.#settle();
      this.#listener.malformed(error.message);
    }
  }

  #attribute(attribute: SaxesAttributePlain): void {
    const { name, value } = attribute;
    this.#heard();
    this.#length += name.length + value.length;
    this.#listener.tag(this.#length);
    if (!name.startsWith("xmlns")) this.#attributes.push(attribute);
    else if (name === "xmlns") this.#scope.declare(this.path.length + 1, "", value);
    else if (name[5] === ":") this.#declare(name.slice(6), value);
    else this.#attributes.push(attribute);
  }

  #declare(prefix: string, namespace: string): void {
    const allowed = prefix === "xml" ? namespace === XML : prefix !== "xmlns" && namespace !== "";
    if (!allowed) this.#listener.malformed(`the prefix "${prefix}" is declared wrongly.`);
    this.#scope.declare(this.path.length + 1, prefix, namespace);
  }

  #open(qualified: string): void {
    this.#heard();
    const depth = this.path.push(qualified);
    const name = this.#scope.element(qualified);
    if (name === undefined) this.#unbound(qualified);
    const described = name.known === "rs:md" || name.known === "rs:ln";
    this.#listener.open(depth, name, described ? this.#resolved() : NONE);
    if (this.#attributes.length > 0) this.#attributes = [];
    this.#length = 0;
  }

  /** saxes tells of an end before it looks whether the names agree: the listener is told after. */
  #close(): void {
    this.#heard();
    this.#ended = true;
  }

  #heard(): void {
    this.silence = 0;
    this.#settle();
  }

  #settle(): void {
    if (!this.#ended) return;
    this.#ended = false;
    const depth = this.path.length;
    this.#listener.close(depth);
    this.#scope.leave(depth);
    this.path.pop();
  }

  #text(text: string): void {
    this.#heard();
    this.#listener.text(this.path.length, text);
  }

  #comment(text: string): void {
    this.#heard();
    this.#listener.comment(text);
  }

  #resolved(): Attribute[] {
    const expanded: string[] = [];
    const attributes = this.#attributes.map((attribute): Attribute => {
      const { name: qualified, value } = attribute;
      if (!qualified.includes(":")) return attribute;
      const [prefix, name] = split(qualified);
      const namespace = this.#scope.namespace(prefix);
      if (namespace === undefined || prefix === "") this.#unbound(qualified);
      expanded.push(`${namespace} ${name}`);
      return { namespace, name, value };
    });
    if (expanded.length > 1 && new Set(expanded).size < expanded.length) {
      this.#listener.malformed("duplicate attribute by another prefix.");
    }
    return attributes;
  }

  #unbound(qualified: string): never {
    this.#listener.malformed(`the prefix of "${qualified.slice(0, 100)}" is not declared.`);
  }
}
