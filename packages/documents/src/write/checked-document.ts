import { MissingValueError } from "../errors.ts";
import type { WriteLimits } from "../limits.ts";
import type { DocumentKind, Entry, Head, Link, Metadata } from "../model.ts";
import { RESOURCESYNC, SITEMAP } from "../namespaces.ts";
import { writeLinkAttributes, writeMetadataAttributes } from "./attributes.ts";
import { escaped } from "./characters.ts";
import type { Output } from "./output.ts";
import { Prefixes } from "./prefixes.ts";
import { requireEntry, requireHead } from "./requirements.ts";
import { COMMENT, check, DATETIME, FREQUENCY, LOC, PRIORITY, type Rule } from "./values.ts";

/** How a document is written. */
export interface WriteOptions extends Partial<WriteLimits> {
  /**
   * Prefixes to declare on the root, with their namespaces, for attributes of other namespaces.
   * Without one, such an attribute declares a prefix of its own where it stands.
   */
  readonly prefixes?: Readonly<Record<string, string>>;
}

/**
 * What a document consists of, in the order its schema demands, each value checked. The writers
 * differ only in the output they have it put down to.
 */
export class DocumentPlan {
  readonly head: Head;
  readonly kind: DocumentKind;
  readonly #prefixes: Prefixes;

  /** @throws {InvalidValueError} @throws {MissingValueError} where the head is not its kind's */
  constructor(head: Head, { prefixes }: WriteOptions = {}) {
    this.head = head;
    this.kind = requireHead(head);
    this.#prefixes = new Prefixes(prefixes);
    for (const comment of head.comments) check(COMMENT, "comment", comment, `The ${this.kind}`);
  }

  /** Begins the root and puts down what stands before the entries; the root is left open. */
  begin(output: Output): void {
    output.open(this.head.root);
    output.attribute("xmlns", SITEMAP);
    output.attribute("xmlns:rs", RESOURCESYNC);
    for (const [prefix, namespace] of this.#prefixes.declared) {
      output.attribute(`xmlns:${prefix}`, escaped(namespace));
    }
    this.#metadata(this.head.metadata, `The ${this.kind}`, output);
    this.#links(this.head.links, `The ${this.kind}`, output);
  }

  /** Puts down one entry; where this throws, what the output took is no element. */
  entry(entry: Entry, output: Output): void {
    const { loc, metadata, links } = entry;
    if (loc === "") throw new MissingValueError("loc", "An entry", "section 7");
    check(LOC, "loc", loc, loc);
    requireEntry(this.kind, entry);
    const name = this.head.root === "urlset" ? "url" : "sitemap";
    output.open(name);
    output.leaf("loc", escaped(loc));
    writeText("lastmod", entry.lastmod, DATETIME, loc, output);
    writeText("changefreq", entry.changefreq, FREQUENCY, loc, output);
    writeText("priority", entry.priority, PRIORITY, loc, output);
    if (metadata !== undefined) this.#metadata(metadata, loc, output);
    if (links !== undefined) this.#links(links, loc, output);
    output.close(name);
  }

  #metadata(metadata: Metadata, subject: string, output: Output): void {
    output.open("rs:md");
    writeMetadataAttributes(metadata, subject, this.#prefixes, output);
    output.close("rs:md");
  }

  #links(links: readonly Link[], subject: string, output: Output): void {
    for (const link of links) {
      output.open("rs:ln");
      writeLinkAttributes(link, subject, this.#prefixes, output);
      output.close("rs:ln");
    }
  }
}

function writeText(
  name: string,
  text: string | undefined,
  rule: Rule,
  subject: string,
  output: Output,
): void {
  if (text === undefined) return;
  check(rule, name, text, subject);
  output.leaf(name, text);
}
