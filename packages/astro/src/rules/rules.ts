import type { Facts, Making, SourceRules } from "@rs-emit/core/adapter";
import { entryFacts, isEntry } from "../content/entry-facts.ts";
import type { SiteKnowledge } from "../knowledge.ts";
import { pathBelow } from "../paths.ts";
import type { Project } from "../project.ts";
import { isIndex, patternOf } from "../routes/pattern.ts";
import { isRoute, type RouteFacts, routeFacts } from "../routes/route-facts.ts";
import { entryMaking } from "./entries.ts";
import { pageMaking, routeMaking } from "./pages.ts";
import { type Part, partTeller } from "./parts.ts";
import { statedMaking } from "./stated.ts";

/**
 * How Astro makes pages from sources, asked of each of their versions. Which page an entry had, the
 * dynamic routes of its time decide: each of them is data of every entry.
 */
export function sourceRules(project: Project, knowledge: SiteKnowledge): SourceRules {
  const tell = partTeller(project, knowledge);
  const routes = new Set<string>();
  const added = addedRoutes(project, knowledge);
  return {
    roleOf(file) {
      const part = tell(file);
      if (part?.kind === "route") routes.add(file);
      return part === undefined ? undefined : "source";
    },
    // Core asks for the role of every file there ever was before it asks for any data.
    dataOf: (source) => (tell(source)?.kind === "entry" ? [...routes] : []),
    read: (file, bytes) => readPart(tell(file), file, bytes),
    made(source, facts, data) {
      const part = tell(source);
      if (part?.kind === "copied") return copiedMaking(part);
      if (isRoute(facts)) {
        return part?.kind === "page"
          ? pageMaking(project, knowledge, facts)
          : routeMaking(project, facts);
      }
      if (part?.kind === "stated" && isEntry(facts)) return statedMaking(part, facts);
      if (part?.kind !== "entry" || !isEntry(facts)) return { kind: "nothing" };
      const ofTheTime = [...added, ...data.filter(isRoute)];
      return entryMaking({ project, knowledge, routes: ofTheTime }, part, facts);
    },
  };
}

/** Routes that integrations add: nothing tells when they came, so that they hold for all times. */
function addedRoutes({ pages }: Project, { routes }: SiteKnowledge): readonly RouteFacts[] {
  const all = [...routes.values()].map(({ facts }) => facts);
  return all.filter(({ file }) => pathBelow(pages, file).startsWith("../"));
}

/** HTML that is copied is its own source. */
function copiedMaking({ path }: Part): Making {
  return { kind: "page", ways: [path], file: path, names: [] };
}

function readPart(part: Part | undefined, file: string, bytes: Uint8Array): Facts {
  switch (part?.kind) {
    case "page":
    case "route":
      return routeFacts(
        { file, pattern: patternOf(part.path), isIndex: isIndex(part.path) },
        bytes,
      );
    case "entry":
    case "stated":
      return entryFacts(file, bytes);
    default:
      return {};
  }
}
