import { statSync } from "node:fs";
import { resolve } from "node:path";
import { isPage } from "../../inventory/candidates.ts";
import { NoSourceFolderError } from "../errors.ts";
import { folderPrefix, pathKey } from "../git/path-key.ts";
import type { Repository } from "../git/repository.ts";
import type { WorkingTree } from "../working-tree.ts";
import { extensionOf, mayMakePage } from "./extension.ts";
import { type Links, linkPages } from "./links.ts";
import { sourceMatcher } from "./match.ts";
import { learnRewriting } from "./rewriting.ts";

/** What a file of the repository makes or, once it has vanished, made. */
export type Made =
  /** A page, by its file in the output folder. */
  | { readonly kind: "page"; readonly file: string }
  /** No page: it is a picture, a layout, or made several pages and dates none of them. */
  | { readonly kind: "nothing" }
  /** It has vanished, is named as sources of pages are, and nothing tells which page was its. */
  | { readonly kind: "unknown" };

const NOTHING: Made = { kind: "nothing" };
const UNKNOWN: Made = { kind: "unknown" };

/** Which files of a repository the pages of the output folder are made from. */
export interface Sources {
  /** Keys of the files that only this page is made from; see `Links`. */
  of(file: string): readonly string[];
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
    of: (file) => [prefix + Buffer.from(file).toString("latin1")],
    madeBy: (key) => {
      const file = textOf(key.slice(prefix.length));
      if (file !== undefined) return { kind: "page", file };
      return isPage(key) && tree.hasVanished(key) ? UNKNOWN : NOTHING;
    },
    makesPage: () => true,
  };
}

/**
 * The pages are made from the files of another folder, matched by path; what a vanished file made is
 * told by the rule that the surviving pages agree on.
 *
 * @param output key of the output folder
 * @param pages its resources
 */
export function matchedSources(
  tree: WorkingTree,
  output: string,
  pages: readonly string[],
): Sources {
  const { below } = tree;
  const prefix = folderPrefix(below);
  const isOutput = inOutput(tree, output);
  const sources = new Map<string, string>();
  for (const key of tree.living) {
    const source = isOutput(key) ? undefined : textOf(key.slice(prefix.length));
    if (source !== undefined) sources.set(source, key);
  }
  const match = sourceMatcher(sources.keys());
  const links = linkPages(pages, (page) => {
    const key = sources.get(match(page) ?? "");
    return key === undefined ? [] : [key];
  });
  const pathOf = (key: string) => textOf(key.slice(prefix.length)) ?? "";
  const rewrite = learnRewriting([...links.pageOf].map(([key, page]) => [pathOf(key), page]));
  const vanished = (key: string) => rewrite(pathOf(key));
  return {
    below,
    of: (file) => links.sourcesOf.get(file) ?? [],
    madeBy: madeByLinks(links, tree, isOutput, vanished),
    makesPage: () => true,
  };
}

/** What a builder says each page is made from, by absolute path; vanished files stay unknown. */
export function statedSources(
  repository: Repository,
  tree: WorkingTree,
  output: string,
  pages: readonly string[],
  sourcesOf: (file: string) => readonly string[],
): Sources {
  const links = linkPages(pages, (page) =>
    sourcesOf(page).map((source) => pathKey(repository, resolve(source))),
  );
  return {
    below: tree.below,
    of: (file) => links.sourcesOf.get(file) ?? [],
    madeBy: madeByLinks(links, tree, inOutput(tree, output), () => undefined),
    makesPage: (key) => links.sourcesOf.get(links.pageOf.get(key) ?? "")?.[0] === key,
  };
}
