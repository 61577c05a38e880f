import { resolve } from "node:path";
import type { Builder } from "../../builder.ts";
import { folderPrefix, pathKey } from "../git/path-key.ts";
import type { Repository } from "../git/repository.ts";
import type { WorkingTree } from "../working-tree.ts";
import { extensionOf, mayMakePage } from "./extension.ts";
import { type Links, linkPages } from "./links.ts";
import { sourceMatcher } from "./match.ts";
import { learnRewriting } from "./rewriting.ts";
import { type BuiltFiles, type Sources, textOf } from "./sources.ts";

/** A built site, by its files. */
interface Built extends BuiltFiles {
  /** Key of the output folder. */
  readonly output: string;
}

/**
 * The pages are made from the files of another folder, matched by path; what a vanished file made is
 * told by the rule that the surviving pages agree on.
 */
export function matchedSources(tree: WorkingTree, built: Built): Sources {
  const prefix = folderPrefix(tree.below);
  const pathOf = (key: string) => textOf(key.slice(prefix.length));
  const isOutput = inOutput(tree, built);
  const sources = new Map<string, string>();
  for (const key of tree.living) {
    const path = pathOf(key);
    if (path !== undefined && !isOutput(key)) sources.set(path, key);
  }
  const match = sourceMatcher(sources.keys());
  const links = linkPages(built.pages, (page) => {
    const key = sources.get(match(page) ?? "");
    return key === undefined ? [] : [key];
  });
  const rewrite = learnRewriting(
    [...links.pageOf].map(([key, page]) => [pathOf(key) ?? "", page] as const),
  );
  return {
    ...linkedSources(tree, built, links, (key) => {
      const path = pathOf(key);
      return path === undefined ? undefined : rewrite(path);
    }),
    makesPage: () => true,
  };
}

/** A builder says what each page is made from. */
export function statedSources(
  repository: Repository,
  tree: WorkingTree,
  built: Built,
  builder: Builder,
): Sources {
  const pages = [...built.pages, ...built.others];
  const keys = new Map(pages.map((page) => [page, keysOf(repository, builder, page)]));
  const keysOfPage = (page: string) => keys.get(page) ?? [];
  const links = linkPages(built.pages, keysOfPage);
  return {
    ...linkedSources(tree, built, links, () => undefined),
    makesPage: (key) => links.sourcesOf.get(links.pageOf.get(key) ?? "")?.[0] === key,
  };
}

function keysOf(repository: Repository, { sourceFiles }: Builder, page: string): readonly string[] {
  return sourceFiles(page).map((source) => pathKey(repository, resolve(source)));
}

/** @param madeOnce the page of a file that has vanished, where that is certain */
function linkedSources(
  tree: WorkingTree,
  built: Built,
  links: Links,
  madeOnce: (key: string) => string | undefined,
): Omit<Sources, "makesPage"> {
  const isOutput = inOutput(tree, built);
  return {
    below: tree.below,
    of: (page) => links.sourcesOf.get(page) ?? [],
    madeBy: (key) => {
      const living = links.pageOf.get(key);
      if (living !== undefined) return { kind: "page", file: living };
      if (isOutput(key)) return { kind: "nothing" };
      const file = madeOnce(key);
      const isNamedAsSource = mayMakePage(key) && links.extensions.has(extensionOf(key));
      if (file === undefined && !isNamedAsSource) return { kind: "nothing" };
      if (!tree.hasVanished(key)) return { kind: "nothing" };
      return file === undefined ? { kind: "unknown" } : { kind: "page", file };
    },
  };
}

/** Tells the files of the output folder, where it lies among the sources. */
function inOutput({ below }: WorkingTree, { output }: Built): (key: string) => boolean {
  const lies = output !== below && output.startsWith(folderPrefix(below));
  return (key) => lies && key.startsWith(folderPrefix(output));
}
