import {
  type Commit,
  type FileChange,
  type HistoryOptions,
  readHistory,
} from "../../src/evidence/git/history.ts";
import { openRepository, type Repository } from "../../src/evidence/git/repository.ts";

/** Opens what must be a repository. */
export async function open(folder: string): Promise<Repository> {
  const repository = await openRepository(folder);
  if (!repository) throw new Error(`${folder} is in no repository`);
  return repository;
}

export type Told = Commit & { readonly changes: readonly FileChange[] };

/** The whole history below a folder's repository, oldest commit first unless asked otherwise. */
export async function historyOf(
  folder: string,
  options: Partial<HistoryOptions> = {},
): Promise<Told[]> {
  const told: Told[] = [];
  await readHistory(await open(folder), {
    order: "oldest",
    subjects: true,
    visit: (commit, changes) => {
      told.push({ ...commit, changes });
    },
    ...options,
  });
  return told;
}

/** A history in short: `10 First: +a.md ~b.md -c.md`. */
export function inShort(history: readonly Told[]): string[] {
  const signs = { added: "+", modified: "~", removed: "-" };
  return history.map(({ time, subject, changes }) => {
    const files = changes.map(({ kind, path }) => ` ${signs[kind]}${path}`);
    return `${time} ${subject}:${files.join("")}`;
  });
}
