import { existsSync } from "node:fs";
import { EmitError } from "../model/errors.ts";
import { mention, sentence } from "../model/sentence.ts";

export function noFolderError(folder: string): EmitError {
  const cure = "Build the site first, or give the folder that the build writes.";
  return new EmitError({ ...missingFolder(folder, cure), isUsage: true });
}

/** What an error says of a folder that is not there. @param cure where this folder is not the site itself */
export function missingFolder(folder: string, cure: string) {
  const problem = `There is no folder ${folder}.`;
  if (!existsSync("index.html")) return { code: "NO_FOLDER", problem, cure };
  // Authors name the site's folder while they are in it.
  const here = `Is this folder the site? It has an index.html: then write . in place of the name, or run in the folder above (cd ..).`;
  return { code: "NO_FOLDER", problem, cure: `${here} ${cure}` };
}

export function fileForFolderError(file: string): EmitError {
  return new EmitError({
    code: "NO_FOLDER",
    problem: `${file} is a file.`,
    cure: "Give the folder that it is in; put patterns in quotes.",
    isUsage: true,
  });
}

const ANY_FOLDER = sentence`If that folder is the site, say so with the option ${mention("anyFolder")}.`;

export function emptySiteError(folder: string): EmitError {
  return new EmitError({
    code: "EMPTY_SITE",
    problem: `There are no pages in ${folder} itself.`,
    cure: ["Build the site first, or give the folder that holds its index.html.", ANY_FOLDER],
  });
}

/** The folder is the root of the file system, or is or contains a person's home. */
export function unlikelyFolderError(folder: string, what: string): EmitError {
  return new EmitError({
    code: "UNLIKELY_FOLDER",
    isUsage: true,
    problem: `${folder} is ${what}.`,
    cure: ["Give the folder that the build writes.", ANY_FOLDER],
  });
}

export function noSourceFolderError(folder: string): EmitError {
  return new EmitError({
    code: "NO_SOURCE_FOLDER",
    isUsage: true,
    problem: `There is no folder ${folder} with the pages' source files.`,
    cure: sentence`Check the option ${mention("sourceFolder")}.`,
  });
}

export function unreadableFileError(file: string, cause: unknown): EmitError {
  return new EmitError({
    code: "UNREADABLE_FILE",
    about: file,
    problem: `${file} cannot be read (${reasonOf(cause)}).`,
    cure: [
      sentence`Make it readable, or leave it out with the option ${mention("exclude")}.`,
      "Run again when nothing else is writing there.",
    ],
    cause,
  });
}

export function duplicateUrlError(url: string, one: string, other: string): EmitError {
  return new EmitError({
    code: "DUPLICATE_URL",
    problem: `Two files have the URL ${url}: ${one} and ${other}.${spelling(one, other)}`,
    cure: sentence`Remove or rename one of them, or leave one out with the option ${mention("exclude")}.`,
    about: url,
  });
}

function spelling(one: string, other: string): string {
  if (one === other || one.normalize("NFC") !== other.normalize("NFC")) return "";
  const spelled = [one, other].map((name) =>
    name.replace(/[^\x20-\x7e]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`),
  );
  return ` The names look alike, and are spelled ${spelled.join(" and ")} in Unicode.`;
}

export function outsideSiteError(file: string, url: string, site: string): EmitError {
  return new EmitError({
    code: "OUTSIDE_SITE",
    about: file,
    problem: `The builder gives ${file} the address ${url}, which is not below ${site}.`,
    cure: sentence`Check the site's address in the builder's configuration and in the option ${mention("url")}.`,
  });
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return "code" in cause ? String(cause.code) : cause.message;
}
