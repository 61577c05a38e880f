import type { FileEvidence, GitEvidence } from "./evidence.ts";
import { newestTime, sourceFile } from "./file-times.ts";
import { readHistory } from "./git/history.ts";

/** When a file was last changed, and in whose words. */
export interface Explanation {
  /** UTC seconds. */
  readonly time: number;
  readonly message?: string;
}

/**
 * Tells when the sources of some pages were last changed, reading history from its newest end only as
 * far as it must. What a shallow clone's boundary seems to have added stays unexplained.
 *
 * @param files pages in the output folder
 * @returns by page; pages that nothing explains are left out
 */
export async function explainByGit(
  evidence: GitEvidence,
  files: readonly string[],
  messages: boolean,
): Promise<ReadonlyMap<string, Explanation>> {
  const { repository, sources } = evidence;
  const explained = explainByEdits(evidence, files);
  const pages = new Map<string, string>();
  for (const file of files) {
    if (explained.has(file)) continue;
    for (const key of sources.of(file)) pages.set(key, file);
  }
  if (pages.size === 0) return explained;
  const wanted = new Set(pages.values());
  await readHistory(repository, {
    subjects: messages,
    below: sources.below,
    visit: ({ time, subject }, changes) => {
      for (const { path } of changes) {
        const file = pages.get(path);
        if (file === undefined || !wanted.delete(file)) continue;
        explained.set(file, { time, ...(subject === undefined ? {} : { message: subject }) });
      }
      return wanted.size === 0 ? "stop" : undefined;
    },
  });
  return explained;
}

function explainByEdits(
  { repository, sources, edits }: GitEvidence,
  files: readonly string[],
): Map<string, Explanation> {
  return explainByTimes(files, (file) => {
    const edited = sources.of(file).filter((key) => edits.has(key));
    return edited.map((key) => sourceFile(repository, key));
  });
}

/** Tells when pages were last changed by the modification times of the files that date them. */
export function explainByFiles(
  { sourcesOf }: FileEvidence,
  files: readonly string[],
): ReadonlyMap<string, Explanation> {
  return explainByTimes(files, sourcesOf);
}

function explainByTimes(
  files: readonly string[],
  sourcesOf: (file: string) => readonly (string | Buffer)[],
): Map<string, Explanation> {
  const explained = new Map<string, Explanation>();
  for (const file of files) {
    const time = newestTime(sourcesOf(file));
    if (time !== undefined) explained.set(file, { time });
  }
  return explained;
}
