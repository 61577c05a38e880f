/** A place in a document: line and column, both counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

interface DocumentFault {
  readonly code: DocumentErrorCode;
  readonly problem: string;
  readonly cure: string;
  readonly at?: Position | undefined;
  readonly limit?: string;
  readonly maximum?: number;
}

export type DocumentErrorCode =
  | "DATETIME"
  | "DOCTYPE"
  | "EMPTY_DOCUMENT"
  | "ENCODING"
  | "INVALID_VALUE"
  | "LIMIT"
  | "MISSING_LOC"
  | "MISSING_VALUE"
  | "NOT_SITEMAP"
  | "NOT_WELL_FORMED"
  | "TRUNCATED"
  | "UNEXPECTED_ELEMENT"
  | "WEB_PAGE";

/** A document that cannot be read or written: a stable `code`, a problem and a cure. Its message is both. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  readonly code: DocumentErrorCode;
  readonly problem: string;
  readonly cure: string;
  /** The reader's place; a writer has none. */
  readonly at: Position | undefined;
  /** With the code `LIMIT`: the limit's name and value. */
  readonly limit: string | undefined;
  readonly maximum: number | undefined;

  constructor({ code, problem, cure, at, limit, maximum }: DocumentFault) {
    super(`${problem} ${cure}`);
    this.code = code;
    this.problem = problem;
    this.cure = cure;
    this.at = at;
    this.limit = limit;
    this.maximum = maximum;
  }
}

/** Whether something thrown has one of these codes. */
export function isDocumentError(
  thrown: unknown,
  ...codes: readonly DocumentErrorCode[]
): thrown is DocumentError {
  return thrown instanceof DocumentError && codes.includes(thrown.code);
}

export function datetimeError(text: string): DocumentError {
  return new DocumentError({
    code: "DATETIME",
    problem: `"${text.slice(0, 60)}" is not a W3C datetime.`,
    cure: "Write it like 2026-10-01T12:00:00Z, or shorter like 2026-10-01.",
  });
}

export function limitError(
  limit: string,
  maximum: number,
  cure: string,
  at?: Position,
): DocumentError {
  const where = at === undefined ? "" : `Line ${at.line}, column ${at.column}: `;
  const problem = `${where}the document passes the limit "${limit}" of ${maximum}.`;
  return new DocumentError({ code: "LIMIT", problem, cure, at, limit, maximum });
}

export function readerLimitError(limit: string, maximum: number, at: Position): DocumentError {
  const cure = `Read it with a larger limit "${limit}" if you trust its source.`;
  return limitError(limit, maximum, cure, at);
}

/** @param problem what is wrong, without a full stop */
function readError(
  code: DocumentErrorCode,
  at: Position,
  problem: string,
  expected: string,
): DocumentError {
  return new DocumentError({
    code,
    problem: `Line ${at.line}, column ${at.column}: ${problem}.`,
    cure: `Expected ${expected}.`,
    at,
  });
}

export function emptyDocumentError(at: Position): DocumentError {
  const expected = "a urlset or sitemapindex element";
  return readError("EMPTY_DOCUMENT", at, "the document is empty", expected);
}

/** The document ends before its elements do, because a download or a write was interrupted. */
export function truncatedError(at: Position, expected: string): DocumentError {
  return readError("TRUNCATED", at, "the document ends early", expected);
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

/** @param open the innermost open element */
export function notWellFormedError(at: Position, problem: string, open?: string): DocumentError {
  const isEndTag = /unexpected close|unmatched/.test(problem) && open !== undefined;
  const known = EXPECTATIONS.find(([pattern]) => pattern.test(problem))?.[1];
  const expected = isEndTag ? `</${open}>` : (known ?? "well-formed XML");
  const what = `this is not well-formed XML: ${problem.replace(/\.$/, "")}`;
  return readError("NOT_WELL_FORMED", at, what, expected);
}

/** The bytes are not in the declared encoding, or that encoding is unknown. */
export function encodingError(at: Position, problem: string, expected: string): DocumentError {
  return readError("ENCODING", at, problem, expected);
}

/** No document type declaration is read: entities can make a small document huge. */
export function doctypeError(at: Position): DocumentError {
  return readError("DOCTYPE", at, "a DOCTYPE is not accepted", "a document without one");
}

/**
 * Neither `urlset` nor `sitemapindex` of the Sitemap namespace (section 7).
 * @param isHtml whether it is a web page, which servers send instead of a missing document
 */
export function notSitemapError(at: Position, found: string, isHtml: boolean): DocumentError {
  const expected = "a urlset or sitemapindex in http://www.sitemaps.org/schemas/sitemap/0.9";
  return readError(isHtml ? "WEB_PAGE" : "NOT_SITEMAP", at, found, expected);
}

export function missingLocError(at: Position, entry: string): DocumentError {
  return readError("MISSING_LOC", at, `a ${entry} has no loc`, "a loc element with a URI");
}

/** An element makes the meaning of the document unclear. */
export function unexpectedElementError(
  at: Position,
  found: string,
  expected: string,
): DocumentError {
  return readError("UNEXPECTED_ELEMENT", at, `${found} has no meaning where it is`, expected);
}

export function invalidValueError(
  attribute: string,
  value: string,
  allowed: string,
  subject: string,
): DocumentError {
  return new DocumentError({
    code: "INVALID_VALUE",
    problem: `${subject.slice(0, 200)}: "${value.slice(0, 200)}" cannot be written as ${attribute}.`,
    cure: `Allowed is ${allowed}.`,
  });
}

/** @param missing the required attribute or link, such as `from` or `link up` */
export function missingValueError(
  missing: string,
  subject: string,
  section: string,
): DocumentError {
  return new DocumentError({
    code: "MISSING_VALUE",
    problem: `${subject.slice(0, 200)}: ${missing} is missing.`,
    cure: `It is required (${section}).`,
  });
}
