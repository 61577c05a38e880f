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
import { beginsAsOurs, isDocumentName, SOURCE_DESCRIPTION, walk } from "@rs-emit/core/adapter";

/**
 * Copies the documents of an output folder that its builder is about to empty over those that were put
 * aside before. Where the publication before was killed, that is what it would have left in a folder
 * that nobody empties; where its build failed, it left none, and those put aside stay.
 *
 * @param folder the output folder, which need not exist
 * @param aside where to keep them, for `Environment.documents`; removed by who published them anew
 */
export async function putAside(folder: string, aside: string): Promise<void> {
  const documents = await documentsIn(folder);
  if (documents.length === 0) return;
  // Whole or not at all: a copy that was cut short would look like a log that lost its lists.
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

/** The documents that rs-emit wrote; others of such names are the builder's to write again. */
async function documentsIn(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  const isDocument = (file: string) => isDocumentName(file.slice(file.lastIndexOf("/") + 1));
  const rules = { isOffered: isDocument, isExcluded: () => false, isCandidate: isDocument };
  const found = await walk(folder, rules);
  const named = [...found.candidates];
  if (existsSync(join(folder, SOURCE_DESCRIPTION))) named.push(SOURCE_DESCRIPTION);
  return named.filter((document) => beginsAsOurs(readFileSync(join(folder, document))));
}
