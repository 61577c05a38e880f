import { isDocumentName, SOURCE_DESCRIPTION } from "./layout.ts";

/** Tells which files of the output folder are documents of its collections, and so no resources. */
export function ownDocuments(
  collections: readonly { readonly folder: string }[],
  feed: string | undefined,
): (file: string) => boolean {
  const folders = new Set(collections.map(({ folder }) => folder));
  return (file) => {
    const name = file.slice(file.lastIndexOf("/") + 1);
    if (!isDocumentName(name) && name !== feed) return file === SOURCE_DESCRIPTION;
    return folders.has(file.slice(0, -name.length));
  };
}
