import { existsSync } from "node:fs";
import { extname } from "node:path";
import { type ContentCollection, folderAround } from "../content/collections.ts";
import { pathBelow, pathIn } from "../paths.ts";

/** Astro passes over these, but for `.well-known`, which is for machines. */
export const PASSED_OVER = /(?:^|\/)[._]/;

/** What the files of a collection have in common. */
export interface Likeness {
  readonly name: string;
  /** The folder below which paths are ids. */
  readonly folder: string;
  readonly files: ReadonlySet<string>;
  /** The deepest folder that holds them all. */
  readonly around: string | undefined;
  readonly extensions: ReadonlySet<string>;
  /** Also files whose name begins with an underscore, which collections mostly leave out. */
  readonly takesAll: boolean;
}

/** Looks at the files of a collection. */
export function likenessOf({ name, folder, entries }: ContentCollection): Likeness {
  const files = entries.map(({ file }) => file);
  return {
    name,
    folder,
    files: new Set(files),
    around: folderAround(entries),
    extensions: new Set(files.map(extname)),
    takesAll: files.some((file) => PASSED_OVER.test(pathBelow(folder, file))),
  };
}

/**
 * Which of the collections of one folder hold a file, or may have held one that is gone: those whose
 * files are like it, of several those whose files lie around it.
 */
export function takers(collections: readonly Likeness[], file: string): readonly Likeness[] {
  const holders = collections.filter(({ files }) => files.has(file));
  if (holders.length > 0) return holders;
  // What stands and is no entry was none.
  if (existsSync(file)) return [];
  const alike = collections.filter((one) => isLike(one, file));
  const around = alike.filter((one) => one.around !== undefined && pathIn(one.around, file));
  return around.length > 0 ? around : alike;
}

function isLike({ folder, extensions, takesAll }: Likeness, file: string): boolean {
  if (extensions.size > 0 && !extensions.has(extname(file))) return false;
  return takesAll || !PASSED_OVER.test(pathBelow(folder, file));
}
