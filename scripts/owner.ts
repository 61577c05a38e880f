/**
 * Writes who owns this project into every file that says so:
 * `node scripts/owner.ts <owner>/<repository>`. It may run again when the repository moves.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ReleaseError, runScript, UsageError } from "./release/errors.ts";
import { namedRepository, repositoryIn } from "./release/repository.ts";

/** The name given is none that GitHub allows for a repository. */
class NoRepositoryError extends ReleaseError {
  readonly code = "NO_REPOSITORY";

  constructor(given: string) {
    super(
      `${given} is not the name of a repository on GitHub.`,
      "Give it as the address has it, such as ada/rs-emit.",
    );
  }
}

/** What stands before a repository's name. Elsewhere the same words are a package, a folder, or anybody. */
const PLACE = "github:|github\\.com/|raw\\.githubusercontent\\.com/|ghcr\\.io/|gh:|uses: |--repo ";

/**
 * A text with a repository's name in place of the one it has. Names of images are in lower case:
 * registries allow no other.
 */
export function withRepository(text: string, current: string, next: string): string {
  const name = current.replaceAll(/[.]/g, "\\$&");
  const mention = new RegExp(`(?<![\\w.-])(${PLACE})${name}(?![\\w-])`, "gi");
  return text.replaceAll(
    mention,
    (_, place: string) => place + (place === "ghcr.io/" ? next.toLowerCase() : next),
  );
}

/** @returns the files that were written, relative to the root */
export function fillIn(root: string, next: string): string[] {
  const current = namedRepository(root);
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
  const files = listed.split("\0").filter((file) => file !== "" && existsSync(join(root, file)));
  // The file that says what the current name is comes last: a run that broke off is run again.
  const own = "package.json";
  return [...files.filter((file) => file !== own), own].filter((file) => {
    const path = join(root, file);
    const bytes = readFileSync(path);
    if (bytes.includes(0)) return false;
    const text = bytes.toString();
    const filled = withRepository(text, current, next);
    if (filled !== text) writeFileSync(path, filled);
    return filled !== text;
  });
}

if (import.meta.main) {
  await runScript(() => {
    const [given, ...rest] = process.argv.slice(2);
    if (given === undefined || rest.length > 0) {
      throw new UsageError("node scripts/owner.ts <owner>/<repository>");
    }
    const next = repositoryIn(given);
    if (next === undefined) throw new NoRepositoryError(given);
    const written = fillIn(resolve(import.meta.dirname, ".."), next);
    process.stdout.write(`${written.map((file) => `${file}\n`).join("")}`);
    process.stdout.write(`${written.length} files name ${next} now. Look at them, and commit.\n`);
  });
}
