import { readFileSync } from "node:fs";
import { pathnameOf } from "../routes/output.ts";
import { parametersOf, valuesAt } from "../routes/pattern.ts";
import type { RouteFacts } from "../routes/route-facts.ts";
import type { ContentCollection, ContentEntry } from "./collections.ts";
import { entryFacts } from "./entry-facts.ts";

/** A dynamic route that makes a page of each entry of some collections. */
export interface Drawing {
  /** The entry's file that each page is made from, by the page's file. */
  readonly entryOf: ReadonlyMap<string, string>;
  /** The names of the collections. */
  readonly collections: ReadonlySet<string>;
  /** The entry `index` stands where the parameter is left out. */
  readonly isIndexBare: boolean;
}

/**
 * Finds the entries that a route's pages are made from: those whose ids one of its parameters takes,
 * or all of them together, each for one page. Either every page must have an entry, or every entry a
 * page: what is called like an entry only here and there is something else, a tag, say.
 *
 * @param pages the files it wrote whose sources nobody states
 */
export function findDrawing(
  route: RouteFacts,
  pages: readonly string[],
  collections: readonly ContentCollection[],
): Drawing | undefined {
  if (route.paginates) return undefined;
  const drawings = identifiersOf(route).map((identifier) =>
    draw(identified(route, pages, identifier), candidates(route, collections)),
  );
  const [first, ...others] = drawings.filter((one) => one !== undefined);
  return others.every((other) => isSame(first, other)) ? first : undefined;
}

/** Takes the id of an entry from the values of parameters. */
type Identifier = (values: readonly string[]) => string;

/** Those that the route names, where it does; what it fills otherwise is no id. */
function identifiersOf({ pattern, identifiers }: RouteFacts): Identifier[] {
  const parameters = parametersOf(pattern);
  const each = parameters.flatMap((name, position): Identifier[] => {
    const mayBe = identifiers.length === 0 || identifiers.includes(name);
    return mayBe ? [(values) => values[position] ?? ""] : [];
  });
  return parameters.length > 1 && identifiers.length === 0
    ? [...each, (values) => values.filter(Boolean).join("/")]
    : each;
}

/** The id that a route's parameters take on each of its pages. */
function identified(
  { pattern }: RouteFacts,
  pages: readonly string[],
  identifier: Identifier,
): ReadonlyMap<string, string> {
  return new Map(
    pages.flatMap((page) => {
      const values = valuesAt(pattern, pathnameOf(page));
      return values === undefined ? [] : [[page, identifier(values)] as const];
    }),
  );
}

/** @param ids by page */
function draw(
  ids: ReadonlyMap<string, string>,
  candidates: readonly ContentCollection[],
): Drawing | undefined {
  const taken = new Set([...ids.values()].map(idTaken));
  const known = entriesById(candidates);
  const isOfEntries = [...taken].every((id) => known.has(id));
  const collections = candidates.filter(({ entries }) =>
    isOfEntries ? entries.some(isTaken) : entries.length > 0 && entries.every(isTakenOrLeftOut),
  );
  const drawn = entriesById(collections);
  const entryOf = new Map(
    [...ids].flatMap(([page, id]) => {
      const [entry, ...others] = drawn.get(idTaken(id)) ?? [];
      return entry === undefined || others.length > 0 ? [] : [[page, entry.file] as const];
    }),
  );
  const isOneEach = new Set(entryOf.values()).size === entryOf.size;
  if (!isOneEach || entryOf.size === 0) return undefined;
  return {
    entryOf,
    collections: new Set(collections.map(({ name }) => name)),
    isIndexBare: [...ids.values()].includes(""),
  };

  function isTaken(entry: ContentEntry): boolean {
    return entry.ids.some((id) => taken.has(id.normalize()));
  }

  function isTakenOrLeftOut(entry: ContentEntry): boolean {
    const { file } = entry;
    return isTaken(entry) || entryFacts(file, readFileSync(file)).flag !== undefined;
  }
}

function idTaken(id: string): string {
  return id === "" ? "index" : id;
}

/** The collections that the route asks for by name, or all where it leaves that to others. */
function candidates(
  { collections: names }: RouteFacts,
  collections: readonly ContentCollection[],
): readonly ContentCollection[] {
  const named = collections.filter(({ name }) => names.includes(name));
  return named.length === 0 ? collections : named;
}

function entriesById(
  collections: readonly ContentCollection[],
): ReadonlyMap<string, readonly ContentEntry[]> {
  const byId = new Map<string, ContentEntry[]>();
  for (const entry of collections.flatMap(({ entries }) => entries)) {
    for (const id of entry.ids.map((one) => one.normalize())) {
      const others = byId.get(id);
      if (others === undefined) byId.set(id, [entry]);
      else others.push(entry);
    }
  }
  return byId;
}

function isSame(one: Drawing | undefined, other: Drawing): boolean {
  return [...other.entryOf].every(([page, entry]) => one?.entryOf.get(page) === entry);
}
