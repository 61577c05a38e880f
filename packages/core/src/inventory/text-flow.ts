import type { ElementKind } from "./elements.ts";

const WHITE_SPACE = /[ \t\n\f\r]+/g;

/** Most text stays as it is, and asking first costs a third of replacing nothing. */
const NEEDS_REPLACING = /[\t\n\f\r&<]| {2}/;

const ONLY_WHITE_SPACE = /^[ \t\n\f\r]+$/;

/**
 * Text with only the white space that a reader sees, collapsed as CSS does it: across inline elements,
 * a space is written before the word that it precedes. Tags are put in as they are given.
 *
 * In elements that are opened as verbatim, white space stays as it is.
 */
export class TextFlow {
  #text = "";
  /** Whether something stands in the current line, so that a space would be seen. */
  #inLine = false;
  #spaceBefore = false;
  #verbatim = 0;
  #afterReturn = false;

  get text(): string {
    return this.#text;
  }

  /** An element begins; its tag is still to be put in. */
  open({ isBox, breaksLine }: ElementKind, isVerbatim: boolean): void {
    if (isBox) this.#writeSpace();
    if (breaksLine) this.#breakLine();
    if (isVerbatim) this.#verbatim += 1;
  }

  /** An element ends; its tag is still to be put in. */
  close({ isBox, breaksLine }: ElementKind, isVerbatim: boolean): void {
    if (breaksLine) this.#breakLine();
    if (isBox) this.#inLine = true;
    if (isVerbatim) this.#verbatim -= 1;
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

/**
 * Text where white space is not kept, any length of it as one space; it cannot be taken for a tag.
 * Made once for all flows that the text goes into.
 */
export function shownText(data: string): string {
  if (!NEEDS_REPLACING.test(data)) return data;
  if (ONLY_WHITE_SPACE.test(data)) return " ";
  return escaped(data.replace(WHITE_SPACE, " "));
}

/** Text that cannot be taken for a tag. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
