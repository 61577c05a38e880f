/** What every error of this package has: a stable `code`, a problem and a cure. Its message is both. */
export abstract class DocumentError extends Error {
  abstract readonly code: string;
  readonly problem: string;
  readonly cure: string;
  constructor(problem: string, cure: string) {
    super(`${problem} ${cure}`);
    this.problem = problem;
    this.cure = cure;
  }

  override get name(): string {
    return this.constructor.name;
  }
}

/** A place in a document: line and column, both counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A text that is no W3C datetime. */
export class DatetimeError extends DocumentError {
  readonly code = "DATETIME";
  readonly text: string;
  constructor(text: string) {
    super(
      `"${text.slice(0, 60)}" is not a W3C datetime.`,
      "Write it like 2026-10-01T12:00:00Z, or shorter like 2026-10-01.",
    );
    this.text = text;
  }
}

/** A document that is larger than a limit allows, met while reading or writing it. */
export class LimitError extends DocumentError {
  readonly code = "LIMIT";
  readonly limit: string;
  readonly maximum: number;
  /** Where a reader met the limit; a writer has no place to name. */
  readonly line: number | undefined;
  readonly column: number | undefined;
  constructor(limit: string, maximum: number, cure: string, at?: Position) {
    const where = at === undefined ? "" : `Line ${at.line}, column ${at.column}: `;
    super(`${where}the document passes the limit "${limit}" of ${maximum}.`, cure);
    this.limit = limit;
    this.maximum = maximum;
    this.line = at?.line;
    this.column = at?.column;
  }

  static ofReader(limit: string, maximum: number, at: Position): LimitError {
    const cure = `Read it with a larger limit "${limit}" if you trust its source.`;
    return new LimitError(limit, maximum, cure, at);
  }
}

/** A document that cannot be read: where it stops making sense, and what was expected there. */
export abstract class ReadError extends DocumentError implements Position {
  readonly line: number;
  readonly column: number;
  readonly expected: string;
  constructor(at: Position, problem: string, expected: string) {
    super(`Line ${at.line}, column ${at.column}: ${problem}.`, `Expected ${expected}.`);
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

const EXPECTATIONS: readonly (readonly [problem: RegExp, expected: string])[] = [
  [/^text data outside/, "nothing but comments outside of the root element"],
  [/begins no character reference/, "&amp; in place of the &"],
  [/^undefined entity/, "one of &amp; &lt; &gt; &quot; &apos; or a character reference"],
  [/entity/, "a character reference such as &#38;"],
  [/^disallowed character in tag name/, "a name after <, or &lt; for the character itself"],
  [/^disallowed character in attribute name/, "an attribute, or the end of the tag"],
  [/^disallowed character/, "a character that XML allows here"],
  [/^(?:unquoted attribute|attribute without)/, 'a value in quotes, as in name="value"'],
  [/^duplicate attribute/, "each attribute once"],
  [/prefix/, "a prefix with its xmlns declaration"],
  [/^no whitespace/, "white space between attributes"],
  [/one root/, "one root element"],
  [/declaration/, "an XML declaration at the very start of the document, or none"],
  [/surrogate/, "whole characters"],
];

/** A text that is not well-formed XML 1.0 with namespaces. */
export class NotWellFormedError extends ReadError {
  readonly code = "NOT_WELL_FORMED";
  /** @param open the innermost open element */
  constructor(at: Position, problem: string, open?: string) {
    const isEndTag = /unexpected close|unmatched/.test(problem) && open !== undefined;
    const known = EXPECTATIONS.find(([pattern]) => pattern.test(problem))?.[1];
    const expected = isEndTag ? `</${open}>` : (known ?? "well-formed XML");
    super(at, `this is not well-formed XML: ${problem.replace(/\.$/, "")}`, expected);
  }
}

/** Bytes that are not in the encoding they claim, or in an unknown encoding. */
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
    super(at, `${found} has no meaning where it is`, expected);
  }
}

/** A value that the specification or its schema does not allow at its place. */
export class InvalidValueError extends DocumentError {
  readonly code = "INVALID_VALUE";
  readonly attribute: string;
  readonly value: string;
  readonly allowed: string;
  constructor(attribute: string, value: string, allowed: string, subject: string) {
    super(
      `${subject.slice(0, 200)}: "${value.slice(0, 200)}" cannot be written as ${attribute}.`,
      `Allowed is ${allowed}.`,
    );
    this.attribute = attribute;
    this.value = value;
    this.allowed = allowed;
  }
}

/** Something the specification requires of this kind of document, and that is not there. */
export class MissingValueError extends DocumentError {
  readonly code = "MISSING_VALUE";
  /** The attribute or link, such as `from` or `link up`. */
  readonly missing: string;
  constructor(missing: string, subject: string, section: string) {
    super(`${subject.slice(0, 200)}: ${missing} is missing.`, `It is required (${section}).`);
    this.missing = missing;
  }
}
