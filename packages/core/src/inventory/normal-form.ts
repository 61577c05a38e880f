import type { Element, ParentNode } from "domhandler";
import { visit } from "./dom.ts";

/** Elements that start on a line of their own: white space around them is not seen. */
const LINES = names(`address article aside blockquote body br caption center col colgroup dd details
  dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 header
  hgroup hr html legend li main menu nav ol optgroup option p pre section summary table tbody td tfoot
  th thead tr ul`);

/** Elements that stand in a line like a word: white space around them is seen. */
const BOXES =
  names(`audio button canvas embed iframe img input math meter object progress select svg
  textarea video`);

const PREFORMATTED = names("listing plaintext pre textarea xmp");

/** What a reader perceives, drawings included; not what only styles, scripts or builders read. */
const PERCEIVED =
  names(`action alt checked cite colspan cx cy d data datetime dir disabled hidden href
  label lang open placeholder points poster r reversed rowspan rx ry selected src srcdoc srcset start
  title transform type value x x1 x2 xlink:href y y1 y2`);

const FLAGS = names("checked disabled hidden open reversed selected");

const WHITE_SPACE = /[ \t\n\f\r]+/g;

/** Most text needs no collapsing, and asking first costs a third of doing it. */
const NEEDS_COLLAPSING = /[\t\n\f\r]| {2}/;

/**
 * A text that is the same for all markup that a reader perceives as the same: white space as CSS
 * collapses it (across inline elements, a space is written before the word it precedes), element
 * names, and the perceived attributes in order.
 */
export class NormalForm {
  #text: string;
  /** Whether something stands in the current line, so that a space would be seen. */
  #inLine = false;
  #spaceBefore = false;
  #preformatted = 0;
  #atStartOfPreformatted = false;

  constructor(title: string) {
    this.#text = `<title>${escaped(title)}\n`;
  }

  get text(): string {
    return this.#text;
  }

  /** Adds an element, or a whole document, without the elements named in `without`. */
  add(root: ParentNode, without: ReadonlySet<string>): void {
    visit(root, {
      open: (element) => {
        if (without.has(element.name)) return false;
        this.#open(element);
        return true;
      },
      close: ({ name }) => this.#close(name),
      text: (data) => this.#write(data),
    });
  }

  #open({ name, attribs }: Element): void {
    if (BOXES.has(name)) this.#writeSpace();
    if (BOXES.has(name) || LINES.has(name)) this.#breakLine();
    this.#atStartOfPreformatted = PREFORMATTED.has(name);
    if (this.#atStartOfPreformatted) this.#preformatted += 1;
    this.#text += `<${name}${attributes(attribs)}>`;
  }

  #close(name: string): void {
    if (BOXES.has(name) || LINES.has(name)) this.#breakLine();
    if (BOXES.has(name)) this.#inLine = true;
    if (PREFORMATTED.has(name)) this.#preformatted -= 1;
    this.#text += `</${name}>`;
  }

  #write(data: string): void {
    if (this.#preformatted > 0) this.#writePreformatted(data);
    else this.#writeCollapsed(data);
  }

  #writeCollapsed(data: string): void {
    const text = collapsed(data);
    const start = text.startsWith(" ") ? 1 : 0;
    const end = text.endsWith(" ") ? Math.max(start, text.length - 1) : text.length;
    if (start > 0) this.#spaceBefore = true;
    if (start === end) return;
    this.#writeSpace();
    this.#text += escaped(text.slice(start, end));
    this.#inLine = true;
    this.#spaceBefore = end < text.length;
  }

  #writePreformatted(data: string): void {
    const lines = data.replace(/\r\n?/g, "\n");
    const shown = this.#atStartOfPreformatted ? lines.replace(/^\n/, "") : lines;
    this.#atStartOfPreformatted = false;
    this.#text += escaped(shown);
    this.#inLine = true;
  }

  #writeSpace(): void {
    if (this.#spaceBefore && this.#inLine) this.#text += " ";
    this.#spaceBefore = false;
  }

  #breakLine(): void {
    this.#inLine = false;
    this.#spaceBefore = false;
  }
}

function attributes(attribs: Readonly<Record<string, string>>): string {
  let text = "";
  for (const name of Object.keys(attribs).sort()) {
    if (PERCEIVED.has(name)) text += ` ${name}="${attributeValue(name, attribs[name] ?? "")}"`;
  }
  return text;
}

function attributeValue(name: string, value: string): string {
  if (FLAGS.has(name)) return "";
  return escaped(collapsed(value).trim()).replaceAll('"', "&quot;");
}

function collapsed(text: string): string {
  return NEEDS_COLLAPSING.test(text) ? text.replace(WHITE_SPACE, " ") : text;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}
