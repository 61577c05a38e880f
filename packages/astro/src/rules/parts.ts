import { basename, dirname, extname } from "node:path";
import { isPage } from "@rs-emit/core/adapter";
import { isEntryPath } from "../content/collections.ts";
import type { SiteKnowledge } from "../knowledge.ts";
import { pathBelow, pathIn } from "../paths.ts";
import type { Project } from "../project.ts";
import { parametersOf, patternOf } from "../routes/pattern.ts";
import { type Likeness, likenessOf, PASSED_OVER, takers } from "./takers.ts";

/** What a file of the project is to its pages, as far as its path tells. */
export type Part =
  /** A page of `src/pages`; its path below that folder. */
  | { readonly kind: "page"; readonly path: string }
  /** A dynamic route of `src/pages`. */
  | { readonly kind: "route"; readonly path: string }
  /** HTML of `public/`. */
  | { readonly kind: "copied"; readonly path: string }
  /** An entry; its path below its collection's folder, and the collections that may have held it. */
  | { readonly kind: "entry"; readonly path: string; readonly collections: readonly string[] }
  /** A neighbour of a file that the option `source` names; its name. */
  | { readonly kind: "stated"; readonly path: string; readonly group: string };

/** A file of a content collection. */
export type EntryPart = Extract<Part, { kind: "entry" }>;

const PAGE = /\.(?:astro|html|md|mdx|mdoc|markdown|mdown|mkdn|mkd|mdwn)$/;

/** Tells the part of a file, whether it stands or is gone. */
export function partTeller(
  project: Project,
  { collections, routes, stated }: SiteKnowledge,
): (file: string) => Part | undefined {
  const groups = new Set([...stated.values()].flatMap((files) => files.slice(0, 1).map(groupOf)));
  const drawn = new Set(
    [...routes.values()].flatMap(({ drawing }) => [...(drawing?.collections ?? [])]),
  );
  const deepestFirst = collections
    .toSorted((one, other) => other.folder.length - one.folder.length)
    .map(likenessOf);
  return (file) => {
    const route = pathIn(project.pages, file);
    if (route !== undefined) return routePart(route);
    const path = pathIn(project.publicFolder, file);
    if (path !== undefined) return isPage(path) ? { kind: "copied", path } : undefined;
    const entry = entryPart(file, deepestFirst, project.content);
    const group = groupOf(file);
    const isStated = groups.has(group) && !entry?.collections.some((name) => drawn.has(name));
    return isStated ? { kind: "stated", path: basename(file), group } : entry;
  };
}

function routePart(path: string): Part | undefined {
  if (!PAGE.test(path) || PASSED_OVER.test(path)) return undefined;
  const kind = parametersOf(patternOf(path)).length > 0 ? "route" : "page";
  return { kind, path };
}

function entryPart(
  file: string,
  collections: readonly Likeness[],
  content: string,
): EntryPart | undefined {
  if (!isEntryPath(file)) return undefined;
  const [deepest] = collections.filter(({ folder }) => pathIn(folder, file) !== undefined);
  if (deepest !== undefined) {
    const near = collections.filter(({ folder }) => folder === deepest.folder);
    const names = takers(near, file).map(({ name }) => name);
    const path = pathBelow(deepest.folder, file);
    return names.length > 0 ? { kind: "entry", path, collections: names } : undefined;
  }
  // A collection that is gone altogether: the folder has its name, by custom.
  const [name = "", ...rest] = pathIn(content, file)?.split("/") ?? [];
  const path = rest.join("/");
  if (path === "" || PASSED_OVER.test(path)) return undefined;
  return { kind: "entry", path, collections: [name] };
}

function groupOf(file: string): string {
  return `${dirname(file)} ${extname(file)}`;
}
