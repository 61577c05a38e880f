import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname, join } from "node:path";
import {
  beginsAsOurs,
  isDocumentName,
  isResourcePackageName,
  SOURCE_DESCRIPTION,
  walk,
} from "@rs-emit/core/adapter";

/**
 * Copies from a failed build stay; a killed publication's are replaced by what it left.
 * @param aside for `Environment.documents`; removed after a publication
 */
export async function putAside(folder: string, aside: string): Promise<void> {
  const documents = await documentsIn(folder);
  if (documents.length === 0) return;
  // Renamed when complete: a partial copy would look like a log with missing lists.
  const fresh = `${aside}.new`;
  rmSync(fresh, { recursive: true, force: true });
  if (existsSync(aside)) cpSync(aside, fresh, { recursive: true });
  for (const document of documents) {
    mkdirSync(dirname(join(fresh, document)), { recursive: true });
    copyFileSync(join(folder, document), join(fresh, document));
  }
  rmSync(aside, { recursive: true, force: true });
  renameSync(fresh, aside);
}

/** Packages of a Resource Dump are made anew. */
function isNeeded(name: string): boolean {
  return isDocumentName(name) && !isResourcePackageName(name);
}

async function documentsIn(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  const isDocument = (file: string) => isNeeded(file.slice(file.lastIndexOf("/") + 1));
  const rules = { isOffered: isDocument, isExcluded: () => false, isCandidate: isDocument };
  const found = await walk(folder, rules);
  const named = [...found.candidates];
  if (existsSync(join(folder, SOURCE_DESCRIPTION))) named.push(SOURCE_DESCRIPTION);
  return named.filter((document) => beginsAsOurs(readFileSync(join(folder, document))));
}
