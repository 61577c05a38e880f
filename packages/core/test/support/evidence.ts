import {
  type Commit,
  type CommitVisitor,
  collectHistory,
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
  {
    order = "oldest",
    visit,
    ...scope
  }: Partial<HistoryOptions> & { order?: "oldest" | "newest" } = {},
): Promise<Told[]> {
  const repository = await open(folder);
  const whole = { subjects: true, ...scope };
  if (order === "oldest") {
    const history = await collectHistory(repository, whole);
    return history.map(([commit, changes]) => ({ ...commit, changes }));
  }
  const told: Told[] = [];
  const note: CommitVisitor = (commit, changes) => void told.push({ ...commit, changes });
  await readHistory(repository, { ...whole, visit: visit ?? note });
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
