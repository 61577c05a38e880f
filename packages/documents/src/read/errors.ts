import { DocumentError, type Position } from "../errors.ts";

/** A document that cannot be read: where it stops making sense, and what was expected there. */
export abstract class ReadError extends DocumentError implements Position {
  readonly line: number;
  readonly column: number;
  readonly expected: string;
  constructor(at: Position, problem: string, expected: string) {
    super(`Line ${at.line}, column ${at.column}: ${problem}. Expected ${expected}.`);
    this.line = at.line;
    this.column = at.column;
    this.expected = expected;
  }
}

/** A document without any content. */
export class EmptyDocumentError extends ReadError {
  readonly code = "EMPTY_DOCUMENT";
  constructor(at: Position) {
    super(at, "the document is empty", "a urlset or sitemapindex element");
  }
}

/** A document that ends before its elements do: a download or a write that was cut off. */
export class TruncatedError extends ReadError {
  readonly code = "TRUNCATED";
  constructor(at: Position, expected: string) {
    super(at, "the document ends early", expected);
  }
}

/** A text that is not well-formed XML 1.0 with namespaces. */
export class NotWellFormedError extends ReadError {
  readonly code = "NOT_WELL_FORMED";
  constructor(at: Position, problem: string, expected: string) {
    super(at, `this is not well-formed XML: ${problem}`, expected);
  }
}

/** Bytes that are not in the encoding they claim, or in an encoding that nobody here knows. */
export class EncodingError extends ReadError {
  readonly code = "ENCODING";
}

/** A document type declaration. None is read: entities can make a small document huge. */
export class DoctypeError extends ReadError {
  readonly code = "DOCTYPE";
  constructor(at: Position) {
    super(at, "a DOCTYPE is not accepted", "a document without one");
  }
}

/** Well-formed, but neither `urlset` nor `sitemapindex` of the Sitemap namespace (section 7). */
export class NotSitemapError extends ReadError {
  readonly code = "NOT_SITEMAP";
  /** Whether it is an HTML page, as servers send in place of a missing document. */
  readonly html: boolean;
  constructor(at: Position, found: string, html: boolean) {
    super(at, found, "a urlset or sitemapindex in http://www.sitemaps.org/schemas/sitemap/0.9");
    this.html = html;
  }
}

/** A `url` or `sitemap` that does not say which resource it is about (section 7). */
export class MissingLocError extends ReadError {
  readonly code = "MISSING_LOC";
  constructor(at: Position, entry: string) {
    super(at, `a ${entry} has no loc`, "a loc element with a URI");
  }
}

/** An element that makes it unclear what the document says. */
export class UnexpectedElementError extends ReadError {
  readonly code = "UNEXPECTED_ELEMENT";
  constructor(at: Position, found: string, expected: string) {
    super(at, `${found} stands where it cannot be understood`, expected);
  }
}
