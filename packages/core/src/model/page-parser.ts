import { type Handler, Parser, type ParserOptions } from "htmlparser2";

/**
 * Elements within each other, by far more than people write. The parser compares tags with all elements that are open, so
 * the time is their product.
 */
const DEEPEST = 2000;

/** What follows the elements of a page. */
export interface PageHandler extends Partial<Handler> {
  /** How many elements are open. */
  readonly depth: number;
}

/** Reads a page in a time that grows with its length: a tag below too many others opens no element. */
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
