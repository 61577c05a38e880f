import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  type Annotation,
  askSourceFiles,
  type Builder,
  isPage,
  joinSourceFiles,
} from "@rs-emit/adapter";
import { readDataStore } from "./data-store.ts";
import { type EntryFiles, entryFiles } from "./entries.ts";
import type { AstroSettings } from "./options.ts";
import { type Project, pageUrl } from "./project.ts";
import { outputFile, parametersOf, type Route } from "./routes.ts";

export interface BuiltSite {
  readonly project: Project;
  readonly folder: string;
  readonly written: ReadonlyMap<string, Route>;
  /** Routes whose pages a server makes. */
  readonly served: readonly Route[];
  /** The start of the build, in milliseconds since 1970. */
  readonly begun: number;
}

export function builderOf(site: BuiltSite, { sourceFiles }: AstroSettings): Builder {
  const { project, written } = site;
  const named = namedFiles(site, sourceFiles);
  // Core only needs changed pages, and reading a large data store is slow.
  let entries: EntryFiles | undefined;
  return {
    project: project.root,
    annotate: (file) => annotationOf(site, file),
    sourceFiles: (file) => {
      entries ??= entryFiles(written, readDataStore(project));
      return joinSourceFiles(named.get(file), ownFile(site, entries, file));
    },
    onDemand: project.customPages,
    unlisted: unlistedPages(site),
  };
}

/** Readers can open them all the same. The pages of a route with parameters are unknown. */
function unlistedPages({ project, served }: BuiltSite): readonly string[] {
  return served
    .filter((route) => parametersOf(route).length === 0)
    .map((route) => pageUrl(project, outputFile(project.format, route)));
}

function annotationOf(site: BuiltSite, file: string): Annotation {
  const { project, written } = site;
  const route = written.get(file);
  const isEndpoint = route?.type === "endpoint" && isPage(file);
  return {
    url: pageUrl(project, file),
    ...(isEndpoint || route?.origin === "internal" || file === "500.html"
      ? { excluded: true }
      : {}),
    ...(project.keepsOutput && isLeftOver(site, file) ? { stale: true } : {}),
  };
}

function isLeftOver({ folder, written, begun }: BuiltSite, file: string): boolean {
  const stats = statSync(join(folder, file), { throwIfNoEntry: false });
  return stats !== undefined && stats.mtimeMs < begun && !written.has(file);
}

function namedFiles(
  { project, written }: BuiltSite,
  option: AstroSettings["sourceFiles"],
): ReadonlyMap<string, readonly string[] | undefined> {
  if (option === undefined) return new Map();
  const pages = [...written].filter(([, { type }]) => type === "page");
  return new Map(
    pages.map(([file, { pattern }]) => {
      const page = { url: pageUrl(project, file), file, pattern };
      return [file, askSourceFiles(option, page, project.root)];
    }),
  );
}

/** Empty where the source file is uncertain. */
function ownFile({ project, written }: BuiltSite, entries: EntryFiles, page: string): string[] {
  const copied = join(project.publicFolder, page);
  const route = written.get(page);
  if (existsSync(copied)) return route === undefined ? [copied] : [];
  if (route?.type !== "page") return [];
  const entry = entries.get(page);
  if (entry !== undefined) return [entry];
  // A page that replaces a missing translation has the original's file, which dates the original.
  const isOwn = parametersOf(route).length === 0 && outputFile(project.format, route) === page;
  return isOwn && !isForeign(route.entrypoint) ? [resolve(project.root, route.entrypoint)] : [];
}

function isForeign(entrypoint: string): boolean {
  return /(?:^|\/)node_modules\//.test(entrypoint);
}
