import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "devalue";

/** An entry of a content collection, as Astro remembers it. */
export interface StoredEntry {
  readonly collection: string;
  readonly id: string;
  /** Below the project's root. */
  readonly filePath: string;
}

/**
 * The entries in Astro's data store that were made from files. The store is Astro's own affair: where
 * it cannot be read, there are none.
 *
 * @param isChunked as `experimental.collectionStorage` of Astro 7 may say
 */
export function readDataStore(cacheFolder: string, isChunked: boolean): StoredEntry[] {
  try {
    const collections = isChunked
      ? inChunks(join(cacheFolder, "data-store"))
      : inOneFile(join(cacheFolder, "data-store.json"));
    return [...collections].flatMap(([collection, entries]) =>
      entries.flatMap((entry) => storedEntry(collection, entry)),
    );
  } catch {
    return [];
  }
}

/** A manifest names the files that together hold a collection's entries, a line each. */
function inChunks(folder: string): Map<string, unknown[]> {
  const manifest = readFileSync(join(folder, "manifest.json"), "utf8");
  const names: Record<string, readonly string[]> = JSON.parse(manifest);
  return new Map(
    Object.entries(names).map(([collection, files]) => {
      const text = files.map((file) => readFileSync(join(folder, file), "utf8")).join("");
      const lines = text.split("\n").filter((line) => line !== "");
      return [collection, lines.map((line): unknown => parse(line)[1])];
    }),
  );
}

function inOneFile(file: string): Map<string, unknown[]> {
  const store: Map<string, Map<string, unknown>> = parse(readFileSync(file, "utf8"));
  return new Map([...store].map(([collection, entries]) => [collection, [...entries.values()]]));
}

function storedEntry(collection: string, entry: unknown): StoredEntry[] {
  if (typeof entry !== "object" || entry === null) return [];
  if (!("id" in entry) || !("filePath" in entry) || typeof entry.filePath !== "string") return [];
  return [{ collection, id: String(entry.id), filePath: entry.filePath }];
}
