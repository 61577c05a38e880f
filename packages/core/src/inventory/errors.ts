import { EmitError } from "../model/errors.ts";

/** There is no folder where the built site should be. */
export class NoFolderError extends EmitError {
  readonly code = "NO_FOLDER";

  constructor(folder: string, isFile = false) {
    super(
      isFile
        ? `${folder} is a file. Give the folder that it is in; put patterns in quotes.`
        : `There is no folder ${folder}. Build the site first, or give the folder that the build writes.`,
    );
  }
}

/** The folder is there, and nothing in it is a page. */
export class EmptySiteError extends EmitError {
  readonly code = "EMPTY_SITE";

  constructor(folder: string) {
    super(
      `There are no pages in ${folder} itself. Build the site first, or give the folder that holds its ` +
        `index.html. ${ANY_FOLDER}`,
    );
  }
}

/** The root of the file system, or a folder that is or holds a person's home. */
export class UnlikelyFolderError extends EmitError {
  readonly code = "UNLIKELY_FOLDER";

  constructor(folder: string, what: string) {
    super(`${folder} is ${what}. Give the folder that the build writes. ${ANY_FOLDER}`);
  }
}

const ANY_FOLDER = "If that folder is the site, say so with the option anyFolder (--any-folder).";

/** A file or folder of the site that the system does not let us read. */
export class UnreadableFileError extends EmitError {
  readonly code = "UNREADABLE_FILE";
  readonly file: string;

  constructor(file: string, cause: unknown) {
    super(
      `${file} cannot be read (${reasonOf(cause)}). Make it readable, or leave it out with ` +
        "the option exclude (--exclude), and run again when nothing else is writing there.",
    );
    this.file = file;
    this.cause = cause;
  }
}

/** Two files of the site would be published under one URL. */
export class DuplicateUrlError extends EmitError {
  readonly code = "DUPLICATE_URL";
  readonly url: string;

  constructor(url: string, one: string, other: string) {
    super(
      `Two files have the URL ${url}: ${one} and ${other}. ` +
        "Remove or rename one of them, or leave one out with the option exclude (--exclude).",
    );
    this.url = url;
  }
}

/** A selector for a page's own content that CSS does not know. */
export class ContentSelectorError extends EmitError {
  readonly code = "CONTENT_SELECTOR";

  constructor(selector: string, cause: unknown) {
    super(
      `The content selector "${selector}" cannot be understood. ` +
        'Write a CSS selector such as "main", "#content" or ".post".',
    );
    this.cause = cause;
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return "code" in cause ? String(cause.code) : cause.message;
}

/** A builder gives a page an address on another site. */
export class OutsideSiteError extends EmitError {
  readonly code = "OUTSIDE_SITE";
  readonly file: string;

  constructor(file: string, url: string, site: string) {
    super(
      `The builder gives ${file} the address ${url}, which is not below ${site}. Check the site's ` +
        "address in the builder's configuration and in the option url. Nothing was written.",
    );
    this.file = file;
  }
}
