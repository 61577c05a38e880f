import type { Position } from "../errors.ts";

const MARK = /<!--|<!\[CDATA\[|<\?|&/g;
/** Inside these, `&` is only a character. */
const ENDS: Readonly<Record<string, string>> = { "<!--": "-->", "<![CDATA[": "]]>", "<?": "?>" };
/** A reference, or the beginning of one at the end of the text. */
const REFERENCE = /&(?:#\d*|#x[\dA-Fa-f]*|[\p{L}_:][\p{L}\p{N}_:.-]*)?(?:;|$)/uy;
const LINE_END = /\r\n?|\n/;
const LONGEST = 40;

/** An `&` that is no reference, as in `?a=1&b=2`. */
export interface Ampersand extends Position {
  readonly text: string;
}

interface Piece {
  readonly text: string;
  /** The line, and how many of its characters precede. */
  readonly start: Position;
}

/** A parser reads from `&` to any later semicolon, so the place of its error says nothing. */
export class AmpersandFinder {
  #kept: Piece = { text: "", start: { line: 1, column: 0 } };
  #last = this.#kept;

  /** @param hadEvent whether the last event came within the last piece of text */
  feed(text: string, start: Position, hadEvent: boolean): void {
    const kept = hadEvent ? this.#last : this.#kept;
    this.#kept = { text: kept.text + text, start: kept.start };
    this.#last = { text, start };
  }

  /** The first stray `&` in the kept text. */
  find(): Ampersand | undefined {
    const { text } = this.#kept;
    let from = 0;
    for (;;) {
      MARK.lastIndex = from;
      const mark = MARK.exec(text);
      if (mark === null) return undefined;
      const [found] = mark;
      const end = ENDS[found];
      REFERENCE.lastIndex = mark.index;
      if (end === undefined && !REFERENCE.test(text)) return this.#at(mark.index);
      const close = text.indexOf(end ?? "&", mark.index);
      if (close < 0) return undefined;
      from = close + 1;
    }
  }

  #at(index: number): Ampersand {
    const { text, start } = this.#kept;
    const lines = text.slice(0, index).split(LINE_END);
    const characters = [...(lines.at(-1) ?? "")].length;
    const [shown = "&"] = /^&[^\s<"']*/.exec(text.slice(index, index + LONGEST)) ?? [];
    return {
      line: start.line + lines.length - 1,
      column: (lines.length === 1 ? start.column : 0) + characters + 1,
      text: shown,
    };
  }
}
