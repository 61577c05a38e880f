import { statSync } from "node:fs";
import { join } from "node:path";
import { type Annotation, type Builder, isPage } from "@rs-emit/core/adapter";
import { learnSite } from "./knowledge.ts";
import type { SourceOption } from "./options.ts";
import { pageUrl } from "./project.ts";
import { sourceRules } from "./rules/rules.ts";
import type { BuiltSite } from "./site.ts";
import { sourcesOf } from "./sources.ts";

/** What Astro knows of the site it has just built. */
export function builderOf(site: BuiltSite, option: SourceOption | undefined): Builder {
  const { project } = site;
  // Only asked for where a page changed: a large site's content takes its time to read.
  const knowledge = once(() => learnSite(site, option));
  const rules = once(() => sourceRules(project, knowledge()));
  return {
    project: project.root,
    annotate: (file) => annotationOf(site, file),
    sourcesOf: (file) => sourcesOf(site, knowledge(), file),
    get rules() {
      return rules();
    },
    onDemand: project.customPages,
  };
}

function annotationOf(site: BuiltSite, file: string): Annotation {
  const { project, written } = site;
  const route = written.get(file);
  const isEndpoint = route?.type === "endpoint" && isPage(file);
  return {
    url: pageUrl(project, file),
    ...(isEndpoint || route?.origin === "internal" || file === "500.html"
      ? { withheld: true }
      : {}),
    ...(project.keepsOutput && isLeftOver(site, file) ? { stale: true } : {}),
  };
}

/** Whether a file stood before this build, which did not write it. */
function isLeftOver({ folder, written, begun }: BuiltSite, file: string): boolean {
  const stats = statSync(join(folder, file), { throwIfNoEntry: false });
  return stats !== undefined && stats.mtimeMs < begun && !written.has(file);
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
