import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestRepository } from "../../packages/core/test/support/repository.ts";

/**
 * What git keeps of an author's project, and the project's own files: a backfill leaves each byte of it as
 * it was.
 *
 * @param written files of the project that a backfill may write
 */
export function projectOf(
  { root }: TestRepository,
  written: (file: string) => boolean = () => false,
): Map<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !written(file.slice(root.length + 1)));
  return new Map(
    files
      .sort()
      .map((file) => [
        file.slice(root.length + 1),
        createHash("sha256").update(readFileSync(file)).digest("hex"),
      ]),
  );
}

/** Whether a backfill left nothing in git's own folder. */
export function isTidy(repository: TestRepository): boolean {
  const worktrees = repository.git("worktree", "list").split("\n");
  return worktrees.length === 1 && !existsSync(repository.path(".git/rs-emit"));
}
