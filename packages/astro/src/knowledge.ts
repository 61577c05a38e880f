import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type ContentCollection, readCollections } from "./content/collections.ts";
import { type Drawing, findDrawing } from "./content/drawing.ts";
import { askSource, type SourceOption } from "./options.ts";
import { pageUrl } from "./project.ts";
import { isOwnIndex } from "./routes/output.ts";
import { parametersOf } from "./routes/pattern.ts";
import { type RouteFacts, routeFacts } from "./routes/route-facts.ts";
import type { Route } from "./routes/written.ts";
import type { BuiltSite } from "./site.ts";

/** What a built site shows of how its pages are made. */
export interface SiteKnowledge {
  readonly collections: readonly ContentCollection[];
  /** The dynamic routes that wrote pages, by their files: absolute paths. */
  readonly routes: ReadonlyMap<string, DynamicRoute>;
  /** The sources that the option `source` names, by page. */
  readonly stated: ReadonlyMap<string, readonly string[]>;
}

/** A route whose pages are made of something. */
export interface DynamicRoute {
  readonly facts: RouteFacts;
  /** The entries it makes pages of; `undefined` where it is something else. */
  readonly drawing: Drawing | undefined;
}

/** @param option the option `source` */
export function learnSite(site: BuiltSite, option: SourceOption | undefined): SiteKnowledge {
  const { project, written } = site;
  const collections = readCollections(project);
  const routes = new Map<string, DynamicRoute>();
  for (const [route, files] of dynamicPages(written)) {
    const file = resolve(project.root, route.entrypoint);
    const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    const place = { file, pattern: route.pattern, isIndex: isOwnIndex(route) };
    const facts = routeFacts(place, bytes);
    routes.set(file, { facts, drawing: findDrawing(facts, files, collections) });
  }
  return { collections, routes, stated: statedSources(site, option) };
}

/** The pages of each dynamic route. */
function dynamicPages(written: ReadonlyMap<string, Route>): ReadonlyMap<Route, readonly string[]> {
  const pages = new Map<Route, string[]>();
  for (const [file, route] of written) {
    if (route.type !== "page" || parametersOf(route.pattern).length === 0) continue;
    const others = pages.get(route);
    if (others === undefined) pages.set(route, [file]);
    else others.push(file);
  }
  return pages;
}

function statedSources(
  { project, written }: BuiltSite,
  option: SourceOption | undefined,
): Map<string, readonly string[]> {
  const stated = new Map<string, readonly string[]>();
  if (option === undefined) return stated;
  for (const [file, { type, pattern }] of written) {
    if (type !== "page") continue;
    const paths = askSource(option, { url: pageUrl(project, file), file, pattern });
    if (paths === undefined) continue;
    const files = paths.map((path) => resolve(project.root, path));
    stated.set(file, files);
  }
  return stated;
}
