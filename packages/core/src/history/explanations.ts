import { startLog } from "../git/log.ts";
import { fileOfKey } from "../git/repository.ts";
import type { Environment } from "../model/environment.ts";
import type { Inventory } from "../model/resources.ts";
import type { Settings } from "../options/settings.ts";
import { type DatingFiles, datingFiles, newestTime } from "./file-times.ts";
import { type PageFiles, pageFiles } from "./page-files.ts";
import { type Part, partOf, type RepositoryReading } from "./repositories.ts";
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

/** Reads history only as far as needed. Files that a shallow clone's boundary seems to add get no date. */
export async function explainByGit(
  history: GitHistory,
  pages: readonly string[],
  messages: boolean,
): Promise<ReadonlyMap<string, Explanation>> {
  const { reading, files } = history;
  const explained = explainByEdits(history, pages);
  const pagesOf = new Map<string, string[]>();
  for (const page of pages) {
    if (explained.has(page)) continue;
    for (const key of files.keysOf(page)) {
      const file = reading.tree.links.get(key) ?? key;
      pagesOf.set(file, [...(pagesOf.get(file) ?? []), page]);
    }
  }
  for (const part of reading.parts) {
    const inPart = [...pagesOf].filter(([file]) => partOf(reading.parts, file) === part);
    const newest = await newestChangesIn(part, new Map(inPart), messages);
    for (const [page, one] of newest) {
      if (one.time > (explained.get(page)?.time ?? Number.NEGATIVE_INFINITY)) {
        explained.set(page, one);
      }
    }
  }
  return explained;
}

async function newestChangesIn(
  { repository, prefix }: Part,
  pagesOf: ReadonlyMap<string, readonly string[]>,
  messages: boolean,
): Promise<ReadonlyMap<string, Explanation>> {
  const newest = new Map<string, Explanation>();
  const wanted = new Set([...pagesOf.values()].flat());
  if (wanted.size === 0) return newest;
  await startLog(repository, messages, prefix).read({
    wants: (path) => pagesOf.has(path),
    visit: ({ time, subject }, changes) => {
      for (const page of changes.flatMap(({ path }) => pagesOf.get(path) ?? [])) {
        if (wanted.delete(page)) newest.set(page, { time, message: subject });
      }
      return wanted.size === 0 ? "stop" : undefined;
    },
  });
  return newest;
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
