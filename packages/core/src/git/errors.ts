import { EmitError } from "../model/errors.ts";
import { mention, sentence } from "../model/sentence.ts";

function gitMissingError(folder: string): EmitError {
  return new EmitError({
    code: "GIT_MISSING",
    problem: `${folder} is in a git repository, but git itself is not installed, or not on the PATH.`,
    cure: sentence`Install git, or use the option ${mention("history", "files")}.`,
  });
}

function foreignOwnerError(root: string): EmitError {
  return new EmitError({
    code: "GIT_OWNER",
    problem: `Git refuses to read the repository ${root}, because another user owns it.`,
    cure: `If you trust it, run: git config --global --add safe.directory ${shellWord(root)}`,
  });
}

/** In a shallow clone, the oldest commit seems to add every file. */
export function shallowCloneError(root: string): EmitError {
  return new EmitError({
    code: "SHALLOW_CLONE",
    problem: `The repository ${root} is a shallow clone: the history that the first change log needs is not there.`,
    cure:
      "Fetch it with: git fetch --unshallow --filter=blob:none (in GitHub Actions: " +
      "actions/checkout with fetch-depth: 0; on Vercel: VERCEL_DEEP_CLONE=true).",
  });
}

export function noRepositoryError(folder: string): EmitError {
  return new EmitError({
    code: "NO_REPOSITORY",
    problem: sentence`${folder} is in no git repository, so the option ${mention("history", "git")} finds no history.`,
    cure: [
      "Leave the option out, or put the pages' source files under git.",
      sentence`If those are in another folder, name it with the option ${mention("sourceFolder")}.`,
    ],
  });
}

export class GitFailedError extends EmitError {
  /** Git's own message, one line. */
  readonly reason: string;
  constructor(folder: string, command: string, reason: string) {
    super({
      code: "GIT_FAILED",
      problem: `"git ${command}" failed in ${folder}: ${reason}.`,
      cure: reason.startsWith("not a git repository")
        ? [
            "There is a .git, which may be empty: restore or remove it.",
            sentence`To take the dates of files instead, use the option ${mention("history", "files")}.`,
          ]
        : "Check the repository with: git fsck --connectivity-only",
    });
    this.reason = reason;
  }
}

export function gitError(folder: string, command: string, stderr: string): EmitError {
  const owner = /dubious ownership in repository at '(.*)'/.exec(stderr);
  if (owner) return foreignOwnerError(owner[1] ?? folder);
  if (stderr.includes("spawn git ENOENT")) return gitMissingError(folder);
  const line = /^(?:fatal|error): (.*)$/m.exec(stderr)?.[1] ?? stderr.trimStart().split("\n")[0];
  const reason = line?.trim().replace(/\.$/, "") || "git gave no reason";
  return new GitFailedError(folder, command, reason);
}

function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
