import type { ParserOptions } from "htmlparser2";
import { PageMemory } from "../model/page-memory.ts";
import type { PageFacts, Resource } from "../model/resources.ts";
import { isVerification } from "../model/search-engines.ts";
import { decode, readableIn, undecodedIn } from "./charset.ts";
import { type ContentRule, contentIdentity, DEFAULT_RULE } from "./content/content-rule.ts";
import { LinkAddresses } from "./content/link-addresses.ts";
import { NormalForm } from "./content/normal-form.ts";
import { OwnContent } from "./content/own-content.ts";
import { type ElementKind, elementKind, IN_HEAD } from "./elements.ts";
import { FirstHeadings, saysSomething } from "./first-headings.ts";
import { PageHead } from "./head/page-head.ts";
import type { ReaderExclusion } from "./head/reader-exclusion.ts";
import { Markup } from "./markup.ts";
import { PageParser } from "./page-parser.ts";
import {
  type MarkedSpans,
  NO_MARKS,
  withoutInsertions,
  withoutMarks,
} from "./placeholders/find-placeholders.ts";
import { mayListChanges } from "./placeholders/placeholder-search.ts";
import { shownText } from "./text-flow.ts";
import { blocksOf } from "./texts/blocks.ts";
import { StatementReader } from "./texts/statements.ts";

export interface Page
  extends PageFacts,
    Pick<Resource, "undecoded" | "blocks" | "engines" | "statements" | "description"> {
  readonly content: string;
  readonly markup: string;
  readonly excluded: ReaderExclusion | undefined;
  readonly leadsTo?: string | undefined;
  readonly headings: readonly string[] | undefined;
  readonly note?: string | undefined;
  readonly minor?: boolean | undefined;
}

export interface MemoryOptions {
  /** Keys of known texts, which no statement repeats; absent where no statements are wanted. */
  readonly had?: Pick<ReadonlySet<number>, "has"> | undefined;
}

export interface PageOptions {
  readonly url?: string | undefined;
  readonly site?: string | undefined;
  /** What of it rs-emit wrote, if that is known. */
  readonly marks?: MarkedSpans | undefined;
  readonly memory?: MemoryOptions | undefined;
  readonly rule?: ContentRule;
  readonly xhtml?: boolean;
}

/** More of a declaration is not read. */
const DOCTYPE_LENGTH = "doctype ".length;

/** Reads a page in its own charset, in one pass. Never throws: any bytes are a page. */
export function readPage(bytes: Uint8Array, options: PageOptions = {}): Page {
  const { blocks, ...page } = pageIn(bytes, options);
  // A part of a text keeps the whole text in memory, and a copy does not.
  return { ...structuredClone(page), blocks };
}

function pageIn(bytes: Uint8Array, options: PageOptions): Page {
  const { rule = DEFAULT_RULE, xhtml = false, url, site, marks, memory } = options;
  const own = marks === undefined ? withoutInsertions(bytes, xhtml) : withoutMarks(bytes, marks);
  const html = decode(own);
  // No places are sought on a page that lists changes: the list repeats its words.
  const listsChanges = marks !== NO_MARKS && mayListChanges(bytes);
  const parserOptions = { recognizeSelfClosing: xhtml, recognizeCDATA: xhtml };
  const addresses =
    url === undefined || site === undefined ? undefined : new LinkAddresses(url, site);
  const reader = new PageReader(url, addresses);
  new TokenParser(html, reader, parserOptions).end(html);
  const { note, minor, engines } = reader.head;
  const selected = rule.read?.(html, parserOptions, new NormalForm(addresses));
  const form = selected ?? reader.content.form();
  const undecoded = undecodedIn(html, own, form.text);
  const isReadable = (text: string) => undecoded === undefined || readableIn(text) !== undefined;
  const headings = reader.headings.texts.filter(isReadable);
  const { title = "" } = reader.head;
  return {
    title: saysSomething(title) && isReadable(title) ? title : headings[0],
    headings,
    excluded:
      url !== undefined && isVerification(url, html) ? "verification" : reader.head.excluded,
    leadsTo: resolved(reader.head.leadsTo, url),
    note,
    minor,
    engines,
    undecoded,
    content: contentIdentity(rule.scheme, form.withTitle(reader.head.title ?? "")),
    markup: reader.markup.identity(),
    ...(memory && remembered(memory, form, rule.scheme, reader, listsChanges)),
  };
}

function resolved(reference: string | undefined, url: string | undefined): string | undefined {
  if (reference === undefined || url === undefined || !URL.canParse(reference, url)) return;
  return new URL(reference, url).href;
}

function remembered(
  { had }: MemoryOptions,
  form: NormalForm,
  scheme: string,
  reader: PageReader,
  listsChanges: boolean,
): Pick<Page, "blocks" | "statements" | "description"> {
  if (had === undefined) {
    return { blocks: PageMemory.of(blocksOf(form.text), scheme) };
  }
  const watcher = new StatementReader(form, had, !reader.head.forbidsSnippets);
  const blocks = PageMemory.of(blocksOf(form.text, watcher), scheme);
  const statements = watcher.finish(listsChanges ? undefined : () => reader.markup.text);
  return { blocks, statements, description: reader.head.description };
}

class PageReader {
  readonly head: PageHead;
  readonly headings = new FirstHeadings();
  readonly content: OwnContent;
  readonly markup = new Markup();
  /** Counted here, since the parser also closes elements whose tags are incomplete. */
  readonly #open: ElementKind[] = [];
  /** An empty text counts only if no other text follows directly. */
  #isEmptyText = false;
  /** The parser closes a head without an end tag at `body` alone. */
  #isHeadEnded = false;

  constructor(url: string | undefined, addresses: LinkAddresses | undefined) {
    this.head = new PageHead(url);
    this.content = new OwnContent(addresses);
  }

  get depth(): number {
    return this.#open.length;
  }

  onopentag(name: string, attribs: Readonly<Record<string, string>>): void {
    this.#endText();
    const element = elementKind(name);
    if (this.#open.at(-1)?.name === "head" && !IN_HEAD.has(name)) {
      this.onclosetag("head", true);
      this.#isHeadEnded = true;
    }
    this.#open.push(element);
    this.head.open(element, attribs);
    this.headings.open(element, attribs);
    this.content.open(element, attribs);
    this.markup.open(element);
  }

  onclosetag(name: string, isImplied: boolean): void {
    this.#endText();
    if (name === "head" && this.#isHeadEnded) return;
    const element = this.#open.pop();
    if (element === undefined) return;
    this.head.close(element);
    this.headings.close(element);
    this.content.close(element);
    this.markup.close(element, isImplied);
  }

  ontext(data: string): void {
    this.#isEmptyText = data === "";
    if (data !== "") this.#write(data);
  }

  oncomment(): void {
    this.#endText();
  }

  onprocessinginstruction(): void {
    this.#endText();
  }

  oncdatastart(): void {
    this.#endText();
    this.#isEmptyText = true;
  }

  oncdataend(): void {
    this.#endText();
  }

  #write(data: string): void {
    const shown = shownText(data);
    this.head.write(data);
    this.headings.write(data);
    this.content.write(data, shown);
    this.markup.write(data, shown);
  }

  #endText(): void {
    if (this.#isEmptyText) this.#write("");
    this.#isEmptyText = false;
    this.content.endText();
    this.markup.endText();
  }
}

/** It says how changes are told, and is none: else the first would tell a page that did not change. */
const AUTHORS_WORD = /^<meta\s[^>]*\bname=["']?rs-emit:minor\b/i;

class TokenParser extends PageParser {
  readonly #html: string;
  readonly #markup: Markup;
  readonly #head: PageHead;
  #tagStart = -1;

  constructor(html: string, reader: PageReader, options: ParserOptions) {
    super(reader, options);
    this.#html = html;
    this.#markup = reader.markup;
    this.#head = reader.head;
  }

  override onopentagname(start: number, end: number): void {
    this.#tagStart = start - 1;
    super.onopentagname(start, end);
  }

  override onopentagend(end: number): void {
    super.onopentagend(end);
    this.#putTag(end);
  }

  override onselfclosingtag(end: number): void {
    super.onselfclosingtag(end);
    this.#putTag(end);
  }

  override onclosetag(start: number, end: number): void {
    super.onclosetag(start, end);
    const isPlain = this.#html[end] === ">";
    this.#markup.endTag(
      isPlain ? this.#html.slice(start - 2, end + 1) : `</${this.#html.slice(start, end)}>`,
    );
  }

  override oncomment(start: number, end: number, offset: number): void {
    super.oncomment(start, end, offset);
    const isComment = this.#html.startsWith("<!--", start - 4);
    if (isComment) this.#head.declare(`--${this.#html.slice(start, start + 1)}`);
    if (isComment) this.#markup.comment(`<!--${this.#html.slice(start, end - offset)}-->`);
    else this.#putDeclaration(start, end);
  }

  override oncdata(start: number, end: number, offset: number): void {
    super.oncdata(start, end, offset);
    this.#putDeclaration(start, end);
  }

  override ondeclaration(start: number, end: number): void {
    super.ondeclaration(start, end);
    this.#head.declare(this.#html.slice(start, start + DOCTYPE_LENGTH));
    this.#putDeclaration(start, end);
  }

  #putTag(end: number): void {
    // The parser reports two end tags for a self-closing tag of an unknown element.
    const tag = this.#tagStart < 0 ? "" : this.#html.slice(this.#tagStart, end + 1);
    if (!AUTHORS_WORD.test(tag)) this.#markup.put(tag);
    this.#tagStart = -1;
  }

  /** Also for what only looks like a declaration: `<?php ?>`, `<![endif]>`, `</ >`. */
  #putDeclaration(start: number, end: number): void {
    this.#markup.put(`<!${this.#html.slice(start, end)}>`);
  }
}
