import type { ParserOptions } from "htmlparser2";
import type { Excerpts } from "../model/excerpts.ts";
import { blocksToAttribute, memoryBy } from "../model/memory.ts";
import type { PageMarks } from "../model/page-marks.ts";
import { PageParser } from "../model/page-parser.ts";
import type { PageFacts } from "../model/resources.ts";
import { withoutInsertions, withoutMarks } from "../pages/marks.ts";
import { type BlockWatcher, blocksOf } from "./blocks.ts";
import { decode } from "./charset.ts";
import {
  type ContentRule,
  contentIdentity,
  DEFAULT_RULE,
  FORMER_READINGS,
  type FormerReading,
} from "./content-rule.ts";
import { type ElementKind, elementKind } from "./elements.ts";
import { ExcerptReader } from "./excerpts.ts";
import { FirstHeading, saysSomething } from "./first-heading.ts";
import type { ReaderExclusion } from "./for-readers.ts";
import { Markup } from "./markup.ts";
import { NormalForm } from "./normal-form.ts";
import { OwnContent } from "./own-content.ts";
import { PageHead } from "./page-head.ts";
import { shownText } from "./text-flow.ts";

export interface Page extends PageFacts {
  readonly content: string;
  readonly markup: string;
  /** The own content's identities in older schemes, where they were asked for. */
  readonly formerContents?: readonly string[] | undefined;
  readonly excluded: ReaderExclusion | undefined;
  /** The first one outside the shell. */
  readonly heading: string | undefined;
  /** The author's note for the newest change, from a `meta`. */
  readonly note?: string | undefined;
  /** What is remembered of it, where that was asked for. */
  readonly blocks?: string | undefined;
  /** What the page tells search engines; see `engines.ts`. */
  readonly engines?: string | undefined;
  /** What is new since the page's last publication, where that is known. */
  readonly excerpts?: Excerpts | undefined;
}

/** What to remember of a page, and to compare it with. */
export interface MemoryOptions {
  /** What was remembered of the page with its URL. */
  readonly before: string | undefined;
  /** Whether the page lists changes, which may repeat its words. */
  readonly listsChanges: boolean;
}

export interface PageOptions {
  /** The page's own, from which relative links lead. */
  readonly url?: string | undefined;
  /** What stands in the page, where that is known. */
  readonly marks?: PageMarks | undefined;
  readonly memory?: MemoryOptions | undefined;
  /**
   * Where only the shell is looked for, in many versions: only pages that may hold it are remembered.
   * Filled with their blocks by own content, which most versions share.
   */
  readonly shells?: Map<string, string> | undefined;
  readonly rule?: ContentRule;
  readonly xhtml?: boolean;
  readonly former?: boolean;
}

/** Reads a page in its own charset, in one pass. Never throws: any bytes are a page. */
export function readPage(bytes: Uint8Array, options: PageOptions = {}): Page {
  const { rule = DEFAULT_RULE, xhtml = false, former: asksFormer = false } = options;
  const { url, marks, memory, shells } = options;
  const own = marks === undefined ? withoutInsertions(bytes, xhtml) : withoutMarks(bytes, marks);
  const html = decode(own);
  const parserOptions = { recognizeSelfClosing: xhtml, recognizeCDATA: xhtml };
  const reader = new PageReader(url, asksFormer ? FORMER_READINGS : []);
  new TokenParser(html, reader, parserOptions).end(html);
  const { title, excluded, note, engines } = reader.head;
  const heading = reader.heading.text;
  const chosen = (form: NormalForm) => rule.read?.(html, parserOptions, form);
  const selected = chosen(new NormalForm());
  const form = selected ?? reader.content.form();
  const mayHoldShell = selected === undefined && reader.content.mayHoldShell;
  const content = contentIdentity(rule.scheme, form.withTitle(title ?? ""));
  const attribute = (watcher?: BlockWatcher) =>
    blocksToAttribute(blocksOf(form.text, watcher), rule.memory, mayHoldShell);
  const page = {
    title: saysSomething(title) ? title : (heading ?? title),
    heading,
    excluded,
    note,
    engines,
    content,
    markup: reader.markup.identity(),
    ...(memory && remembered(memory, { form, url, scheme: rule.memory, attribute, reader })),
    ...(shells && mayHoldShell && { blocks: getOrInsert(shells, content, attribute) }),
  };
  if (!asksFormer) return page;
  const formerContents = reader.former.map(({ reading, own }) => {
    const former = chosen(new NormalForm(reading.keeps)) ?? own.form();
    return contentIdentity(rule.formerScheme(reading), former.withTitle(title ?? ""));
  });
  return { ...page, formerContents };
}

interface RememberedPage {
  readonly form: NormalForm;
  readonly url: string | undefined;
  readonly scheme: string;
  readonly attribute: (watcher?: BlockWatcher) => string;
  readonly reader: PageReader;
}

function remembered(
  { before, listsChanges }: MemoryOptions,
  { form, url, scheme, attribute, reader }: RememberedPage,
): Pick<Page, "blocks" | "excerpts"> {
  const past = reader.head.forbidsSnippets ? undefined : memoryBy(scheme, before);
  if (past === undefined) return { blocks: attribute() };
  const excerpts = new ExcerptReader(form, past, url);
  const blocks = attribute(excerpts);
  if (blocks === before) return { blocks };
  const pageText = listsChanges ? undefined : () => reader.markup.text;
  return { blocks, excerpts: excerpts.finish(pageText) };
}

function getOrInsert(blocks: Map<string, string>, content: string, make: () => string): string {
  const known = blocks.get(content) ?? make();
  blocks.set(content, known);
  return known;
}

/** Passes the parser's events on as a visit of a tree. */
class PageReader {
  readonly head: PageHead;
  readonly heading = new FirstHeading();
  readonly content = new OwnContent();
  readonly former: readonly { readonly reading: FormerReading; readonly own: OwnContent }[];
  readonly markup = new Markup();
  /** The parser also ends elements whose tags are incomplete, so open ones are counted here. */
  readonly #open: ElementKind[] = [];
  /** An empty text counts only if no text follows at once. */
  #isEmptyText = false;

  constructor(url: string | undefined, former: readonly FormerReading[]) {
    this.head = new PageHead(url);
    this.former = former.map((reading) => ({ reading, own: new OwnContent(reading) }));
  }

  get depth(): number {
    return this.#open.length;
  }

  onopentag(name: string, attribs: Readonly<Record<string, string>>): void {
    this.#endText();
    const element = elementKind(name);
    this.#open.push(element);
    this.head.open(element, attribs);
    this.heading.open(element);
    this.content.open(element, attribs);
    for (const { own } of this.former) own.open(element, attribs);
    this.markup.open(element);
  }

  onclosetag(_: string, isImplied: boolean): void {
    this.#endText();
    const element = this.#open.pop();
    if (element === undefined) return;
    this.head.close(element);
    this.heading.close(element);
    this.content.close(element);
    for (const { own } of this.former) own.close(element);
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
    this.heading.write(data);
    this.content.write(data, shown);
    for (const { own } of this.former) own.write(data, shown);
    this.markup.write(data, shown);
  }

  #endText(): void {
    if (this.#isEmptyText) this.#write("");
    this.#isEmptyText = false;
    this.content.endText();
    for (const { own } of this.former) own.endText();
    this.markup.endText();
  }
}

class TokenParser extends PageParser {
  readonly #html: string;
  readonly #markup: Markup;
  #tagStart = -1;

  constructor(html: string, reader: PageReader, options: ParserOptions) {
    super(reader, options);
    this.#html = html;
    this.#markup = reader.markup;
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
    if (isComment) this.#markup.comment(`<!--${this.#html.slice(start, end - offset)}-->`);
    else this.#putDeclaration(start, end);
  }

  override oncdata(start: number, end: number, offset: number): void {
    super.oncdata(start, end, offset);
    this.#putDeclaration(start, end);
  }

  override ondeclaration(start: number, end: number): void {
    super.ondeclaration(start, end);
    this.#putDeclaration(start, end);
  }

  #putTag(end: number): void {
    // A self-closing tag of an unknown element is reported as ended twice.
    if (this.#tagStart >= 0) this.#markup.put(this.#html.slice(this.#tagStart, end + 1));
    this.#tagStart = -1;
  }

  /** Also for what only looks like a declaration: `<?php ?>`, `<![endif]>`, `</ >`. */
  #putDeclaration(start: number, end: number): void {
    this.#markup.put(`<!${this.#html.slice(start, end)}>`);
  }
}
