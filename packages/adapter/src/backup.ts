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
  documentName,
  hasNoLogFile,
  isDocumentName,
  isOfResourceDump,
  leaveNoLogFile,
  NOTIFIED,
  SOURCE_DESCRIPTION,
  walk,
} from "@rs-emit/core/adapter";

/** Keeps copies from a failed build. Documents of a killed publication replace them. */
export async function backUp(folder: string, backup: string): Promise<void> {
  const documents = await documentsIn(folder);
  if (documents.length === 0) return;
  // Renamed when complete: a partial copy would look like a log with missing lists.
  const fresh = `${backup}.new`;
  rmSync(fresh, { recursive: true, force: true });
  if (existsSync(backup)) cpSync(backup, fresh, { recursive: true });
  for (const document of documents) {
    mkdirSync(dirname(join(fresh, document)), { recursive: true });
    copyFileSync(join(folder, document), join(fresh, document));
  }
  rmSync(backup, { recursive: true, force: true });
  renameSync(fresh, backup);
}

/** Moves the documents out of the folder, and leaves a no-log file in their place. */
export async function moveToBackup(folder: string, backup: string, site: string): Promise<void> {
  await backUp(folder, backup);
  const documents = await documentsIn(folder);
  leaveNoLogFile(folder, site);
  for (const document of documents) {
    if (document !== SOURCE_DESCRIPTION) rmSync(join(folder, document));
  }
}

/** The folder of the documents, if they are not in the output folder. */
export function documentsInBackup(folder: string, backup: string): string | undefined {
  return existsSync(backup) && !isDescribed(folder) ? backup : undefined;
}

function isDescribed(folder: string): boolean {
  return existsSync(join(folder, SOURCE_DESCRIPTION)) && !hasNoLogFile(folder);
}

/** Packages of a Resource Dump are made anew, with their manifests. */
function isNeeded(name: string): boolean {
  return isDocumentName(name) && !isOfResourceDump(name);
}

async function documentsIn(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  const isDocument = (file: string) => isNeeded(documentName(file));
  const rules = { isOffered: isDocument, isExcluded: () => false };
  const found = await walk(folder, rules);
  const named = [...found.candidates];
  if (isDescribed(folder)) named.push(SOURCE_DESCRIPTION);
  const own = named.filter((document) => beginsAsOurs(readFileSync(join(folder, document))));
  return own.length > 0 && existsSync(join(folder, NOTIFIED)) ? [...own, NOTIFIED] : own;
}
