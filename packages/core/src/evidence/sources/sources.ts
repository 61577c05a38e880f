import { isPage } from "../../inventory/candidates.ts";
import { isFolder } from "../../look.ts";
import { NoSourceFolderError } from "../errors.ts";
import { folderPrefix } from "../git/path-key.ts";
import type { WorkingTree } from "../working-tree.ts";

/** What a file of the repository makes or, once it has vanished, made. */
export type Made =
  /** A page, by its file in the output folder. */
  | { readonly kind: "page"; readonly file: string }
  /** No page, or several, of which it dates none. */
  | { readonly kind: "nothing" }
  /** A page that nothing tells: the file has vanished, and is named as sources of pages are. */
  | { readonly kind: "unknown" };

/** The files of an output folder. */
export interface BuiltFiles {
  /** The resources. */
  readonly pages: readonly string[];
  /** Pages that stand and are no resources. */
  readonly others: readonly string[];
}

/** Which files of a repository the pages of the output folder are made from. */
export interface Sources {
  /** Keys of the files that this page alone is made from, the one that makes it first. */
  of(page: string): readonly string[];
  madeBy(key: string): Made;
  /** Whether the page stands and falls with this file. */
  makesPage(key: string): boolean;
  /** Key of the folder that holds every source. */
  readonly below: string;
}

/** Every file is its own source: a site written by hand. */
export function ownSources(tree: WorkingTree): Sources {
  const { below } = tree;
  const prefix = folderPrefix(below);
  return {
    below,
    of: (page) => [prefix + Buffer.from(page).toString("latin1")],
    madeBy: (key) => {
      const file = textOf(key.slice(prefix.length));
      if (file !== undefined) return { kind: "page", file };
      return { kind: isPage(key) && tree.hasVanished(key) ? "unknown" : "nothing" };
    },
    makesPage: () => true,
  };
}

/** A key as text; `undefined` when the path is not UTF-8, and so has no URL. */
export function textOf(key: string): string | undefined {
  const text = Buffer.from(key, "latin1").toString();
  return text.includes("\ufffd") ? undefined : text;
}

/** @throws {NoSourceFolderError} when the folder of sources is not there */
export function requireSourceFolder(folder: string): void {
  if (!isFolder(folder)) {
    throw new NoSourceFolderError(folder);
  }
}
