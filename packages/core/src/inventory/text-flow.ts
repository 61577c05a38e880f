/** Elements that start on a line of their own: white space around them is not seen. */
const LINES = `address article aside blockquote body br caption center col colgroup dd details
  dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 header
  hgroup hr html legend li main menu nav ol optgroup option p pre section summary table tbody td tfoot
  th thead tr ul`;

/** Elements that stand in a line like a word: white space around them is seen. */
const BOXES = `audio button canvas embed iframe img input math meter object progress select svg
  textarea video`;

/** How an element stands in the text around it. */
interface Layout {
  readonly breaksLine: boolean;
  readonly isBox: boolean;
  /** White space in it is kept. */
  readonly isVerbatim: boolean;
}

/** How elements stand in the text around them; those that are not in it are part of the line. */
export type Layouts = ReadonlyMap<string, Layout>;

/** Layouts as browsers have them, white space kept in the elements named in `verbatim`. */
export function layoutsWith(verbatim: string): Layouts {
  const boxes = names(BOXES);
  const lines = names(LINES);
  const kept = names(verbatim);
  const all = new Set([...boxes, ...lines, ...kept]);
  return new Map(
    [...all].map((name) => {
      const isBox = boxes.has(name);
      const breaksLine = isBox || lines.has(name);
      return [name, { breaksLine, isBox, isVerbatim: kept.has(name) }];
    }),
  );
}

const WHITE_SPACE = /[ \t\n\f\r]+/g;

/** Most text needs no collapsing, and asking first costs a third of doing it. */
const NEEDS_COLLAPSING = /[\t\n\f\r]| {2}/;

const NEEDS_ESCAPING = /[&<]/;

/**
 * Text with only the white space that a reader sees, collapsed as CSS does it: across inline elements,
 * a space is written before the word that it precedes. Tags are put in as they are given.
 */
export class TextFlow {
  readonly #layouts: Layouts;
  #text = "";
  /** Whether something stands in the current line, so that a space would be seen. */
  #inLine = false;
  #spaceBefore = false;
  /** How many open elements keep white space. */
  #verbatim = 0;
  #afterReturn = false;

  constructor(layouts: Layouts) {
    this.#layouts = layouts;
  }

  get text(): string {
    return this.#text;
  }

  /** An element begins; its tag is still to be put in. */
  open(name: string): void {
    const layout = this.#layouts.get(name);
    if (layout === undefined) return;
    if (layout.isBox) this.#writeSpace();
    if (layout.breaksLine) this.#breakLine();
    if (layout.isVerbatim) this.#verbatim += 1;
  }

  /** An element ends; its tag is still to be put in. */
  close(name: string): void {
    const layout = this.#layouts.get(name);
    if (layout === undefined) return;
    if (layout.breaksLine) this.#breakLine();
    if (layout.isBox) this.#inLine = true;
    if (layout.isVerbatim) this.#verbatim -= 1;
  }

  /** Puts in a tag, or anything else that is not text. */
  put(token: string): void {
    this.#text += token;
    this.#afterReturn = false;
  }

  /** Text that follows belongs to another text node: a line end cannot reach across. */
  endText(): void {
    this.#afterReturn = false;
  }

  get isVerbatim(): boolean {
    return this.#verbatim > 0;
  }

  /**
   * Adds text, or a piece of one.
   *
   * @param shown the same, as `shownText` gives it
   * @param dropsLineEnd whether a line end at its beginning is not shown, where white space is kept
   */
  write(data: string, shown: string, dropsLineEnd = false): void {
    if (this.isVerbatim) this.#writeVerbatim(data, dropsLineEnd);
    else this.#writeCollapsed(shown);
  }

  #writeCollapsed(text: string): void {
    const start = text.startsWith(" ") ? 1 : 0;
    const end = text.endsWith(" ") ? Math.max(start, text.length - 1) : text.length;
    if (start > 0) this.#spaceBefore = true;
    if (start === end) return;
    this.#writeSpace();
    this.#text += end - start === text.length ? text : text.slice(start, end);
    this.#inLine = true;
    this.#spaceBefore = end < text.length;
  }

  /** Line ends are the same in all their forms, in pieces too. */
  #writeVerbatim(data: string, dropsLineEnd: boolean): void {
    const rest = this.#afterReturn && data.startsWith("\n") ? data.slice(1) : data;
    this.#afterReturn = data.endsWith("\r");
    const lines = rest.includes("\r") ? rest.replace(/\r\n?/g, "\n") : rest;
    this.#text += escaped(dropsLineEnd ? lines.replace(/^\n/, "") : lines);
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

/** Text as it stands where white space is not kept: made once for all flows that it goes into. */
export function shownText(data: string): string {
  return escaped(collapsed(data));
}

/** White space of any length as one space. */
export function collapsed(text: string): string {
  return NEEDS_COLLAPSING.test(text) ? text.replace(WHITE_SPACE, " ") : text;
}

/** Text that cannot be taken for a tag. */
export function escaped(text: string): string {
  return NEEDS_ESCAPING.test(text) ? text.replaceAll("&", "&amp;").replaceAll("<", "&lt;") : text;
}

/** Names in a list, parted by white space. */
export function names(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}
