import {
  missingLocError,
  notSitemapError,
  type Position,
  readerLimitError,
  unexpectedElementError,
} from "../errors.ts";
import type { ReadLimits, ReadOptions } from "../limits.ts";
import type { Entry, ForeignAttribute, Head, Link, Metadata } from "../model.ts";
import type { ElementName } from "./scope.ts";

export interface Attribute {
  /** Absent for ResourceSync's own attributes, which have no prefix. */
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly value: string;
}

/** The lines, counted from 1, where the tags of a document end. */
export interface DocumentLines {
  readonly root: number;
  /** The line of the document's `rs:md`; without one, of the root. */
  readonly metadata: number;
  readonly links: readonly number[];
  readonly entries: readonly number[];
}

interface DraftLines extends DocumentLines {
  root: number;
  metadata: number;
  readonly links: number[];
  readonly entries: number[];
}

type Draft<T> = { -readonly [K in keyof T]: T[K] };
type ParsedAttributes = readonly Attribute[];
type Field = "loc" | "lastmod" | "changefreq" | "priority";

interface DraftHead extends Head {
  readonly metadata: Draft<Metadata>;
  readonly links: Link[];
}

/** Receives a document's elements in order, with their depth (the root's is 1). */
export class DocumentBuilder {
  /** Without the entries. Elements that follow the entries are still added. */
  head: DraftHead | undefined;
  /** Whether an entry has begun. By then a valid document's head is complete. */
  begun = false;
  entries: Entry[] = [];
  /** Grows with the document, so it is kept only where it is set. */
  lines: DraftLines | undefined;
  /** The number of omitted entries without `loc`. */
  missingLocs = 0;
  readonly #limits: ReadLimits & ReadOptions;
  readonly #place: () => Position;
  readonly #comments: string[] = [];
  #count = 0;
  #entry: Draft<Entry> | undefined;
  #links: Link[] = [];
  #opened: Position = { line: 1, column: 1 };
  #field: Field | undefined;
  #text = "";

  constructor(limits: ReadLimits & ReadOptions, place: () => Position) {
    this.#limits = limits;
    this.#place = place;
  }

  keepLines(): DocumentLines {
    this.lines = { root: 1, metadata: 1, links: [], entries: [] };
    return this.lines;
  }

  open(depth: number, name: ElementName, attributes: ParsedAttributes): void {
    if (depth === 1) this.#root(name);
    else if (depth === 2 && this.head !== undefined) {
      this.#child(this.head, name.known, attributes);
    } else if (depth === 3 && this.#entry !== undefined) {
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

  #root({ namespace, local, known }: ElementName): void {
    if (known !== "urlset" && known !== "sitemapindex") {
      const html = /^(?:html|head|body|title)$/i.test(local);
      const where = namespace === "" ? "no namespace" : `the namespace ${namespace.slice(0, 200)}`;
      const found = `the root is ${local.slice(0, 100)} in ${where}`;
      throw notSitemapError(this.#place(), html ? "this is an HTML page" : found, html);
    }
    this.head = { root: known, metadata: {}, links: [], comments: this.#comments };
    if (this.lines !== undefined) {
      this.lines.root = this.#place().line;
      this.lines.metadata = this.lines.root;
    }
  }

  #child(head: DraftHead, name: string | undefined, attributes: ParsedAttributes): void {
    if (name === "url" || name === "sitemap") this.#beginEntry(head, name);
    else if (name === "rs:md") {
      addMetadata(head.metadata, attributes);
      if (this.lines !== undefined) this.lines.metadata = this.#place().line;
    } else if (name === "rs:ln") {
      this.lines?.links.push(this.#place().line);
      head.links.push(linkOf(attributes));
      this.#guard(head.links.length + this.#comments.length);
    }
  }

  #beginEntry({ root }: Head, name: string): void {
    const expected = root === "urlset" ? "url" : "sitemap";
    if (name !== expected) {
      throw unexpectedElementError(this.#place(), `a ${name} in a ${root}`, expected);
    }
    this.begun = true;
    this.#count += 1;
    if (this.#count > this.#limits.entries) this.#refuse("entries");
    this.#entry = { loc: "" };
    this.#links = [];
    this.#opened = this.#place();
    this.lines?.entries.push(this.#opened.line);
  }

  #detail(entry: Draft<Entry>, name: string | undefined, attributes: ParsedAttributes): void {
    if (isField(name)) this.#beginField(entry, name);
    else if (name === "rs:md") {
      const metadata: Draft<Metadata> = entry.metadata ?? {};
      addMetadata(metadata, attributes);
      entry.metadata = metadata;
    } else if (name === "rs:ln") {
      this.#links.push(linkOf(attributes));
      this.#guard(this.#links.length);
    }
  }

  #beginField(entry: Entry, field: Field): void {
    if (field === "loc" && entry.loc !== "") {
      throw unexpectedElementError(this.#place(), "a second loc", "one loc in each entry");
    }
    this.#field = field;
    this.#text = "";
  }

  #endField(field: Field): void {
    const text = this.#text.trim();
    if (this.#entry !== undefined && text !== "") this.#entry[field] ??= text;
    if (this.#entry?.loc === "" && field === "loc") this.#entry.loc = text;
    this.#field = undefined;
  }

  #endEntry(entry: Draft<Entry>): void {
    const name = this.head?.root === "sitemapindex" ? "sitemap" : "url";
    this.#entry = undefined;
    if (entry.loc === "") {
      if (this.#limits.skipMissingLoc !== true) throw missingLocError(this.#opened, name);
      this.missingLocs += 1;
      return;
    }
    if (this.#links.length > 0) entry.links = this.#links;
    this.entries.push(entry);
  }

  #guard(links: number): void {
    if (links > this.#limits.links) this.#refuse("links");
  }

  #refuse(limit: keyof ReadLimits): never {
    throw readerLimitError(limit, this.#limits[limit], this.#place());
  }
}

function isField(name: string | undefined): name is Field {
  return name === "loc" || name === "lastmod" || name === "changefreq" || name === "priority";
}

const METADATA: Record<Exclude<keyof Metadata, "foreign">, true> = {
  at: true,
  capability: true,
  change: true,
  completed: true,
  datetime: true,
  encoding: true,
  from: true,
  hash: true,
  length: true,
  modified: true,
  path: true,
  type: true,
  until: true,
};

const LINK: Record<Exclude<keyof Link, "foreign">, true> = {
  rel: true,
  href: true,
  encoding: true,
  hash: true,
  length: true,
  modified: true,
  path: true,
  pri: true,
  profile: true,
  type: true,
};

/** Where `rs:md` is repeated, the first value counts, and the first element with foreign attributes. */
function addMetadata(metadata: Draft<Metadata>, attributes: ParsedAttributes): void {
  let foreign: ForeignAttribute[] | undefined;
  for (const { namespace, name, value } of attributes) {
    if (namespace !== undefined) {
      foreign ??= [];
      foreign.push({ namespace, name, value });
    } else if (isName(METADATA, name)) metadata[name] ??= value;
  }
  if (foreign !== undefined) metadata.foreign ??= foreign;
}

/** `rel` and `href` are empty where the element lacks them. */
function linkOf(attributes: ParsedAttributes): Link {
  const link: Draft<Link> = { rel: "", href: "" };
  const foreign: ForeignAttribute[] = [];
  for (const { namespace, name, value } of attributes) {
    if (namespace !== undefined) foreign.push({ namespace, name, value });
    else if (isName(LINK, name)) link[name] = value;
  }
  if (foreign.length > 0) link.foreign = foreign;
  return link;
}

export function isMetadataName(name: string): boolean {
  return isName(METADATA, name);
}

export function isLinkName(name: string): boolean {
  return isName(LINK, name);
}

function isName<Name extends string>(names: Record<Name, true>, name: string): name is Name {
  return Object.hasOwn(names, name);
}
