import { readTree } from "../git/blobs.ts";
import { startLog } from "../git/log.ts";
import { folderPrefix, pathName, type Repository, textOf } from "../git/repository.ts";
import { CommittedFolder } from "../history/published-folder.ts";
import { siteFileRules } from "../inventory/file-rules.ts";
import type { Settings } from "../options/settings.ts";

/** The folder of the pages in a commit, relative to the repository's root. */
export type FolderOf = (commit: string) => string;

/**
 * Follows a renamed folder by the rule of a first publication.
 * @param tip the newest commit of the first-parent line
 * @param folder the folder of the pages in that commit
 */
export async function pageFolders(
  repository: Repository,
  tip: string,
  folder: string,
  settings: Settings,
): Promise<FolderOf> {
  const { isCandidate } = siteFileRules(settings);
  const isPage = (path: string) => {
    const file = textOf(path);
    return file !== undefined && isCandidate(file);
  };
  const at = { ...repository, head: tip };
  const prefix = Buffer.from(folderPrefix(folder)).toString("latin1");
  const followed = new CommittedFolder(prefix, (await readTree(at)).files, isPage);
  const folders = new Map<string, string>();
  await startLog(at).read({
    wants: (path, kind) => followed.wants(path, kind),
    visit: ({ id }, changes) => {
      folders.set(id, pathName(followed.prefix).replace(/\/$/, ""));
      followed.take(changes);
      return undefined;
    },
  });
  return (commit) => folders.get(commit) ?? folder;
}
