import { DocumentError } from "../errors.ts";

/** A value that the specification or its schema does not allow at its place. */
export class InvalidValueError extends DocumentError {
  readonly code = "INVALID_VALUE";
  /** The attribute or element, such as `datetime`. */
  readonly attribute: string;
  readonly value: string;
  readonly allowed: string;
  constructor(attribute: string, value: string, allowed: string, subject: string) {
    super(
      `${subject.slice(0, 200)}: "${value.slice(0, 200)}" cannot be written as ${attribute}. ` +
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
    super(`${subject.slice(0, 200)}: ${missing} is missing. It is required (${section}).`);
    this.missing = missing;
  }
}
