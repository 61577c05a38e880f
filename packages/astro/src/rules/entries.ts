import { dirname } from "node:path";
import type { Making, MakingPage } from "@rs-emit/core/adapter";
import type { EntryFacts } from "../content/entry-facts.ts";
import { entryId } from "../content/entry-id.ts";
import type { SiteKnowledge } from "../knowledge.ts";
import type { Project } from "../project.ts";
import { outputFile } from "../routes/output.ts";
import { parametersOf, pathnameOfId } from "../routes/pattern.ts";
import type { RouteFacts } from "../routes/route-facts.ts";
import { bearing } from "./bearing.ts";
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
  const [collection = "", ...rivals] = part.collections;
  const rendered = routes.filter((one) => isPrerendered(project, one));
  const [route, ...others] = rendered.filter(
    (one) => bearing(one, collection, knowledge) === "draws",
  );
  if (route === undefined || rivals.length > 0) {
    const mayBeDrawn = rendered.some((one) =>
      part.collections.some((name) => bearing(one, name, knowledge) !== "no"),
    );
    return { kind: mayBeDrawn ? "several" : "nothing" };
  }
  const { flag = "", isUnreadable, isWithheld } = facts;
  const disproved = knowledge.routes.get(route.file)?.disproved;
  const isFiltered = flag !== "" && !disproved?.has(flag);
  if (isFiltered && route.flags.includes(flag)) return { kind: "nothing" };
  if (isUnreadable || others.length > 0) return { kind: "several" };
  const isHidden = (isWithheld || route.isHidden) && !disproved?.has("noindex");
  return {
    kind: "page",
    ...namingOf(time, { route, collection, path: part.path }, facts, isFiltered),
    ...(isHidden ? { withheld: true } : {}),
  };
}

/** An entry, and the route that made its page. */
interface DrawnEntry {
  readonly route: RouteFacts;
  readonly collection: string;
  readonly path: string;
}

function namingOf(
  { project, knowledge }: SiteAtTime,
  { route, collection, path }: DrawnEntry,
  { flag = "", slug, digest = "" }: EntryFacts,
  isFiltered: boolean,
): Pick<MakingPage, "ways" | "file" | "names"> {
  const id = slug ?? entryId(path);
  const way = `${collection} by ${route.file} ${flag}`;
  const file = predictedFile(project, knowledge, route, id);
  const stored = knowledge.collections.find(({ name }) => name === collection);
  // What names its page is somewhere in its data: only the data of today made the page of today.
  if (stored?.isNamedByPath === false || file === undefined) {
    return { ways: [`${way} ${path} ${digest}`], names: [] };
  }
  // Who chooses the entries elsewhere may leave some out there.
  const isChosenHere = route.collections.includes(collection) && !route.mentions.includes(flag);
  return {
    ways: [`${way} ${dirname(path)}`, way],
    ...(isFiltered && !isChosenHere ? {} : { file }),
    names: parametersOf(route.pattern).length > 1 ? [digest] : [id, path],
  };
}

/** `undefined` where a route's parameters take more than the id. */
function predictedFile(
  project: Project,
  { routes }: SiteKnowledge,
  { file, isIndex, pattern }: RouteFacts,
  id: string,
): string | undefined {
  const isBare = id === "index" && routes.get(file)?.drawing?.isIndexBare;
  const pathname = pathnameOfId(pattern, isBare ? "" : id);
  return pathname === undefined ? undefined : outputFile(project, pathname, isIndex);
}
