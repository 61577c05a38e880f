import { isDocumentName, SOURCE_DESCRIPTION } from "./layout.ts";
import type { Settings } from "./options.ts";
import type { Recalled } from "./recall/recall.ts";

/** Tells which files of the output folder are documents of the publication, and so no resources. */
export function ownDocuments(
  { collections }: Settings,
  recalled: Recalled,
): (file: string) => boolean {
  const folders = new Set(collections.map(({ folder }) => folder));
  if (recalled.kind === "published") {
    for (const { folder } of recalled.publication.collections) folders.add(folder);
  }
  return (file) => {
    const name = file.slice(file.lastIndexOf("/") + 1);
    if (!isDocumentName(name)) return file === SOURCE_DESCRIPTION;
    return folders.has(file.slice(0, -name.length));
  };
}
