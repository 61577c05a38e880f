import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { pathBelow } from "../paths.ts";
import type { Project } from "../project.ts";
import { readDataStore, type StoredEntry } from "./data-store.ts";
import { entryFacts } from "./entry-facts.ts";
import { entryId } from "./entry-id.ts";

/** An entry of a content collection that has a file of its own. */
export interface ContentEntry {
  /** What its page is named after: its id, and what Astro 4 called its slug. */
  readonly ids: readonly string[];
  /** An absolute path. */
  readonly file: string;
}

/** A content collection whose entries are files. */
export interface ContentCollection {
  readonly name: string;
  /** The folder below which paths are ids. */
  readonly folder: string;
  readonly entries: readonly ContentEntry[];
  /** The id of every entry is what its path gives, or its `slug`. */
  readonly isNamedByPath: boolean;
}

/**
 * The collections of a site: from Astro's data store, and those that it does not hold from the
 * folders of `src/content`.
 */
export function readCollections(project: Project): ContentCollection[] {
  const stored = readDataStore(project.cacheFolder, project.hasChunkedStore);
  const names = new Set(stored.map(({ collection }) => collection));
  const others = foldersIn(project.content).filter((name) => !names.has(name));
  return [
    ...[...names].map((name) => {
      const entries = stored.filter(({ collection }) => collection === name);
      return storedCollection(project, name, entries);
    }),
    ...others.map((name) => {
      const folder = join(project.content, name);
      return { name, folder, entries: entriesBelow(folder), isNamedByPath: true };
    }),
  ];
}

function storedCollection(
  { root }: Project,
  name: string,
  stored: readonly StoredEntry[],
): ContentCollection {
  const all = stored.map(({ id, filePath }) => {
    const file = resolve(root, filePath);
    return { file, ids: id.endsWith(extname(file)) ? [id, entryId(id)] : [id] };
  });
  const folder = folderOf(all);
  const files = all.map(({ file }) => file).sort();
  const shared = new Set(files.filter((file, position) => file === files[position + 1]));
  const own = all.filter(({ file }) => !shared.has(file));
  const isNamedByPath = own.every((entry) => isOfPath(entry, folder));
  if (own.every(({ file }) => existsSync(file)))
    return { name, folder, entries: own, isNamedByPath };
  // The store does not see that a file has moved where its contents and its id are the same.
  const found = entriesBelow(folder);
  const entries = own.flatMap((entry) =>
    existsSync(entry.file) ? entry : (found.find(({ ids }) => ids[0] === entry.ids[0]) ?? []),
  );
  return { name, folder, entries, isNamedByPath };
}

/** Whether an entry's id is what Astro gives by itself; of one that has moved, nothing tells. */
function isOfPath({ file, ids }: ContentEntry, folder: string): boolean {
  const path = pathBelow(folder, file);
  const names = ids.map((id) => id.normalize());
  if (names.includes(entryId(path).normalize()) || names.includes(path.normalize())) return true;
  if (!existsSync(file)) return true;
  const { slug } = entryFacts(file, readFileSync(file));
  return slug !== undefined && names.includes(slug.normalize());
}

/** The folder that most entries' ids are relative to; the one that holds them all where none are. */
function folderOf(entries: readonly ContentEntry[]): string {
  const votes = new Map<string, number>();
  for (const { ids, file } of entries) {
    for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
      if (!ids.includes(entryId(pathBelow(folder, file)))) continue;
      votes.set(folder, (votes.get(folder) ?? 0) + 1);
      break;
    }
  }
  const [elected] = [...votes].sort(([, one], [, other]) => other - one);
  if (elected !== undefined) return elected[0];
  return folderAround(entries) ?? "";
}

/** The deepest folder that holds all of some entries; `undefined` for none. */
export function folderAround(entries: readonly ContentEntry[]): string | undefined {
  const [first, ...others] = entries.map(({ file }) => dirname(file));
  return first === undefined ? undefined : others.reduce(common, first);
}

function common(one: string, other: string): string {
  let folder = one;
  while (folder !== dirname(folder) && pathBelow(folder, other).startsWith("..")) {
    folder = dirname(folder);
  }
  return folder;
}

/** Whether Astro reads a file as an entry, as far as its path tells. */
export function isEntryPath(path: string): boolean {
  return /\.(?:md|mdx|mdoc|markdown|mdown|mkdn|mkd|mdwn|json|ya?ml|toml)$/.test(path);
}

function entriesBelow(folder: string): ContentEntry[] {
  const found = existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
    : [];
  return found.flatMap((entry): ContentEntry[] => {
    const file = join(entry.parentPath, entry.name);
    const path = pathBelow(folder, file);
    if (!entry.isFile() || !isEntryPath(path)) return [];
    return [{ file, ids: [entryFacts(file, readFileSync(file)).slug ?? entryId(path)] }];
  });
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder, { withFileTypes: true });
  return found.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
