import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type ContentCollection, readCollections } from "./content/collections.ts";
import { type Drawing, findDrawing } from "./content/drawing.ts";
import { disprovedHiding, isShown } from "./contradictions.ts";
import { SourceOptionError } from "./errors.ts";
import { askSource, type SourceOption } from "./options.ts";
import { type Project, pageUrl } from "./project.ts";
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
  /** Files of `src/pages` that say that their page is hidden, while it is shown. */
  readonly contradicted: ReadonlySet<string>;
}

/** A route whose pages are made of something. */
export interface DynamicRoute {
  readonly facts: RouteFacts;
  /** The entries it makes pages of; `undefined` where it is something else. */
  readonly drawing: Drawing | undefined;
  /** It asks for entries, and nothing tells whether its pages are made of them. */
  readonly isUnmatched: boolean;
  /** What looks as if it hid some of its pages, and does not: `draft`, say. */
  readonly disproved: ReadonlySet<string>;
}

/** @param option the option `source` */
export function learnSite(site: BuiltSite, option: SourceOption | undefined): SiteKnowledge {
  const { folder, project, written } = site;
  const collections = readCollections(project);
  const stated = statedSources(site, option);
  const routes = new Map<string, DynamicRoute>();
  for (const [route, files] of dynamicPages(written)) {
    const facts = factsOf(project, route);
    const pages = files.filter((file) => !stated.has(file));
    const drawing = findDrawing(facts, pages, collections);
    routes.set(facts.file, {
      facts,
      drawing,
      isUnmatched: drawing === undefined && pages.length > 0,
      disproved: disprovedHiding(folder, facts, drawing),
    });
  }
  return { collections, routes, stated, contradicted: contradictedPages(site) };
}

/** What the file of a route says today. */
function factsOf({ root }: Project, route: Route): RouteFacts {
  const file = resolve(root, route.entrypoint);
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  return routeFacts({ file, pattern: route.pattern, isIndex: isOwnIndex(route) }, bytes);
}

function contradictedPages({ folder, project, written }: BuiltSite): ReadonlySet<string> {
  const contradicted = new Set<string>();
  for (const [page, route] of written) {
    if (route.type !== "page" || parametersOf(route.pattern).length > 0) continue;
    const { file, isHidden } = factsOf(project, route);
    if (isHidden && isShown(folder, page)) contradicted.add(file);
  }
  return contradicted;
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
    const url = pageUrl(project, file);
    const paths = askSource(option, { url, file, pattern });
    if (paths === undefined) continue;
    stated.set(
      file,
      paths.map((path) => statedFile(project, url, path)),
    );
  }
  return stated;
}

function statedFile({ root }: Project, url: string, path: string): string {
  const file = resolve(root, path);
  if (existsSync(file)) return file;
  throw new SourceOptionError(url, `named "${path}", and there is no such file below ${root}`);
}
