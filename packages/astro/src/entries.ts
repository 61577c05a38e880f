import type { CollectionFiles } from "./data-store.ts";
import { parametersOf, parameterValues, type Route } from "./routes.ts";

export type EntryFiles = ReadonlyMap<string, string>;

/** A page has the only entry, of all collections, whose id fills a parameter, or all together. */
export function entryFiles(
  written: ReadonlyMap<string, Route>,
  collections: readonly CollectionFiles[],
): EntryFiles {
  const pages = new Map<Route, Map<string, readonly string[]>>();
  for (const [file, route] of written) {
    if (route.type !== "page" || parametersOf(route).length === 0) continue;
    const values = parameterValues(route, file);
    // A page that replaces a missing translation has another path than its route.
    if (values === undefined) continue;
    const ofRoute = pages.get(route) ?? new Map();
    pages.set(route, ofRoute.set(file, values));
  }
  return new Map(
    [...pages].flatMap(([route, values]) => [...entriesOf(route, values, collections)]),
  );
}

function entriesOf(
  route: Route,
  pages: ReadonlyMap<string, readonly string[]>,
  collections: readonly CollectionFiles[],
): EntryFiles {
  const none = new Map<string, string>();
  const parameters = parametersOf(route);
  // Astro's `paginate` fills this parameter with numbers: these pages are lists.
  if (parameters.includes("page")) return none;
  const identifiers = parameters.map((_, at) => (values: readonly string[]) => values[at] ?? "");
  if (parameters.length > 1) identifiers.push((values) => values.filter(Boolean).join("/"));
  const found = new Map<string, Set<string>>();
  for (const identifier of identifiers) {
    const ids = [...pages].map(([page, values]) => [page, identifier(values)] as const);
    for (const [page, files] of matches(ids, collections)) {
      found.set(page, new Set([...(found.get(page) ?? []), ...files]));
    }
  }
  return ownOf(found);
}

/** Empty where most pages have no entry: in a list of tags, a tag may have a post's name. */
function matches(
  ids: readonly (readonly [page: string, id: string])[],
  collections: readonly CollectionFiles[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const named = ids.filter(([, id]) => id !== "");
  for (const [page, id] of named) {
    const files = filesOf(id, collections);
    if (files.length > 0) found.set(page, files);
  }
  if (found.size * 2 <= named.length) return new Map();
  // Many sites omit the parameter for the entry `index`, others for a page without an entry.
  const [unnamed] = ids.find(([, id]) => id === "") ?? [];
  const used = new Set([...found.values()].flat());
  const ofRoute = collections.filter(({ files }) =>
    [...files.values()].some((one) => used.has(one)),
  );
  const index = filesOf("index", ofRoute);
  if (unnamed !== undefined && index.length > 0) found.set(unnamed, index);
  return found;
}

/** Routes of several collections often put the collection's name before the id. */
function filesOf(id: string, collections: readonly CollectionFiles[]): readonly string[] {
  return collections.flatMap(({ name, files }) => [
    ...fileOf(files, id),
    ...(id.startsWith(`${name}/`) ? fileOf(files, id.slice(name.length + 1)) : []),
  ]);
}

function fileOf(files: CollectionFiles["files"], id: string): readonly string[] {
  const file = files.get(id);
  return file === undefined ? [] : [file];
}

/** Pages with one file that no other page has. */
function ownOf(found: ReadonlyMap<string, ReadonlySet<string>>): EntryFiles {
  const uses = new Map<string, number>();
  for (const files of found.values()) {
    for (const file of files) uses.set(file, (uses.get(file) ?? 0) + 1);
  }
  return new Map(
    [...found].flatMap(([page, files]) => {
      const [file, ...others] = files;
      return file !== undefined && others.length === 0 && uses.get(file) === 1
        ? [[page, file] as const]
        : [];
    }),
  );
}
