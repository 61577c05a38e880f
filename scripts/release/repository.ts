import { readFileSync } from "node:fs";
import { join } from "node:path";

const ACCOUNT = /^[a-z\d](?:[a-z\d-]{0,37}[a-z\d])?$/i;
const NAME = /^(?!\.{1,2}$)(?!.*\.git$)[\w.-]{1,100}$/i;

/** What stands for the repository until its owner fills it in; in parts, so that this stays as it is. */
export const UNKNOWN_REPOSITORY = ["OWNER", "REPOSITORY"].join("/");

/** A repository on GitHub, as `owner/name`, of a name that GitHub allows; otherwise nothing. */
export function repositoryIn(text: string): string | undefined {
  const [owner = "", name = "", ...rest] = text.split("/");
  const isOne = rest.length === 0 && ACCOUNT.test(owner) && NAME.test(name);
  return isOne && text !== UNKNOWN_REPOSITORY ? text : undefined;
}

/** The repository that the workspace's own package.json names: `owner/name`, or the placeholder. */
export function namedRepository(root: string): string {
  const text = readFileSync(join(root, "package.json"), "utf8");
  const { repository }: { repository: string } = JSON.parse(text);
  return repository.replace(/^github:/, "");
}

/** Whether the owner has filled in where the repository is. */
export function isKnown(repository: string): boolean {
  return repositoryIn(repository) !== undefined;
}
