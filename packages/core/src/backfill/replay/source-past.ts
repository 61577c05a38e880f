import { join } from "node:path";
import { groupBy, urlKey } from "@rs-emit/documents";
import { pastFromGit } from "../../gather/first-publication.ts";
import { folderKey, openRepository, pathName, type Repository } from "../../git/repository.ts";
import { historyOf } from "../../history/explanations.ts";
import { readRepository } from "../../history/repositories.ts";
import { isFolder } from "../../model/file-system.ts";
import { type Change, inLogOrder } from "../../model/log.ts";
import type { Derived } from "../../model/plan.ts";
import type { Settings } from "../../options/settings.ts";
import type { CommitReader } from "./commit-states.ts";

/**
 * Their source files' history, as in a first publication; all by URL key.
 * @param appearances when a page first appears; later changes are left out
 */
export async function pastOfSources(
  repository: Repository,
  { builder, last: { folder, inventory }, settings }: CommitReader,
  appearances: ReadonlyMap<string, number>,
  present: number,
): Promise<ReadonlyMap<string, readonly Change[]>> {
  if (appearances.size === 0) return new Map();
  const environment = builder === undefined ? {} : { builder };
  const sourceFolder = await sourceFolderOf(repository, settings, folder);
  const there = { ...settings, folder, sourceFolder };
  const reading = await readRepository(there, environment, true);
  const history = await historyOf(reading, there, environment, inventory);
  if (history.kind === "files") return new Map();
  const { changes } = await pastFromGit(there, environment, inventory, history, present);
  const isEarlier = ({ url, datetime }: Change) =>
    datetime <= (appearances.get(urlKey(url)) ?? Number.NEGATIVE_INFINITY);
  return groupBy(changes.filter(isEarlier), ({ url }) => urlKey(url));
}

/** The author's source folder, in the working tree that was built. */
async function sourceFolderOf(
  repository: Repository,
  { sourceFolder }: Settings,
  built: string,
): Promise<string | undefined> {
  const tree = sourceFolder === undefined ? undefined : await openRepository(built);
  if (sourceFolder === undefined || tree === undefined) return undefined;
  const folder = join(tree.root, pathName(folderKey(repository, sourceFolder)));
  return isFolder(folder) ? folder : undefined;
}

/** @param earlier by URL key; for present pages without an entry for their creation */
export function withEarlier(
  { changes, snapshot }: Derived,
  earlier: ReadonlyMap<string, readonly Change[]>,
): Derived {
  if (earlier.size === 0) return { changes, snapshot };
  const reported = new Map<string, number>();
  for (const { url, datetime } of changes) {
    const key = urlKey(url);
    reported.set(key, Math.min(reported.get(key) ?? datetime, datetime));
  }
  const added: Change[] = [];
  const dated = snapshot.map((entry) => {
    const key = urlKey(entry.url);
    const first = reported.get(key) ?? Number.POSITIVE_INFINITY;
    const past = (earlier.get(key) ?? []).filter(({ datetime }) => datetime < first);
    const last = past.at(-1);
    if (past[0]?.kind !== "created" || last === undefined || last.kind === "deleted") return entry;
    for (const change of past) {
      added.push({ ...change, url: entry.url, title: change.title ?? entry.title });
    }
    return { ...entry, lastmod: entry.lastmod ?? last.lastmod };
  });
  return { changes: [...added, ...changes].sort(inLogOrder), snapshot: dated };
}
