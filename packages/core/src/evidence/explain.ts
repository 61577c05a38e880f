import { uncommittedEdits } from "./edits.ts";
import { modificationTime, sourceFile } from "./file-times.ts";
import { readHistory } from "./git/history.ts";
import type { Repository } from "./git/repository.ts";
import type { Sources } from "./sources/sources.ts";

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
  repository: Repository,
  files: readonly string[],
  sources: Sources,
  messages: boolean,
): Promise<ReadonlyMap<string, Explanation>> {
  const pages = new Map<string, string>();
  for (const file of files) for (const key of sources.of(file)) pages.set(key, file);
  const explained = new Map<string, Explanation>();
  if (pages.size === 0) return explained;
  const edits = await uncommittedEdits(repository, sources.below);
  for (const [key, file] of pages) {
    if (edits.get(key) === undefined) continue;
    const time = modificationTime(sourceFile(repository, key));
    if (time === undefined || time <= (explained.get(file)?.time ?? 0)) continue;
    explained.set(file, { time });
  }
  const wanted = new Set([...pages.values()].filter((file) => !explained.has(file)));
  await readHistory(repository, {
    order: "newest",
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
