import type { SiteKnowledge } from "../knowledge.ts";
import { drawsEntries, type RouteFacts } from "../routes/route-facts.ts";

/** Whether a version of a route made a page of each entry of a collection. */
export type Bearing = "draws" | "may draw" | "no";

/** By the pages that stand, where the route's text says today what it said then; else by its text. */
export function bearing(route: RouteFacts, collection: string, knowledge: SiteKnowledge): Bearing {
  const today = knowledge.routes.get(route.file);
  const isAsToday = today !== undefined && choiceOf(today.facts) === choiceOf(route);
  if (isAsToday && today.drawing !== undefined) {
    return today.drawing.collections.has(collection) ? "draws" : "no";
  }
  if (isAsToday && !today.isUnmatched) return "no";
  if (route.paginates) return "no";
  // A route that did not say what it made its pages of.
  if (route.collections.length === 0) return isAsToday ? "no" : "may draw";
  const possible = possibleCollections(route, knowledge);
  if (!possible.includes(collection)) return "no";
  if (!isAsToday && drawsEntries(route)) return possible.length === 1 ? "draws" : "may draw";
  return isDrawn(collection, knowledge) ? "no" : "may draw";
}

/** What a route's text says of the entries it makes pages of. */
function choiceOf({ collections, identifiers, paginates }: RouteFacts): string {
  return JSON.stringify([collections.toSorted(), identifiers.toSorted(), paginates]);
}

/** The collections a route asked for; of several, those whose entries have no pages today gave it only data. */
function possibleCollections(
  { collections: names }: RouteFacts,
  knowledge: SiteKnowledge,
): readonly string[] {
  if (names.length < 2) return names;
  return names.filter((name) => isDrawn(name, knowledge) || !isStanding(name, knowledge));
}

function isStanding(name: string, { collections }: SiteKnowledge): boolean {
  return collections.some((one) => one.name === name && one.entries.length > 0);
}

function isDrawn(name: string, { routes }: SiteKnowledge): boolean {
  return [...routes.values()].some(({ drawing }) => drawing?.collections.has(name));
}
