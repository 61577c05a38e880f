import {
  LimitError,
  MissingLocError,
  NotSitemapError,
  type Position,
  UnexpectedElementError,
} from "../errors.ts";
import type { ReadLimits } from "../limits.ts";
import type { Entry, Head, Link, Metadata } from "../model.ts";
import { SITEMAP } from "../namespaces.ts";
import { type Attribute, addMetadata, type Draft, linkOf } from "./attributes.ts";
import type { Name } from "./scope.ts";

interface Growing {
  readonly metadata: Draft<Metadata>;
  readonly links: Link[];
  readonly comments: string[];
}

/** Puts a document together from its elements, told in order with their depth (the root's is 1). */
export class DocumentBuilder {
  /** The document without its entries; elements that follow the entries are still added to it. */
  head: (Head & Growing) | undefined;
  /** Whether an entry has begun, so that the head is known as far as documents should go. */
  begun = false;
  /** Entries that are complete and not yet taken. */
  entries: Entry[] = [];
  readonly #limits: ReadLimits;
  readonly #place: () => Position;
  readonly #comments: string[] = [];
  #count = 0;
  #entry: Draft<Entry> | undefined;
  #links: Link[] = [];
  #opened: Position = { line: 1, column: 1 };
  #field: "loc" | "lastmod" | "changefreq" | "priority" | undefined;
  #text = "";

  constructor(limits: ReadLimits, place: () => Position) {
    this.#limits = limits;
    this.#place = place;
  }

  open(depth: number, name: Name, attributes: readonly Attribute[]): void {
    if (depth === 1) this.#root(name);
    else if (depth === 2) this.#child(name.known, attributes);
    else if (depth === 3 && this.#entry !== undefined) {
      this.#detail(this.#entry, name.known, attributes);
    }
  }

  close(depth: number): void {
    if (depth === 3 && this.#field !== undefined) this.#endField(this.#field);
    else if (depth === 2 && this.#entry !== undefined) this.#endEntry(this.#entry);
  }

  text(depth: number, text: string): void {
    if (depth !== 3 || this.#field === undefined) return;
    this.#text += text;
    if (this.#text.length > this.#limits.attribute) this.#refuse("attribute");
  }

  comment(text: string): void {
    if (this.begun) return;
    this.#comments.push(text);
    this.#guard(this.#comments.length + (this.head?.links.length ?? 0));
  }

  #root({ namespace, local }: Name): void {
    if (namespace !== SITEMAP || (local !== "urlset" && local !== "sitemapindex")) {
      const html = /^(?:html|head|body|title)$/i.test(local);
      const where = namespace === "" ? "no namespace" : `the namespace ${namespace.slice(0, 200)}`;
      const found = `the root is ${local.slice(0, 100)} in ${where}`;
      throw new NotSitemapError(this.#place(), html ? "this is an HTML page" : found, html);
    }
    this.head = { root: local, metadata: {}, links: [], comments: this.#comments };
  }

  #child(known: string | undefined, attributes: readonly Attribute[]): void {
    const { head } = this;
    if (head === undefined) return;
    if (known === "rs:md") addMetadata(head.metadata, attributes);
    else if (known === "rs:ln") {
      head.links.push(linkOf(attributes));
      this.#guard(head.links.length + this.#comments.length);
    } else if (known === "url" || known === "sitemap") this.#beginEntry(head, known);
  }

  #beginEntry({ root }: Head, known: string): void {
    const expected = root === "urlset" ? "url" : "sitemap";
    if (known !== expected) {
      throw new UnexpectedElementError(this.#place(), `a ${known} in a ${root}`, expected);
    }
    this.begun = true;
    this.#count += 1;
    if (this.#count > this.#limits.entries) this.#refuse("entries");
    this.#entry = { loc: "" };
    this.#links = [];
    this.#opened = this.#place();
  }

  #detail(entry: Draft<Entry>, known: string | undefined, attributes: readonly Attribute[]): void {
    if (known === "rs:md") {
      const metadata: Draft<Metadata> = entry.metadata ?? {};
      addMetadata(metadata, attributes);
      entry.metadata = metadata;
    } else if (known === "rs:ln") {
      this.#links.push(linkOf(attributes));
      this.#guard(this.#links.length);
    } else if (known === "loc" && entry.loc !== "") {
      throw new UnexpectedElementError(this.#place(), "a second loc", "one loc in each entry");
    } else if (isField(known)) {
      this.#field = known;
      this.#text = "";
    }
  }

  #endField(field: "loc" | "lastmod" | "changefreq" | "priority"): void {
    const text = this.#text.trim();
    if (this.#entry !== undefined && text !== "") this.#entry[field] ??= text;
    if (this.#entry?.loc === "" && field === "loc") this.#entry.loc = text;
    this.#field = undefined;
  }

  #endEntry(entry: Draft<Entry>): void {
    const name = this.head?.root === "sitemapindex" ? "sitemap" : "url";
    if (entry.loc === "") throw new MissingLocError(this.#opened, name);
    if (this.#links.length > 0) entry.links = this.#links;
    this.entries.push(entry);
    this.#entry = undefined;
  }

  #guard(links: number): void {
    if (links > this.#limits.links) this.#refuse("links");
  }

  #refuse(limit: "attribute" | "entries" | "links"): never {
    const cure = `Read it with a larger limit "${limit}" if you trust its source.`;
    throw new LimitError(limit, this.#limits[limit], cure, this.#place());
  }
}

function isField(known: string | undefined) {
  return known === "loc" || known === "lastmod" || known === "changefreq" || known === "priority";
}
