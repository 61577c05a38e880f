/** What every error of this package has: a stable `code`, and a message that names the cure. */
export abstract class DocumentError extends Error {
  abstract readonly code: string;
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
      `"${text.slice(0, 60)}" is not a W3C datetime. ` +
        "Write it like 2026-10-01T12:00:00Z, or shorter like 2026-10-01.",
    );
    this.text = text;
  }
}

/** A document that is larger than a limit allows, met while reading or writing it. */
export class LimitError extends DocumentError {
  readonly code = "LIMIT";
  /** The limit's name in `ReadLimits` or `WriteLimits`. */
  readonly limit: string;
  readonly maximum: number;
  /** Where a reader met the limit; a writer has no place to name. */
  readonly line: number | undefined;
  readonly column: number | undefined;
  constructor(limit: string, maximum: number, cure: string, at?: Position) {
    const where = at === undefined ? "" : `Line ${at.line}, column ${at.column}: `;
    super(`${where}the document passes the limit "${limit}" of ${maximum}. ${cure}`);
    this.limit = limit;
    this.maximum = maximum;
    this.line = at?.line;
    this.column = at?.column;
  }
}
