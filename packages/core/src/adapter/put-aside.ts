import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { walk } from "../inventory/walk.ts";
import { isDocumentName, SOURCE_DESCRIPTION } from "../layout.ts";
import { isFolder } from "../look.ts";

/**
 * Copies the documents of an output folder that its builder is about to empty. Where it holds none,
 * those put aside before stay: the build that was to publish them anew has failed.
 *
 * @param folder the output folder, which need not exist
 * @param aside where to keep them, for `Environment.documents`; removed by who published them anew
 */
export function putAside(folder: string, aside: string): void {
  if (!isFolder(folder)) return;
  const isDocument = (file: string) => isDocumentName(file.slice(file.lastIndexOf("/") + 1));
  const rules = { isOffered: isDocument, isExcluded: () => false, isCandidate: isDocument };
  const documents = [...walk(folder, rules).candidates];
  if (existsSync(join(folder, SOURCE_DESCRIPTION))) documents.push(SOURCE_DESCRIPTION);
  if (documents.length === 0) return;
  // Whole or not at all: a copy that was cut short would look like a log that lost its lists.
  const fresh = `${aside}.new`;
  rmSync(fresh, { recursive: true, force: true });
  for (const document of documents) {
    mkdirSync(dirname(join(fresh, document)), { recursive: true });
    copyFileSync(join(folder, document), join(fresh, document));
  }
  rmSync(aside, { recursive: true, force: true });
  renameSync(fresh, aside);
}
