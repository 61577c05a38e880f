import { escapeText, replaceIllegalCharacters } from "../characters.ts";
import { missingValueError } from "../errors.ts";
import type { WriteLimits } from "../limits.ts";
import type { DocumentKind, Entry, ForeignAttribute, Head, Link, Metadata } from "../model.ts";
import { RESOURCESYNC, SITEMAP } from "../namespaces.ts";
import { Prefixes } from "./prefixes.ts";
import { requireEntry, requireHead } from "./requirements.ts";
import {
  CHANGE,
  COMMENT,
  check,
  DATETIME,
  type Format,
  FREQUENCY,
  HASH,
  LENGTH,
  LOC,
  PATH,
  PRI,
  PRIORITY,
  RELATION,
  schemaType,
  TEXT,
  URI,
} from "./values.ts";

export interface WriteOptions extends Partial<WriteLimits> {
  /** Prefixes for foreign attributes, declared on the root. Others are declared at their element. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
}

/** Receives a document's elements. Values are checked and escaped. */
export interface ElementOutput {
  open(name: string): void;
  attribute(name: string, value: string): void;
  leaf(name: string, text: string): void;
  close(name: string): void;
}

/** A document's elements in schema order, each value of our own checked. */
export class CheckedDocument {
  readonly head: Head;
  readonly #kind: DocumentKind;
  readonly #prefixes: Prefixes;

  /** @throws {DocumentError} `INVALID_VALUE` `MISSING_VALUE` where the head is not its kind's */
  constructor(head: Head, { prefixes }: WriteOptions) {
    this.head = head;
    this.#kind = requireHead(head);
    this.#prefixes = new Prefixes(prefixes);
    for (const comment of head.comments) check(COMMENT, "comment", comment, `The ${this.#kind}`);
  }

  begin(output: ElementOutput): void {
    output.open(this.head.root);
    output.attribute("xmlns", SITEMAP);
    output.attribute("xmlns:rs", RESOURCESYNC);
    for (const [prefix, namespace] of this.#prefixes.declared) {
      output.attribute(`xmlns:${prefix}`, escapeText(namespace));
    }
    this.#metadata(this.head.metadata, `The ${this.#kind}`, output);
    for (const link of this.head.links) this.#link(link, `The ${this.#kind}`, output);
  }

  /** Where this throws, what the output received is no complete element. */
  entry(entry: Entry, output: ElementOutput): void {
    const { loc, metadata, links } = entry;
    if (loc === "") throw missingValueError("loc", "An entry", "section 7");
    check(LOC, "loc", loc, loc);
    requireEntry(this.#kind, entry);
    output.open(this.#entryName);
    output.leaf("loc", escapeText(loc));
    writeLeaf("lastmod", entry.lastmod, DATETIME, loc, output);
    writeLeaf("changefreq", entry.changefreq, FREQUENCY, loc, output);
    writeLeaf("priority", entry.priority, PRIORITY, loc, output);
    if (metadata !== undefined) this.#metadata(metadata, loc, output);
    if (links !== undefined) for (const link of links) this.#link(link, loc, output);
    output.close(this.#entryName);
  }

  /** An entry that another program wrote, unchecked: what it says, and how, is that program's concern. */
  kept({ metadata, links = [], ...leaves }: Entry, output: ElementOutput): void {
    output.open(this.#entryName);
    for (const [name, text = ""] of Object.entries(leaves)) output.leaf(name, legal(text));
    const elements = [metadata ?? [], links].flat();
    for (const { foreign, ...attributes } of elements) {
      const name = "rel" in attributes ? "rs:ln" : "rs:md";
      output.open(name);
      for (const [key, value = ""] of Object.entries(attributes))
        output.attribute(key, legal(value));
      this.#foreign(foreign, leaves.loc, output);
      output.close(name);
    }
    output.close(this.#entryName);
  }

  get #entryName(): string {
    return this.head.root === "urlset" ? "url" : "sitemap";
  }

  /** Attribute by attribute: a table of them takes a third longer. */
  #metadata(metadata: Metadata, subject: string, output: ElementOutput): void {
    output.open("rs:md");
    writeAttribute("capability", metadata.capability, TEXT, subject, output);
    writeAttribute("at", metadata.at, DATETIME, subject, output);
    writeAttribute("completed", metadata.completed, DATETIME, subject, output);
    writeAttribute("from", metadata.from, DATETIME, subject, output);
    writeAttribute("until", metadata.until, DATETIME, subject, output);
    writeAttribute("change", metadata.change, CHANGE, subject, output);
    writeAttribute("datetime", metadata.datetime, DATETIME, subject, output);
    writeAttribute("modified", metadata.modified, DATETIME, subject, output);
    writeAttribute("hash", metadata.hash, HASH, subject, output);
    writeAttribute("length", metadata.length, LENGTH, subject, output);
    writeAttribute("encoding", metadata.encoding, TEXT, subject, output);
    writeAttribute("path", metadata.path, PATH, subject, output);
    writeType(metadata.type, output);
    this.#foreign(metadata.foreign, subject, output);
    output.close("rs:md");
  }

  #link(link: Link, subject: string, output: ElementOutput): void {
    if (link.rel === "") throw missingValueError("the rel of a link", subject, "section 7");
    if (link.href === "") throw missingValueError("the href of a link", subject, "section 7");
    output.open("rs:ln");
    writeAttribute("rel", link.rel, RELATION, subject, output);
    writeAttribute("href", link.href, URI, subject, output);
    writeAttribute("pri", link.pri, PRI, subject, output);
    writeAttribute("modified", link.modified, DATETIME, subject, output);
    writeAttribute("hash", link.hash, HASH, subject, output);
    writeAttribute("length", link.length, LENGTH, subject, output);
    writeAttribute("encoding", link.encoding, TEXT, subject, output);
    writeAttribute("path", link.path, PATH, subject, output);
    writeAttribute("profile", link.profile, URI, subject, output);
    writeType(link.type, output);
    this.#foreign(link.foreign, subject, output);
    output.close("rs:ln");
  }

  #foreign(
    foreign: readonly ForeignAttribute[] | undefined,
    subject: string,
    output: ElementOutput,
  ): void {
    if (foreign === undefined) return;
    for (const [name, value] of this.#prefixes.qualify(foreign, subject)) {
      output.attribute(name, legal(value));
    }
  }
}

function legal(text: string): string {
  return escapeText(replaceIllegalCharacters(text));
}

function writeAttribute(
  name: string,
  value: string | undefined,
  format: Format,
  subject: string,
  output: ElementOutput,
): void {
  if (value === undefined) return;
  check(format, name, value, subject);
  output.attribute(name, escapeText(value));
}

function writeType(type: string | undefined, output: ElementOutput): void {
  const allowed = type === undefined ? undefined : schemaType(type);
  if (allowed !== undefined) output.attribute("type", allowed);
}

function writeLeaf(
  name: string,
  text: string | undefined,
  format: Format,
  subject: string,
  output: ElementOutput,
): void {
  if (text === undefined) return;
  check(format, name, text, subject);
  output.leaf(name, text);
}
