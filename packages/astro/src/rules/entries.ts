import { dirname } from "node:path";
import type { Making } from "@rs-emit/core/adapter";
import type { EntryFacts } from "../content/entry-facts.ts";
import { entryId } from "../content/entry-id.ts";
import type { SiteKnowledge } from "../knowledge.ts";
import type { Project } from "../project.ts";
import { outputFile } from "../routes/output.ts";
import { parametersOf, pathnameAt } from "../routes/pattern.ts";
import { drawsEntries, type RouteFacts } from "../routes/route-facts.ts";
import { isPrerendered } from "./pages.ts";
import type { EntryPart } from "./parts.ts";

/** A time of the site's history. */
export interface SiteAtTime {
  readonly project: Project;
  readonly knowledge: SiteKnowledge;
  /** The dynamic routes that stood. */
  readonly routes: readonly RouteFacts[];
}

/** What a version of an entry made. */
export function entryMaking(time: SiteAtTime, part: EntryPart, facts: EntryFacts): Making {
  const { project, knowledge, routes } = time;
  const { collection, path } = part;
  const [route, ...others] = routes.filter((one) => mayDraw(one, collection, knowledge));
  if (route === undefined) {
    return { kind: routes.some((one) => isUnknown(one, knowledge)) ? "several" : "nothing" };
  }
  if (!isPrerendered(project, route)) return { kind: "nothing" };
  const { flag = "", isUnreadable, slug } = facts;
  if (flag !== "" && route.flags.includes(flag)) return { kind: "nothing" };
  if (isUnreadable || others.length > 0 || !isCertain(route, knowledge)) return { kind: "several" };
  const id = slug ?? entryId(path);
  const way = `${collection} by ${route.file} ${flag}`;
  const file = predictedFile(project, knowledge, route, id);
  // Who chooses the entries elsewhere may leave some out there.
  const isChosenHere = flag === "" || route.collections.includes(collection);
  return {
    kind: "page",
    ways: [`${way} ${dirname(path)}`, way],
    ...(file === undefined || !isChosenHere ? {} : { file }),
    names: [id, path],
  };
}

/** Whether a route made pages of a collection's entries: as its pages show, or as its text said. */
function mayDraw(route: RouteFacts, collection: string, knowledge: SiteKnowledge): boolean {
  const today = knowledge.routes.get(route.file);
  if (today !== undefined) return today.drawing?.collections.has(collection) ?? false;
  return drawsEntries(route) && collectionsOf(route, knowledge).includes(collection);
}

/** Whether it is clear of which collection a route made its pages. */
function isCertain(route: RouteFacts, knowledge: SiteKnowledge): boolean {
  return knowledge.routes.has(route.file) || collectionsOf(route, knowledge).length === 1;
}

/** The collections a route asked for; of several, those whose entries have no pages today gave it only data. */
function collectionsOf({ collections }: RouteFacts, knowledge: SiteKnowledge): readonly string[] {
  if (collections.length < 2) return collections;
  return collections.filter((name) => mayHavePages(name, knowledge));
}

function mayHavePages(name: string, { collections, routes }: SiteKnowledge): boolean {
  const isStanding = collections.some((one) => one.name === name && one.entries.length > 0);
  return !isStanding || [...routes.values()].some(({ drawing }) => drawing?.collections.has(name));
}

/** A route that is gone, and that did not say what it made its pages of. */
function isUnknown({ collections, file }: RouteFacts, { routes }: SiteKnowledge): boolean {
  return collections.length === 0 && !routes.has(file);
}

function predictedFile(
  project: Project,
  { routes }: SiteKnowledge,
  { file, isIndex, pattern }: RouteFacts,
  id: string,
): string | undefined {
  if (parametersOf(pattern).length !== 1) return undefined;
  const isBare = id === "index" && routes.get(file)?.drawing?.isIndexBare;
  return outputFile(project, pathnameAt(pattern, isBare ? "" : id), isIndex);
}
