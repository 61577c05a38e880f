import { existsSync } from "node:fs";
import { basename, dirname, extname } from "node:path";
import { isPage } from "@rs-emit/core/adapter";
import { type ContentCollection, isEntryPath } from "../content/collections.ts";
import type { SiteKnowledge } from "../knowledge.ts";
import { pathBelow } from "../paths.ts";
import type { Project } from "../project.ts";
import { parametersOf, patternOf } from "../routes/pattern.ts";

/** What a file of the project is to its pages, as far as its path tells. */
export type Part =
  /** A page of `src/pages`; its path below that folder. */
  | { readonly kind: "page"; readonly path: string }
  /** A dynamic route of `src/pages`. */
  | { readonly kind: "route"; readonly path: string }
  /** HTML of `public/`. */
  | { readonly kind: "copied"; readonly path: string }
  /** An entry; its path below its collection's folder. */
  | { readonly kind: "entry"; readonly path: string; readonly collection: string }
  /** A neighbour of a file that the option `source` names; its name. */
  | { readonly kind: "stated"; readonly path: string; readonly group: string };

/** A file of a content collection. */
export type EntryPart = Extract<Part, { kind: "entry" }>;

const PAGE = /\.(?:astro|html|md|mdx|mdoc|markdown|mdown|mkdn|mkd|mdwn)$/;
/** Astro passes over these, but for `.well-known`, which is for machines. */
const PASSED_OVER = /(?:^|\/)[._]/;

/** Tells the part of a file, whether it stands or is gone. */
export function partTeller(
  project: Project,
  { collections, routes, stated }: SiteKnowledge,
): (file: string) => Part | undefined {
  const groups = new Set([...stated.values()].flatMap((files) => files.slice(0, 1).map(groupOf)));
  const drawn = new Set(
    [...routes.values()].flatMap(({ drawing }) => [...(drawing?.collections ?? [])]),
  );
  const likenesses = collections
    .toSorted((one, other) => other.folder.length - one.folder.length)
    .map(likenessOf);
  return (file) => {
    const route = pathIn(project.pages, file);
    if (route !== undefined) return routePart(route);
    const path = pathIn(project.publicFolder, file);
    if (path !== undefined) return isPage(path) ? { kind: "copied", path } : undefined;
    const entry = entryPart(file, likenesses, project.content);
    const group = groupOf(file);
    const isStated = groups.has(group) && !drawn.has(entry?.collection ?? "");
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
  const collection = collections.find(({ folder }) => pathIn(folder, file) !== undefined);
  if (collection !== undefined) {
    const path = pathBelow(collection.folder, file);
    return isLike(collection, path, file)
      ? { kind: "entry", path, collection: collection.name }
      : undefined;
  }
  // A collection that is gone altogether: the folder has its name, by custom.
  const [name = "", ...rest] = pathIn(content, file)?.split("/") ?? [];
  const path = rest.join("/");
  if (path === "" || PASSED_OVER.test(path)) return undefined;
  return { kind: "entry", path, collection: name };
}

/** What the files of a collection have in common. */
interface Likeness {
  readonly name: string;
  readonly folder: string;
  readonly files: ReadonlySet<string>;
  readonly extensions: ReadonlySet<string>;
  /** Also files whose name begins with an underscore, which collections mostly leave out. */
  readonly takesAll: boolean;
}

function likenessOf({ name, folder, entries }: ContentCollection): Likeness {
  const files = entries.map(({ file }) => file);
  return {
    name,
    folder,
    files: new Set(files),
    extensions: new Set(files.map(extname)),
    takesAll: files.some((file) => PASSED_OVER.test(pathBelow(folder, file))),
  };
}

/** Whether a file is an entry, or was one: what stands and is none was none. */
function isLike({ files, extensions, takesAll }: Likeness, path: string, file: string): boolean {
  if (files.has(file)) return true;
  const isNamedLike = extensions.has(extname(path)) && (takesAll || !PASSED_OVER.test(path));
  return isNamedLike && !existsSync(file);
}

function groupOf(file: string): string {
  return `${dirname(file)} ${extname(file)}`;
}

function pathIn(folder: string, file: string): string | undefined {
  const path = pathBelow(folder, file);
  return path.startsWith("../") ? undefined : path;
}
