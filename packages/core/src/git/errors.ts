import { EmitError } from "../model/errors.ts";

/** A repository stands there, and the program that reads it is not installed. */
export class GitMissingError extends EmitError {
  readonly code = "GIT_MISSING";
  constructor(folder: string) {
    super(
      `${folder} is in a git repository, but git itself is not installed, or not on the PATH. ` +
        "Install git, or use --history files.",
    );
  }
}

/** Git will not open a repository that belongs to somebody else. */
export class ForeignOwnerError extends EmitError {
  readonly code = "GIT_OWNER";
  constructor(root: string) {
    super(
      `Git refuses to read the repository ${root}, because another user owns it. If you trust it, ` +
        `run: git config --global --add safe.directory ${quoted(root)}`,
    );
  }
}

/** Git ended with an error. */
export class GitFailedError extends EmitError {
  readonly code = "GIT_FAILED";
  /** Git's own words, one line. */
  readonly reason: string;
  constructor(folder: string, command: string, reason: string) {
    super(
      `"git ${command}" failed in ${folder}: ${reason}. ` +
        "Check the repository with: git fsck --connectivity-only",
    );
    this.reason = reason;
  }
}

/** The error that git's standard error output tells of. */
export function gitError(folder: string, command: string, stderr: string): EmitError {
  const owner = /dubious ownership in repository at '(.*)'/.exec(stderr);
  if (owner) return new ForeignOwnerError(owner[1] ?? folder);
  if (stderr.includes("spawn git ENOENT")) return new GitMissingError(folder);
  const told = /^(?:fatal|error): (.*)$/m.exec(stderr)?.[1] ?? stderr.trimStart().split("\n")[0];
  const reason = told?.trim().replace(/\.$/, "") || "git gave no reason";
  return new GitFailedError(folder, command, reason);
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
