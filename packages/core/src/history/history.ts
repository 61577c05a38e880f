import { startLog } from "../git/log.ts";
import { fileOfKey } from "../git/repository.ts";
import type { Environment } from "../model/environment.ts";
import type { Settings } from "../model/options.ts";
import type { Inventory } from "../model/resources.ts";
import { type DatingFiles, datingFiles, newestTime } from "./file-times.ts";
import { type PageFiles, pageFiles } from "./page-files.ts";
import type { RepositoryReading } from "./reading.ts";
import { originOf } from "./source-links.ts";

export interface GitHistory {
  readonly kind: "git";
  readonly reading: RepositoryReading;
  readonly files: PageFiles;
}

export interface FileTimes {
  readonly kind: "files";
  readonly files: DatingFiles;
}

export type History = GitHistory | FileTimes;

export async function historyOf(
  reading: RepositoryReading | undefined,
  settings: Settings,
  environment: Environment,
  inventory: Inventory,
): Promise<History> {
  const origin = await originOf(settings, environment);
  const { folder } = settings;
  return reading === undefined
    ? { kind: "files", files: await datingFiles(origin, folder, inventory) }
    : { kind: "git", reading, files: pageFiles(origin, reading, folder, inventory) };
}

export interface Explanation {
  readonly time: number;
  readonly message?: string | undefined;
}

/**
 * Reads history only as far as needed. Files that a shallow clone's boundary seems to add get no
 * date.
 */
export async function explainByGit(
  history: GitHistory,
  pages: readonly string[],
  messages: boolean,
): Promise<ReadonlyMap<string, Explanation>> {
  const { reading, files } = history;
  const explained = explainByEdits(history, pages);
  const pageOf = new Map<string, string>();
  for (const page of pages) {
    if (explained.has(page)) continue;
    for (const key of files.keysOf(page)) pageOf.set(key, page);
  }
  const wanted = new Set(pageOf.values());
  if (wanted.size === 0) return explained;
  await startLog(reading.repository, messages).read({
    wants: (path) => pageOf.has(path),
    visit: ({ time, subject }, changes) => {
      for (const { path } of changes) {
        const page = pageOf.get(path);
        if (page === undefined || !wanted.delete(page)) continue;
        explained.set(page, { time, message: subject });
      }
      return wanted.size === 0 ? "stop" : undefined;
    },
  });
  return explained;
}

function explainByEdits(
  { reading: { repository }, files }: GitHistory,
  pages: readonly string[],
): Map<string, Explanation> {
  return explainByTimes(pages, (page) => {
    const edited = files.keysOf(page).filter((key) => files.edits.has(key));
    return edited.map((key) => fileOfKey(repository, key));
  });
}

export function explainByFiles(
  { files }: FileTimes,
  pages: readonly string[],
): ReadonlyMap<string, Explanation> {
  return explainByTimes(pages, files.of);
}

function explainByTimes(
  pages: readonly string[],
  filesOf: (page: string) => readonly (string | Buffer)[],
): Map<string, Explanation> {
  const explained = new Map<string, Explanation>();
  for (const page of pages) {
    const time = newestTime(filesOf(page));
    if (time !== undefined) explained.set(page, { time });
  }
  return explained;
}
