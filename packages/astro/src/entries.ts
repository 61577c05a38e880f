import type { CollectionFiles } from "./data-store.ts";
import { parametersOf, parameterValues, type Route } from "./routes.ts";

export type EntryFiles = ReadonlyMap<string, string>;

/**
 * Certain only where the ids of one collection fill one parameter, or all together, on every page.
 */
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
  const matches = identifiers.flatMap((identifier) => {
    const ids = [...pages].map(([page, values]) => [page, identifier(values)] as const);
    return collections.flatMap((collection) => match(ids, collection) ?? []);
  });
  const [first = none, ...others] = matches;
  return others.every((other) => isSame(first, other)) ? first : none;
}

function match(
  ids: readonly (readonly [page: string, id: string])[],
  collection: CollectionFiles,
): EntryFiles | undefined {
  // Many sites omit the parameter for the entry `index`, but a single such page may be anything.
  if (ids.every(([, id]) => id === "")) return undefined;
  const files = new Map<string, string>();
  for (const [page, id] of ids) {
    const file = collection.get(id === "" ? "index" : id);
    if (file === undefined) return undefined;
    files.set(page, file);
  }
  return new Set(files.values()).size === files.size ? files : undefined;
}

function isSame(one: EntryFiles, other: EntryFiles): boolean {
  return [...other].every(([page, file]) => one.get(page) === file);
}
