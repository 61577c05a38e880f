import { existsSync } from "node:fs";
import type { Making } from "@rs-emit/core/adapter";
import type { SiteKnowledge } from "../knowledge.ts";
import type { Project } from "../project.ts";
import { outputFile } from "../routes/output.ts";
import { drawsEntries, type RouteFacts } from "../routes/route-facts.ts";

/** What a version of a page of `src/pages` made: Astro's rule for its path, which is certain. */
export function pageMaking(
  project: Project,
  { contradicted }: SiteKnowledge,
  facts: RouteFacts,
): Making {
  const { file, isIndex, pattern } = facts;
  if (!isPrerendered(project, facts) || pattern === "/404" || pattern === "/500") {
    return { kind: "nothing" };
  }
  return {
    kind: "page",
    ways: [file],
    file: outputFile(project, pattern, isIndex),
    names: [],
    ...(facts.isHidden && !contradicted.has(file) ? { withheld: true } : {}),
  };
}

/**
 * What a version of a dynamic route made: pages of entries, which these tell, or several that nobody
 * tells of once it is gone.
 */
export function routeMaking(project: Project, facts: RouteFacts): Making {
  const isTold = existsSync(facts.file) || !isPrerendered(project, facts) || drawsEntries(facts);
  return { kind: isTold ? "nothing" : "several" };
}

/** Whether pages are rendered once, not on demand. */
export function isPrerendered({ prerenders }: Project, { prerender }: RouteFacts): boolean {
  return prerender ?? prerenders;
}
