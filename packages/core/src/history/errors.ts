import { EmitError } from "../model/errors.ts";

/** A first publication from a clone that was cut off: its oldest commit seems to add every file. */
export class ShallowCloneError extends EmitError {
  readonly code = "SHALLOW_CLONE";
  constructor(root: string) {
    super(
      `The repository ${root} is a shallow clone: the history that the first change log must tell is ` +
        "not there. Fetch it with: git fetch --unshallow --filter=blob:none (in GitHub Actions: " +
        "actions/checkout with fetch-depth: 0; on Vercel: VERCEL_DEEP_CLONE=true). Nothing was written.",
    );
  }
}

/** History was asked of git, and the folder is in no repository. */
export class NoRepositoryError extends EmitError {
  readonly code = "NO_REPOSITORY";
  constructor(folder: string) {
    super(
      `${folder} is in no git repository, so its history cannot be read as the option history: "git" ` +
        "(--history git) asks. Leave the option out, or put the pages' source files under git; where those are " +
        "elsewhere, the command takes their folder with --source-folder.",
    );
  }
}

/** The source folder is not there. */
export class NoSourceFolderError extends EmitError {
  readonly code = "NO_SOURCE_FOLDER";
  constructor(folder: string) {
    super(
      `There is no folder ${folder} with the pages' source files. Check the option sourceFolder (--source-folder).`,
    );
  }
}
