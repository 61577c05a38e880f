import type { VersionFacts } from "./facts.ts";
import type { KeyedRules } from "./keyed-rules.ts";
import type { StandingSource } from "./naming.ts";
import { Project, type Step } from "./project.ts";

/**
 * The sources as they stand today, and what the builder says they make.
 *
 * @param history every change, oldest first, uncommitted ones last
 * @param pagesOf the pages that stand and were made by a source
 */
export function standingSources(
  rules: KeyedRules,
  facts: VersionFacts,
  history: Iterable<readonly Step[]>,
  pagesOf: (source: string) => readonly string[],
): StandingSource[] {
  const project = new Project(rules, facts);
  for (const steps of history) project.apply(steps);
  return project.sources.map((key) => ({
    key,
    making: project.makingOf(key),
    pages: pagesOf(key),
  }));
}
