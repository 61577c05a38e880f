import type { ElementKind } from "./elements.ts";

const WHITE_SPACE = /[ \t\n\f\r]+/g;

/** Most text needs no change, and this test costs a third of a replacement without effect. */
const NEEDS_REPLACING = /[\t\n\f\r&<]| {2}/;

const ONLY_WHITE_SPACE = /^[ \t\n\f\r]+$/;

/** Collapses white space as in CSS, across inline elements: a gap is written before the next word. */
export class TextFlow {
  #text = "";
  /** Whether the current line has text, so that a space would be visible. */
  #inLine = false;
  /** Written before the next word; a space only within a line. */
  #gap: "" | " " | "\n" = "";
  #verbatim = 0;
  #afterReturn = false;

  get text(): string {
    return this.#text;
  }

  open({ isBox, breaksLine }: ElementKind, isVerbatim: boolean): void {
    if (isBox) this.#writeGap();
    if (breaksLine) this.#breakLine();
    if (isVerbatim) this.#verbatim += 1;
  }

  close({ isBox, breaksLine }: ElementKind, isVerbatim: boolean): void {
    if (breaksLine) this.#breakLine();
    if (isBox) this.#inLine = true;
    if (isVerbatim) this.#verbatim -= 1;
  }

  breakUnseen(): void {
    if (this.#inLine) this.#gap = "\n";
    else if (this.#gap === " ") this.#gap = "";
    this.#inLine = false;
  }

  put(token: string): void {
    this.#text += token;
    this.#afterReturn = false;
  }

  /** A line end is not matched across text nodes. */
  endText(): void {
    this.#afterReturn = false;
  }

  get isVerbatim(): boolean {
    return this.#verbatim > 0;
  }

  /** @param dropsLineEnd whether verbatim text loses a line end at its beginning */
  write(data: string, shown: string, dropsLineEnd = false): void {
    if (this.isVerbatim) this.#writeVerbatim(data, dropsLineEnd);
    else this.#writeCollapsed(shown);
  }

  #writeCollapsed(text: string): void {
    const start = text.startsWith(" ") ? 1 : 0;
    const end = text.endsWith(" ") ? Math.max(start, text.length - 1) : text.length;
    if (start > 0 && this.#gap === "") this.#gap = " ";
    if (start === end) return;
    this.#writeGap();
    this.#text += end - start === text.length ? text : text.slice(start, end);
    this.#inLine = true;
    this.#gap = end < text.length ? " " : "";
  }

  /** All forms of a line end are equal, even if pieces split them. */
  #writeVerbatim(data: string, dropsLineEnd: boolean): void {
    const rest = this.#afterReturn && data.startsWith("\n") ? data.slice(1) : data;
    this.#afterReturn = data.endsWith("\r");
    const lines = rest.includes("\r") ? rest.replace(/\r\n?/g, "\n") : rest;
    const text = dropsLineEnd ? lines.replace(/^\n/, "") : lines;
    if (text !== "" && this.#gap === "\n") this.#writeGap();
    this.#text += escaped(text);
    this.#inLine = true;
  }

  #writeGap(): void {
    if (this.#inLine || this.#gap === "\n") this.#text += this.#gap;
    this.#gap = "";
  }

  #breakLine(): void {
    this.#inLine = false;
    this.#gap = "";
  }
}

/** Collapsed and escaped text, computed once for all flows that receive it. */
export function shownText(data: string): string {
  if (!NEEDS_REPLACING.test(data)) return data;
  if (ONLY_WHITE_SPACE.test(data)) return " ";
  return escaped(data.replace(WHITE_SPACE, " "));
}

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** White space as in HTML: one space for any length, none at the ends. */
export function collapsed(text: string): string {
  return text.replace(WHITE_SPACE, " ").trim();
}
