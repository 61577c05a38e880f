import { resolve } from "node:path";
import { urlKey } from "@rs-emit/documents";
import {
  folderKey,
  folderPrefix,
  isOutside,
  linkedKey,
  pathKey,
  textOf,
} from "../git/repository.ts";
import { type Edits, isLiving, livingFiles, type WorkingTree } from "../git/status.ts";
import { isPage } from "../inventory/file-rules.ts";
import type { UndatedReason } from "../model/plan.ts";
import { filesOf, type Inventory } from "../model/resources.ts";
import type { TrackedOutput } from "./output-files.ts";
import type { RepositoryReading } from "./repositories.ts";
import { builtPages, type Origin, SourceLinks, sourceMatcher } from "./source-links.ts";

export interface PageFiles {
  /** Present when git tracks files of the output folder. */
  readonly output: TrackedOutput | undefined;
  readonly pageOf: ReadonlyMap<string, string>;
  readonly edits: Edits;
  keysOf(page: string): readonly string[];
  reasonOf(page: string): UndatedReason;
  /** Git only knows the changes of such a page's own file. */
  isMadeOfOthers(page: string): boolean;
}

export function pageFiles(
  origin: Origin,
  reading: RepositoryReading,
  folder: string,
  inventory: Inventory,
): PageFiles {
  const { repository, tree, lacking } = reading;
  const prefix = folderPrefix(folderKey(repository, folder));
  const reasonOfKey = (key: string): UndatedReason => {
    if (repository.head === undefined) return "no-commits";
    const file = linkedKey(repository, key) ?? key;
    if (isOutside(file)) return "outside";
    return lacking.some((folder) => file.startsWith(folder)) ? "within" : "untracked";
  };
  const ownKey = (page: string) => prefix + Buffer.from(page).toString("latin1");
  if (origin.kind === "own") {
    const resources = new Set(filesOf(inventory.resources).map(ownKey));
    const isOfPage = (key: string) => resources.has(key) || (key.startsWith(prefix) && isPage(key));
    return {
      edits: authorsEdits(tree, isOfPage),
      output: {
        prefix,
        committed: tree.committed,
        followsFile: () => true,
        endSource: () => false,
      },
      pageOf: new Map(),
      keysOf: (page) => [ownKey(page)],
      isMadeOfOthers: () => false,
      reasonOf: (page) => reasonOfKey(ownKey(page)),
    };
  }
  const isTracked = (page: string) => tree.committed.has(ownKey(page));
  const links = new SourceLinks(builtPages(inventory), keysOf(origin, reading, prefix));
  const edits = authorsEdits(tree, (key) => links.pageOf.has(key));
  const living = { committed: tree.committed, edits };
  // A builder's output may be in git by mistake; its plugin knows the source file.
  const wins = (page: string) => origin.kind === "stated" || !isTracked(page);
  const followed = [...links.pageOf].filter(([key, page]) => wins(page) && isLiving(living, key));
  const sourced = new Set(followed.map(([, page]) => page));
  return {
    edits,
    output: trackedOutput(prefix, tree.committed, inventory, { isTracked, sourced }),
    pageOf: new Map(followed),
    keysOf: (page) => {
      const own = links.ownOf(page);
      return own.length === 0 && isTracked(page) ? [ownKey(page)] : own;
    },
    isMadeOfOthers: (page) => links.isMadeOfOthers(page),
    reasonOf: (page) => {
      if (repository.head === undefined) return "no-commits";
      const first = links.firstOf(page);
      if (first === undefined) return "no-source";
      return first.isShared ? "shared" : reasonOfKey(first.source);
    },
  };
}

/** Existing pages need a tracked file and no source file; deleted pages all count. */
function trackedOutput(
  prefix: string,
  committed: ReadonlySet<string>,
  inventory: Inventory,
  {
    isTracked,
    sourced,
  }: { readonly isTracked: (page: string) => boolean; readonly sourced: ReadonlySet<string> },
): TrackedOutput | undefined {
  if (!filesOf(inventory.resources).some(isTracked)) return undefined;
  const { resources, excluded, stale } = inventory;
  const pages = [...resources, ...excluded, ...stale];
  const keysOf = (chosen: readonly { readonly url: string }[]) =>
    new Set(chosen.map(({ url }) => urlKey(url)));
  const isOwn = ({ file }: { readonly file: string | undefined }) =>
    file !== undefined && isTracked(file);
  const untracked = keysOf(pages.filter((page) => !isOwn(page)));
  const bySource = keysOf(pages.filter((page) => isOwn(page) && sourced.has(page.file ?? "")));
  return {
    prefix,
    committed,
    followsFile: (url) => !untracked.has(urlKey(url)) && !bySource.has(urlKey(url)),
    endSource: (url) => bySource.delete(urlKey(url)),
  };
}

function keysOf(
  origin: Exclude<Origin, { kind: "own" }>,
  { repository, tree }: RepositoryReading,
  output: string,
): (page: string) => readonly string[] {
  if (origin.kind === "stated") {
    const { builder } = origin;
    return (page) => builder.sourceFiles(page).map((file) => pathKey(repository, resolve(file)));
  }
  const { sourceFolder, sourceOf } = origin;
  const matched =
    sourceFolder === undefined
      ? () => undefined
      : keyMatcher(folderPrefix(folderKey(repository, sourceFolder)), tree, output);
  return (page) => {
    const source = sourceOf(page);
    const key = source === undefined ? matched(page) : pathKey(repository, source);
    return key === undefined ? [] : [key];
  };
}

/** @param below the source folder: the prefix of its files' keys */
function keyMatcher(
  below: string,
  tree: WorkingTree,
  output: string,
): (page: string) => string | undefined {
  const liesBelow = output !== below && output.startsWith(below);
  const keys = new Map<string, string>();
  for (const key of livingFiles(tree)) {
    if (!key.startsWith(below) || (liesBelow && key.startsWith(output))) continue;
    const path = textOf(key.slice(below.length));
    if (path !== undefined) keys.set(path, key);
  }
  const match = sourceMatcher(keys.keys());
  return (page) => keys.get(match(page) ?? "");
}

/** Drops new files if git tracks no page or source file: a builder wrote them, when the site was built. */
function authorsEdits(
  { committed, edits }: Omit<WorkingTree, "links">,
  isOfPage: (key: string) => boolean,
): Edits {
  if (![...edits.values()].some(({ kind }) => kind === "added")) return edits;
  for (const key of committed) if (isOfPage(key)) return edits;
  return new Map([...edits].filter(([, { kind }]) => kind !== "added"));
}
