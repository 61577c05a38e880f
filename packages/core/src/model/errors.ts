/**
 * What every error of rs-emit has: a stable `code`, and a message that names the thing and the cure.
 * Thrown deep, shown once at the top of the command.
 */
export abstract class EmitError extends Error {
  abstract readonly code: string;
  override get name(): string {
    return this.constructor.name;
  }
}

/** An option that is missing, or has a value that is not allowed. */
export class OptionError extends EmitError {
  readonly code = "OPTION";
  readonly option: string;
  /** @param given `undefined` when it is missing */
  constructor(option: string, given: unknown, allowed: string) {
    const state = given === undefined ? "is not given" : `is ${shown(given)}`;
    super(`The option "${option}" ${state}: it must be ${allowed}.`);
    this.option = option;
  }
}

/** As JSON, and as it was written where that has no word for it. */
function shown(given: unknown): string {
  return JSON.stringify(given, (_, value: unknown) =>
    typeof value === "function" || value instanceof RegExp ? String(value) : value,
  );
}

/** An option that does not exist. */
export class UnknownOptionError extends EmitError {
  readonly code = "OPTION";
  readonly option: string;
  constructor(option: string, known: readonly string[]) {
    super(`The option "${option}" is not known. There are: ${known.join(", ")}.`);
    this.option = option;
  }
}

/** Files that someone else wrote stand where documents must go. */
export class ForeignFileError extends EmitError {
  readonly code = "FOREIGN_FILE";
  readonly files: readonly string[];
  constructor(files: readonly string[], place: string) {
    super(
      `rs-emit did not write ${files.join(", ")} (in ${place}), and would have to overwrite ` +
        `${files.length === 1 ? "it" : "them"}. Move ${files.length === 1 ? "the file" : "the files"} ` +
        "away, or let rs-emit take over with the option force (--force). Nothing was written.",
    );
    this.files = files;
  }
}

/** A value that no document can hold, and that nothing refused before. */
export class UnwritableDocumentError extends EmitError {
  readonly code = "UNWRITABLE_DOCUMENT";
  constructor(cause: Error) {
    super(
      `A document could not be written: ${cause.message} If a page or an option brings this value ` +
        "in, change it, or leave the page out with the option exclude (--exclude). Nothing was written.",
      { cause },
    );
  }
}

/** What keeps documents from being written. */
export type WriteFault = "DISK_FULL" | "READ_ONLY" | "WRITE_FAILED";

/** The documents could not be written. */
export class WriteError extends EmitError {
  readonly code: WriteFault;
  /** The file that could not be written. */
  readonly path: string;
  constructor(path: string, cause: Error, begun: boolean) {
    const code = faultOf(cause);
    super(`${MESSAGES[code](path, cause.message)} ${begun ? BEGUN : "Nothing was changed."}`, {
      cause,
    });
    this.code = code;
    this.path = path;
  }
}

const BEGUN = "Some documents were replaced already: the next run repairs the rest.";

const MESSAGES: Record<WriteFault, (path: string, reason: string) => string> = {
  DISK_FULL: (path) => `The disk is full: ${path} could not be written. Make room and run again.`,
  READ_ONLY: (path) =>
    `${path} cannot be written: the folder or the file is read-only. Change its permissions, or ` +
    "build into another folder.",
  WRITE_FAILED: (path, reason) => `${path} could not be written (${reason}).`,
};

function faultOf(cause: Error): WriteFault {
  const code = "code" in cause ? cause.code : undefined;
  if (code === "ENOSPC" || code === "EDQUOT") return "DISK_FULL";
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "READ_ONLY";
  return "WRITE_FAILED";
}

/** What can be wrong with the address of a site. */
export type UrlFault = "missing" | "scheme" | "protocol" | "malformed";

/** The site's address is missing or is none. */
export class UrlError extends EmitError {
  readonly code: `URL_${Uppercase<UrlFault>}`;
  readonly option: string;
  constructor(option: string, given: string, fault: UrlFault) {
    super(URL_MESSAGES[fault](given.trim(), option));
    this.option = option;
    this.code = `URL_${upper(fault)}`;
  }
}

const URL_MESSAGES: Record<UrlFault, (given: string, option: string) => string> = {
  missing: (_, option) =>
    `The site's address is missing: change logs hold full URLs. Give the option ${option}, ` +
    "for example https://example.neocities.org/ (--url https://example.neocities.org/).",
  scheme: (given) => `"${given}" has no scheme. Write it in full: https://${given}`,
  protocol: (given) =>
    `"${given}" is not an address on the web: it must begin with https:// or http://`,
  malformed: (given) => `"${given}" is not a URL. Write it like https://example.neocities.org/`,
};

function upper<Text extends string>(text: Text): Uppercase<Text>;
function upper(text: string): string {
  return text.toUpperCase();
}

/** An address that is reserved for examples and tests. */
export class TestAddressError extends EmitError {
  readonly code = "TEST_ADDRESS";
  readonly option = "url";
  constructor(url: string) {
    super(
      `${url} is an address for examples and tests: no reader can follow a site there, and an address ` +
        "that was published cannot be taken back. Give the address of your site with the option url " +
        "(--url). To try rs-emit out, use the option dryRun (--dry-run), or testAddress (--test-address). " +
        "Nothing was written.",
    );
  }
}
