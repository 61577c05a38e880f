import { type Handler, Parser, type ParserOptions } from "htmlparser2";

/** The parser compares each tag with all open elements, so time grows with both. Nobody nests this deep. */
const DEEPEST = 2000;

export interface PageHandler extends Partial<Handler> {
  readonly depth: number;
}

/** Keeps parsing time linear: a tag that is nested too deep opens no element. */
export class PageParser extends Parser {
  readonly #handler: PageHandler;

  constructor(handler: PageHandler, options?: ParserOptions) {
    super(handler, options);
    this.#handler = handler;
  }

  override onopentagname(start: number, end: number): void {
    if (this.#handler.depth < DEEPEST) super.onopentagname(start, end);
  }
}
