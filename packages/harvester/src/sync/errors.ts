import { count, numeral } from "@rs-emit/documents";
import { HarvestError } from "@rs-emit/reader";

/** The folder cannot hold a copy of the site, or cannot be used now. */
export class CopyError extends HarvestError {
  readonly code = "COPY";
}

/** More deletions than an author makes: the site may be broken. */
export class MassDeleteError extends HarvestError {
  readonly code = "MASS_DELETE";
  constructor(deletions: number, files: number) {
    super(
      `${numeral(deletions)} of ${count(files, "file")} are gone from the site, which looks like a mistake: nothing was deleted. ` +
        "If it is none, say --allow-mass-delete.",
    );
  }
}

export class DifferentError extends HarvestError {
  readonly code = "DIFFERENT";
  /** @param problem such as "has another hash than its list states" */
  constructor(url: string, problem: string) {
    super(`${url} ${problem}. The site may just be published; the next sync tries again.`);
  }
}

/** A file that sync may not overwrite or delete, since it is not as sync wrote it. */
export class ConflictError extends HarvestError {
  readonly code = "CONFLICT";
  readonly file: string;
  constructor(file: string, problem: string) {
    super(`${file} ${problem}. It was left as it is; move it away, and sync again.`);
    this.file = file;
  }
}

export class LongNameError extends HarvestError {
  readonly code = "LONG_NAME";
  constructor(path: string) {
    super(
      `${path.slice(0, 100)}… is a longer name than this system allows. ` +
        "Leave it out with --exclude, or keep the copy in a folder with a shorter path.",
    );
  }
}

export class UnclearError extends HarvestError {
  readonly code = "UNCLEAR";
  constructor(url: string) {
    super(
      `${url} has a change of an unknown kind, and no newer one: its file is as the other entries state. A newer ` +
        "change of it, or a newer Resource List, resolves this.",
    );
  }
}

/** A package of a dump that cannot be trusted, or understood. */
export class PackageError extends HarvestError {
  readonly code = "PACKAGE";
  /** @param problem such as "has two files of the name a.html" */
  constructor(url: string, problem: string, cause?: unknown) {
    super(`The package ${url} ${problem}: its resources are fetched one by one.`, { cause });
  }
}

/** A resource that was not asked for, since its host does not answer any more. */
export class NotAskedError extends HarvestError {
  readonly code = "NOT_ASKED";
  constructor(url: string) {
    super(`${url} was not asked for: its host gives no answers, or asks to be left alone.`);
  }
}

/** A part of the site that the command line names, and the site does not have. */
export class NoSuchCollectionError extends HarvestError {
  readonly code = "NO_SUCH_COLLECTION";
  constructor(name: string, known: readonly string[]) {
    super(`The site has no collection ${name}. It has: ${known.join(", ")}.`);
  }
}
