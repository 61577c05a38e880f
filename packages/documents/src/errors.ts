/** What every error of this package has: a stable `code`, and where in the document it arose. */
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
