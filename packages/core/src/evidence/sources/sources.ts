import { statSync } from "node:fs";
import { resolve } from "node:path";
import { NoSourceFolderError } from "../errors.ts";
import { folderPrefix, pathKey } from "../git/path-key.ts";
import type { Repository } from "../git/repository.ts";
import { sourceMatcher } from "./match.ts";
import { learnRewriting } from "./rewriting.ts";

/** Which files of a repository the pages of the output folder are made from. */
export interface Sources {
  /**
   * Keys of the files a page is made from; the first makes the page, the others only change it. A
   * file that several pages are made from dates none of them, and is left out.
   */
  of(file: string): readonly string[];
  /** The page that a file makes or, once it has vanished, made; `undefined` where that is unknown. */
  pageOf(key: string): string | undefined;
  /** Whether the page stands and falls with this file. */
  makesPage(key: string): boolean;
  /** Key of the folder that holds every source. */
  readonly below: string;
}

/** Every file is its own source: a site written by hand. */
export function ownSources(repository: Repository, folder: string): Sources {
  const below = folderKey(repository, folder);
  const prefix = folderPrefix(below);
  return {
    below,
    of: (file) => [prefix + Buffer.from(file).toString("latin1")],
    pageOf: (key) => (key.startsWith(prefix) ? textOf(key.slice(prefix.length)) : undefined),
    makesPage: () => true,
  };
}

/**
 * The pages are made from the files of another folder, matched by path; what a vanished file made is
 * told by the rule that the surviving pages agree on.
 *
 * @param living keys of the files that stand below the folder
 * @param pages every page of the output folder
 */
export function matchedSources(
  repository: Repository,
  folder: string,
  living: Iterable<string>,
  pages: readonly string[],
): Sources {
  const below = folderKey(repository, folder);
  const prefix = folderPrefix(below);
  const sources = new Map<string, string>();
  for (const key of living) {
    const source = key.startsWith(prefix) ? textOf(key.slice(prefix.length)) : undefined;
    if (source !== undefined) sources.set(source, key);
  }
  const match = sourceMatcher(sources.keys());
  const links = linkPages(pages, (file) => {
    const key = sources.get(match(file) ?? "");
    return key === undefined ? [] : [key];
  });
  const text = (key: string): string => textOf(key.slice(prefix.length)) ?? "";
  const rewrite = learnRewriting([...links.pageOf].map(([key, page]) => [text(key), page]));
  const standing = new Set(sources.values());
  return {
    below,
    of: (file) => links.sourcesOf.get(file) ?? [],
    pageOf: (key) => {
      if (standing.has(key)) return links.pageOf.get(key);
      return key.startsWith(prefix) ? rewrite(text(key)) : undefined;
    },
    makesPage: () => true,
  };
}

/** What a builder says each page is made from, by absolute path; vanished files stay unknown. */
export function statedSources(
  repository: Repository,
  pages: readonly string[],
  sourcesOf: (file: string) => readonly string[],
): Sources {
  const links = linkPages(pages, (file) =>
    sourcesOf(file).map((source) => pathKey(repository, resolve(source))),
  );
  return {
    below: "",
    of: (file) => links.sourcesOf.get(file) ?? [],
    pageOf: (key) => links.pageOf.get(key),
    makesPage: (key) => links.sourcesOf.get(links.pageOf.get(key) ?? "")?.[0] === key,
  };
}

function linkPages(
  pages: readonly string[],
  keysOf: (file: string) => readonly string[],
): { sourcesOf: Map<string, readonly string[]>; pageOf: Map<string, string> } {
  const madeFrom = pages.map((file) => [file, keysOf(file)] as const);
  const uses = new Map<string, number>();
  for (const key of madeFrom.flatMap(([, keys]) => keys)) uses.set(key, (uses.get(key) ?? 0) + 1);
  const sourcesOf = new Map<string, readonly string[]>();
  const pageOf = new Map<string, string>();
  for (const [file, keys] of madeFrom) {
    const own = keys.filter((key) => uses.get(key) === 1);
    sourcesOf.set(file, own);
    for (const key of own) pageOf.set(key, file);
  }
  return { sourcesOf, pageOf };
}

/** @throws {NoSourceFolderError} when the folder of sources is not there */
export function requireSourceFolder(folder: string): void {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new NoSourceFolderError(folder);
  }
}

/** Key of a folder. */
export function folderKey(repository: Repository, folder: string): string {
  const key = pathKey(repository, resolve(folder, "x"));
  return key === "x" ? "" : key.slice(0, -"/x".length);
}

/** A key as text; `undefined` when the path is not UTF-8, and so has no URL. */
function textOf(key: string): string | undefined {
  const text = Buffer.from(key, "latin1").toString();
  return text.includes("\ufffd") ? undefined : text;
}
