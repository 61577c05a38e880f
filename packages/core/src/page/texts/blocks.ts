import type { Mark } from "../../model/statement.ts";
import { type FormVisitor, unescaped, valueIn, visitForm } from "../content/form-tokens.ts";
import { withoutDigest } from "../content/link-addresses.ts";
import type { ElementKind } from "../elements.ts";
import { fileMark, pictureMark, textMark } from "./mark.ts";
import { piecesOf, type TextSpan } from "./words.ts";

export interface BlockWatcher {
  open(element: ElementKind, tag: string, at: number): void;
  close(element: ElementKind): void;
  /** A part of the next text for `texts`; `start` is its position in that text. */
  run(escaped: string, at: number, start: number, link: TextLink | undefined): void;
  /** @param text everything between two line breaks; each span of it is a block */
  texts(text: string, spans: readonly TextSpan[], marks: readonly Mark[]): void;
  picture(picture: Picture, mark: Mark, at: number): void;
  /** A file of the site that is linked, or what is embedded, with its title. */
  file(link: TextLink, mark: Mark, at: number): void;
}

export interface TextLink {
  readonly address: string;
  text: string;
}

export interface Picture {
  readonly name: string;
  /** The alternative text; empty where there is none. */
  readonly description: string;
}

const EMBEDS = new Set(["audio", "embed", "iframe", "object", "source", "video"]);
/** What stands inside is for browsers that cannot show them. */
const WITHOUT_TEXT = new Set(["audio", "canvas", "iframe", "object", "video"]);
/** A row of a table is one text. */
const CELLS = new Set(["td", "th"]);
const FILE =
  /^(?!\w+:)[^?#]*\.(?:pdf|docx?|odt|rtf|epub|txt|csv|xlsx?|pptx?|bib|gpx|zip|mp3|ogg|flac|wav|midi?|mp4|webm|png|jpe?g|gif|webp|avif|svg)$/i;

/**
 * Cuts a normal form without its title into blocks: lines, cut again after labels and sentences; rows of
 * tables; pictures; links to files of the site. Returns their marks in page order.
 */
export function blocksOf(form: string, watcher?: BlockWatcher): readonly Mark[] {
  const cutter = new Cutter(watcher);
  visitForm(form, cutter);
  return cutter.finish();
}

class Cutter implements FormVisitor {
  readonly #watcher: BlockWatcher | undefined;
  readonly #marks: Mark[] = [];
  #text = "";
  /** A flag, because testing the text itself would copy all of it for each added piece. */
  #isSpaced = true;
  #link: TextLink | undefined;
  /** The number of open elements whose text is none. */
  #untold = 0;

  constructor(watcher: BlockWatcher | undefined) {
    this.#watcher = watcher;
  }

  open(element: ElementKind, tag: string, at: number): void {
    this.#breakAt(element);
    this.#watcher?.open(element, tag, at);
    const { name } = element;
    if (name === "a") this.#openLink(tag, at);
    else if (name === "img") this.#addPicture(tag, at);
    else if (EMBEDS.has(name) && (name === "source" || this.#untold === 0)) {
      this.#addEmbed(tag, at);
    }
    if (WITHOUT_TEXT.has(name)) this.#untold += 1;
  }

  close(element: ElementKind): void {
    this.#breakAt(element);
    const { name } = element;
    if (name === "a") this.#link = undefined;
    if (WITHOUT_TEXT.has(name)) this.#untold -= 1;
    this.#watcher?.close(element);
  }

  breakLine(): void {
    this.#end();
  }

  text(escaped: string, at: number): void {
    if (this.#untold > 0) return;
    const words = plain(unescaped(escaped));
    // A sign behind a heading that links the heading.
    if (this.#link?.address.startsWith("#") && !/[\p{L}\p{N}]/u.test(words)) return;
    if (this.#link !== undefined) this.#link.text += words;
    this.#watcher?.run(escaped, at, this.#text.length, this.#link);
    this.#add(this.#isSpaced ? words.trimStart() : words);
  }

  finish(): readonly Mark[] {
    this.#end();
    return this.#marks;
  }

  /** Pictures and fields are within a line, as words are. */
  #breakAt({ name, breaksLine, isBox }: ElementKind): void {
    if (!breaksLine) return;
    if (!isBox && !CELLS.has(name)) this.#end();
    else if (!this.#isSpaced) this.#add(" ");
  }

  #add(words: string): void {
    if (words === "") return;
    this.#text += words;
    this.#isSpaced = words.endsWith(" ");
  }

  #openLink(tag: string, at: number): void {
    const address = valueIn(tag, "href");
    this.#link = address === undefined ? undefined : { address, text: "" };
    if (this.#link === undefined || !FILE.test(this.#link.address)) return;
    const mark = fileMark(nameWithFolder(withoutDigest(this.#link.address)));
    this.#marks.push(mark);
    this.#watcher?.file(this.#link, mark, at);
  }

  #addEmbed(tag: string, at: number): void {
    const address = valueIn(tag, "src") ?? valueIn(tag, "data") ?? "";
    if (address === "" || /^data:/i.test(address)) return;
    const mark = fileMark(address);
    this.#marks.push(mark);
    this.#watcher?.file({ address, text: plain(valueIn(tag, "title") ?? "").trim() }, mark, at);
  }

  #addPicture(tag: string, at: number): void {
    const name = nameIn(tag);
    if (name === undefined) return;
    const description = plain(valueIn(tag, "alt") ?? valueIn(tag, "title") ?? "").trim();
    const mark = pictureMark(name.toLowerCase(), description);
    this.#marks.push(mark);
    this.#watcher?.picture({ name, description }, mark, at);
  }

  #end(): void {
    const text = this.#text.trimEnd();
    this.#text = "";
    this.#isSpaced = true;
    if (text === "") return;
    if (this.#link !== undefined) this.#link.text += " ";
    const { spans, marks } = cutLine(text);
    for (const mark of marks) this.#marks.push(mark);
    this.#watcher?.texts(text, spans, marks);
  }
}

interface CutLine {
  readonly spans: readonly TextSpan[];
  readonly marks: readonly Mark[];
}

/** Most lines of a page were in its last version too, or are in similar pages. */
const cutLines = new Map<string, CutLine>();
const MOST_LINES = 20_000;
/** Longer lines seldom repeat, so they are not kept. UTF-16 code units. */
const LONGEST_LINE = 1000;

function cutLine(text: string): CutLine {
  const known = cutLines.get(text);
  if (known !== undefined) return known;
  const spans = piecesOf(text);
  const cut = { spans, marks: spans.map(([start, end]) => textMark(text.slice(start, end))) };
  if (cutLines.size === MOST_LINES) cutLines.clear();
  if (text.length <= LONGEST_LINE) cutLines.set(text, cut);
  return cut;
}

/** Authors move folders of files. */
function nameWithFolder(address: string): string {
  return address.split("/").slice(-2).join("/");
}

function nameIn(tag: string): string | undefined {
  const source = valueIn(tag, "src");
  if (source === undefined || /^data:/i.test(source)) return undefined;
  const path = source.replace(/[?#].*$/s, "").replace(/\/$/, "");
  return path.slice(path.lastIndexOf("/") + 1) || undefined;
}

/** Composes characters, and normalizes white space as readers see it. */
function plain(text: string): string {
  if (!NOT_ASCII.test(text) && !text.includes("  ")) return text;
  return text.normalize("NFC").replace(/[\s\u00a0]+/gu, " ");
}

/** Most text is ASCII and already collapsed. */
const NOT_ASCII = /[^ -~]/;
