import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "devalue";

export interface CollectionFiles {
  readonly name: string;
  /** Files by the ids of their entries. */
  readonly files: ReadonlyMap<string, string>;
}

export interface DataStorePlace {
  readonly root: string;
  readonly cacheFolder: string;
  /** `experimental.collectionStorage` of Astro 7. */
  readonly hasChunkedStore: boolean;
}

/** Astro's data store is internal: where it cannot be read, there are no collections. */
export function readDataStore({
  root,
  cacheFolder,
  hasChunkedStore,
}: DataStorePlace): CollectionFiles[] {
  try {
    const collections = hasChunkedStore
      ? inChunks(join(cacheFolder, "data-store"))
      : inOneFile(join(cacheFolder, "data-store.json"));
    return collections.map(([name, entries]) => ({
      name,
      files: ownFiles(entries.flatMap(storedEntry), root),
    }));
  } catch {
    return [];
  }
}

type StoredCollection = readonly [name: string, entries: readonly unknown[]];

/** Each chunk has one entry on each line. */
function inChunks(folder: string): StoredCollection[] {
  const manifest = readFileSync(join(folder, "manifest.json"), "utf8");
  const names: Record<string, readonly string[]> = JSON.parse(manifest);
  return Object.entries(names).map(([name, files]) => {
    const text = files.map((file) => readFileSync(join(folder, file), "utf8")).join("");
    const lines = text.split("\n").filter((line) => line !== "");
    return [name, lines.map((line): unknown => parse(line)[1])];
  });
}

function inOneFile(file: string): StoredCollection[] {
  const store: Map<string, Map<string, unknown>> = parse(readFileSync(file, "utf8"));
  return [...store].map(([name, entries]) => [name, [...entries.values()]]);
}

interface StoredEntry {
  readonly id: string;
  readonly filePath: string;
}

function storedEntry(entry: unknown): StoredEntry[] {
  if (typeof entry !== "object" || entry === null) return [];
  if (!("id" in entry) || !("filePath" in entry) || typeof entry.filePath !== "string") return [];
  return [{ id: String(entry.id).normalize(), filePath: entry.filePath }];
}

function ownFiles(entries: readonly StoredEntry[], root: string): CollectionFiles["files"] {
  const uses = new Map<string, number>();
  for (const { filePath } of entries) uses.set(filePath, (uses.get(filePath) ?? 0) + 1);
  const own = entries.filter(({ filePath }) => uses.get(filePath) === 1);
  const files = own.map(({ id, filePath }) => [id, resolve(root, filePath)] as const);
  return new Map(files.filter(([, file]) => existsSync(file)));
}
