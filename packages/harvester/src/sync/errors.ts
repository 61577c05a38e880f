import { count, numeral } from "@rs-emit/documents";
import { HarvestError } from "@rs-emit/reader";

/** The folder cannot hold a copy of the site, or cannot be used now. */
export function copyError(problem: string, cure: string, cause?: unknown): HarvestError {
  return new HarvestError({ code: "COPY", problem, cure, cause });
}

/** More deletions than an author makes: the site may be broken. */
export function massDeleteError(deletions: number, files: number): HarvestError {
  const gone = `${numeral(deletions)} of ${count(files, "file")} are gone from the site`;
  return new HarvestError({
    code: "MASS_DELETE",
    problem: `${gone}, which looks like a mistake: nothing was deleted.`,
    cure: "If it is none, say --allow-mass-delete.",
  });
}

/** @param problem such as "has another hash than its list states" */
export function differentError(url: string, problem: string): HarvestError {
  return new HarvestError({
    code: "DIFFERENT",
    problem: `${url} ${problem}.`,
    cure: "The site may just be published; the next sync tries again.",
  });
}

/** A file that sync may not overwrite or delete, since it is not as sync wrote it. */
export class ConflictError extends HarvestError {
  readonly file: string;
  constructor(file: string, problem: string) {
    super({
      code: "CONFLICT",
      problem: `${file} ${problem}.`,
      cure: "It was left as it is; move it away, and sync again.",
    });
    this.file = file;
  }
}

export function changedHereError(file: string): ConflictError {
  return new ConflictError(file, "was changed here, not by sync");
}

/** What stands where a file must be written, and is none of ours. */
export function foreignFileError(file: string): ConflictError {
  return new ConflictError(file, "was not written by sync, and stands where it must write");
}

export function longNameError(path: string): HarvestError {
  return new HarvestError({
    code: "LONG_NAME",
    problem: `${path.slice(0, 100)}… is a longer name than this system allows.`,
    cure: "Leave it out with --exclude, or keep the copy in a folder with a shorter path.",
  });
}

export function unclearError(url: string): HarvestError {
  return new HarvestError({
    code: "UNCLEAR",
    problem: `${url} has a change of an unknown kind, and no newer one: its file is as the other entries state.`,
    cure: "A newer change of it, or a newer Resource List, resolves this.",
  });
}

/**
 * A package of a dump that cannot be trusted, or understood.
 *
 * @param problem such as "has two files of the name a.html"
 */
export function badPackageError(url: string, problem: string, cause?: unknown): HarvestError {
  const text = `The package ${url} ${problem}: its resources are fetched one by one.`;
  return new HarvestError({ code: "PACKAGE", problem: text, cause });
}

/** A resource that was not asked for, since its host does not answer any more. */
export function notAskedError(url: string): HarvestError {
  const problem = `${url} was not asked for: its host gives no answers, or asks to be left alone.`;
  return new HarvestError({ code: "NOT_ASKED", problem });
}

/** A part of the site that the command line names, and the site does not have. */
export function noSuchCollectionError(name: string, known: readonly string[]): HarvestError {
  const problem = `The site has no collection ${name}. It has: ${known.join(", ")}.`;
  return new HarvestError({ code: "NO_SUCH_COLLECTION", problem });
}
