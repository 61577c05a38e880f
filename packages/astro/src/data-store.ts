import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "devalue";

/** The files of a content collection's entries, by the entries' ids in normal form C. */
export type CollectionFiles = ReadonlyMap<string, string>;

/** Where Astro keeps the entries of content collections. Folders are absolute paths. */
export interface StorePlace {
  readonly root: string;
  readonly cacheFolder: string;
  /** As `experimental.collectionStorage` of Astro 7 may say. */
  readonly hasChunkedStore: boolean;
}

/**
 * The content collections in Astro's data store. Entries without a file of their own are left out:
 * those of a loader such as `file()`, and those whose file has moved since Astro stored them.
 *
 * The store is internal to Astro. Where it cannot be read, there are no collections.
 */
export function readDataStore({
  root,
  cacheFolder,
  hasChunkedStore,
}: StorePlace): CollectionFiles[] {
  try {
    const collections = hasChunkedStore
      ? inChunks(join(cacheFolder, "data-store"))
      : inOneFile(join(cacheFolder, "data-store.json"));
    return collections.map((entries) => ownFiles(entries.flatMap(storedEntry), root));
  } catch {
    return [];
  }
}

/** A manifest names the files that together hold a collection's entries, a line each. */
function inChunks(folder: string): unknown[][] {
  const manifest = readFileSync(join(folder, "manifest.json"), "utf8");
  const names: Record<string, readonly string[]> = JSON.parse(manifest);
  return Object.values(names).map((files) => {
    const text = files.map((file) => readFileSync(join(folder, file), "utf8")).join("");
    const lines = text.split("\n").filter((line) => line !== "");
    return lines.map((line): unknown => parse(line)[1]);
  });
}

function inOneFile(file: string): unknown[][] {
  const store: Map<string, Map<string, unknown>> = parse(readFileSync(file, "utf8"));
  return [...store.values()].map((entries) => [...entries.values()]);
}

interface StoredEntry {
  readonly id: string;
  /** Below the project's root. */
  readonly filePath: string;
}

function storedEntry(entry: unknown): StoredEntry[] {
  if (typeof entry !== "object" || entry === null) return [];
  if (!("id" in entry) || !("filePath" in entry) || typeof entry.filePath !== "string") return [];
  return [{ id: String(entry.id).normalize(), filePath: entry.filePath }];
}

function ownFiles(entries: readonly StoredEntry[], root: string): CollectionFiles {
  const uses = new Map<string, number>();
  for (const { filePath } of entries) uses.set(filePath, (uses.get(filePath) ?? 0) + 1);
  const own = entries.filter(({ filePath }) => uses.get(filePath) === 1);
  const files = own.map(({ id, filePath }) => [id, resolve(root, filePath)] as const);
  return new Map(files.filter(([, file]) => existsSync(file)));
}
