import { EmitError, NOTHING_WRITTEN } from "../model/errors.ts";
import { mention, sentence } from "../model/sentence.ts";

export class NoFolderError extends EmitError {
  readonly code = "NO_FOLDER";
  constructor(folder: string, isFile = false) {
    super(
      isFile
        ? {
            problem: `${folder} is a file.`,
            cure: "Give the folder that it is in; put patterns in quotes.",
          }
        : {
            problem: `There is no folder ${folder}.`,
            cure: "Build the site first, or give the folder that the build writes.",
          },
    );
  }
}

const ANY_FOLDER = sentence`If that folder is the site, say so with the option ${mention("anyFolder")}.`;

export class EmptySiteError extends EmitError {
  readonly code = "EMPTY_SITE";
  constructor(folder: string) {
    super({
      problem: `There are no pages in ${folder} itself.`,
      cure: ["Build the site first, or give the folder that holds its index.html.", ANY_FOLDER],
      option: "anyFolder",
    });
  }
}

/** The root of the file system, or a folder that is or holds a person's home. */
export class UnlikelyFolderError extends EmitError {
  readonly code = "UNLIKELY_FOLDER";
  constructor(folder: string, what: string) {
    super({
      problem: `${folder} is ${what}.`,
      cure: ["Give the folder that the build writes.", ANY_FOLDER],
      option: "anyFolder",
    });
  }
}

export class NoSourceFolderError extends EmitError {
  readonly code = "NO_SOURCE_FOLDER";
  constructor(folder: string) {
    super({
      problem: `There is no folder ${folder} with the pages' source files.`,
      cure: sentence`Check the option ${mention("sourceFolder")}.`,
      option: "sourceFolder",
    });
  }
}

export class UnreadableFileError extends EmitError {
  readonly code = "UNREADABLE_FILE";
  readonly file: string;
  constructor(file: string, cause: unknown) {
    super({
      problem: `${file} cannot be read (${reasonOf(cause)}).`,
      cure: [
        sentence`Make it readable, or leave it out with the option ${mention("exclude")}.`,
        "Run again when nothing else is writing there.",
      ],
      option: "exclude",
      cause,
    });
    this.file = file;
  }
}

export class DuplicateUrlError extends EmitError {
  readonly code = "DUPLICATE_URL";
  readonly url: string;
  constructor(url: string, one: string, other: string) {
    super({
      problem: `Two files have the URL ${url}: ${one} and ${other}.${spelling(one, other)}`,
      cure: sentence`Remove or rename one of them, or leave one out with the option ${mention("exclude")}.`,
      option: "exclude",
    });
    this.url = url;
  }
}

function spelling(one: string, other: string): string {
  if (one === other || one.normalize("NFC") !== other.normalize("NFC")) return "";
  const spelled = [one, other].map((name) =>
    name.replace(/[^\x20-\x7e]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`),
  );
  return ` The names look alike, and are spelled ${spelled.join(" and ")} in Unicode.`;
}

export class ContentSelectorError extends EmitError {
  readonly code = "CONTENT_SELECTOR";
  constructor(selector: string, cause: unknown) {
    super({
      problem: `The content selector "${selector}" cannot be understood.`,
      cure: 'Write a CSS selector such as "main", "#content" or ".post".',
      option: "content",
      cause,
    });
  }
}

export class OutsideSiteError extends EmitError {
  readonly code = "OUTSIDE_SITE";
  readonly file: string;
  constructor(file: string, url: string, site: string) {
    super({
      problem: `The builder gives ${file} the address ${url}, which is not below ${site}.`,
      cure: sentence`Check the site's address in the builder's configuration and in the option ${mention("url")}.`,
      outcome: NOTHING_WRITTEN,
      option: "url",
    });
    this.file = file;
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return "code" in cause ? String(cause.code) : cause.message;
}
