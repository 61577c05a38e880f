import { readFileSync } from "node:fs";
import { readVersions } from "../git/blobs.ts";
import { fileOfKey, type Repository, textOf } from "../git/repository.ts";
import type { Edit, Edits } from "../git/status.ts";
import { isPage } from "../inventory/file-rules.ts";
import { isXhtml, withoutInsertions } from "../page/placeholders/find-placeholders.ts";
import { mayBeMarked } from "../page/placeholders/placeholder-search.ts";

/** Drops edits where only rs-emit's own insertions differ from the commit. */
export async function withoutOwnEdits(repository: Repository, all: Edits): Promise<Edits> {
  const marked = [...all].flatMap(([key, edit]) => {
    const page = edit.kind === "modified" ? markedPage(repository, key) : undefined;
    return page === undefined ? [] : [{ key, edit, ...page }];
  });
  if (marked.length === 0) return all;
  const edits = new Map<string, Edit>(all);
  const versions = readVersions(
    repository,
    marked.map(({ edit }) => edit.previous),
  );
  let at = 0;
  for await (const { bytes } of versions) {
    const page = marked[at++];
    if (page === undefined || bytes === undefined) continue;
    if (page.own.equals(withoutInsertions(bytes, page.xhtml))) edits.delete(page.key);
  }
  return edits;
}

function markedPage(repository: Repository, key: string) {
  const name = textOf(key);
  if (name === undefined || !isPage(name)) return undefined;
  try {
    const bytes = readFileSync(fileOfKey(repository, key));
    const xhtml = isXhtml(name);
    if (!mayBeMarked(bytes)) return undefined;
    return { own: Buffer.from(withoutInsertions(bytes, xhtml)), xhtml };
  } catch {
    return undefined;
  }
}
