import { type Commit, type FileChange, type LogReader, startLog } from "../../src/git/log.ts";
import { openRepository, type Repository } from "../../src/git/repository.ts";

/** Opens what must be a repository. */
export async function open(folder: string): Promise<Repository> {
  const repository = await openRepository(folder);
  if (!repository) throw new Error(`${folder} is in no repository`);
  return repository;
}

export type Told = Commit & { readonly changes: readonly FileChange[] };

/** What is asked of the history of a repository. */
export interface Asked {
  readonly order?: "oldest" | "newest";
  readonly subjects?: boolean;
  readonly wants?: LogReader["wants"];
  readonly visit?: LogReader["visit"];
}

/** The whole history of a folder's repository, oldest commit first unless asked otherwise. */
export async function historyOf(
  folder: string,
  { order = "oldest", subjects = true, wants = () => true, visit }: Asked = {},
): Promise<Told[]> {
  const repository = await open(folder);
  const told: Told[] = [];
  const note: LogReader["visit"] = (commit, changes) => void told.push({ ...commit, changes });
  await startLog(repository, subjects).read({ wants, visit: visit ?? note });
  return order === "oldest" ? told.reverse() : told;
}

/** A history in short: `10 First: +a.md ~b.md -c.md`. */
export function inShort(history: readonly Told[]): string[] {
  const signs = { added: "+", modified: "~", removed: "-" };
  return history.map(({ time, subject, changes }) => {
    const files = changes.map(({ kind, path }) => ` ${signs[kind]}${path}`);
    return `${time} ${subject}:${files.join("")}`;
  });
}
