import { startLog } from "../git/log.ts";
import { fileOfKey } from "../git/paths.ts";
import { newestTime } from "./file-times.ts";
import type { FileTimes, GitHistory } from "./history.ts";

/** When a file was last changed, and in whose words. */
export interface Explanation {
  /** UTC seconds. */
  readonly time: number;
  readonly message?: string;
}

/**
 * Tells when the files of some pages were last changed, reading history from its newest end only as
 * far as it must. What a shallow clone's boundary seems to have added stays unexplained.
 *
 * @param pages files of the output folder
 * @returns by page; pages that nothing explains are left out
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
        explained.set(page, { time, ...(subject === undefined ? {} : { message: subject }) });
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

/** Tells when pages were last changed by the modification times of the files that date them. */
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
