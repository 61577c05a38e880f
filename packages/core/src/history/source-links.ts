import { realpathSync } from "node:fs";
import { groupBy } from "@rs-emit/documents";
import type { Builder, Environment } from "../model/environment.ts";
import type { OriginKind } from "../model/plan.ts";
import type { Inventory } from "../model/resources.ts";
import type { Settings } from "../options/settings.ts";
import { readSourceMap } from "./source-map.ts";

export type Origin =
  | { readonly kind: "stated"; readonly builder: Builder }
  /** A list of source files, and files of another folder with matching paths. */
  | {
      readonly kind: "matched";
      readonly sourceFolder: string | undefined;
      readonly sourceOf: (page: string) => string | undefined;
    }
  | { readonly kind: "own" };

export function originKindOf(settings: Settings, { builder }: Environment): OriginKind {
  if (builder !== undefined) return "stated";
  const { folder, sourceFolder, sourceMap } = settings;
  if (sourceMap !== undefined) return "matched";
  // Either may be a link to the other.
  const isOwn = sourceFolder === undefined || realpathSync(sourceFolder) === realpathSync(folder);
  return isOwn ? "own" : "matched";
}

/** @throws {EmitError} `SOURCE_MAP` */
export async function originOf(settings: Settings, environment: Environment): Promise<Origin> {
  const { builder } = environment;
  if (builder !== undefined) return { kind: "stated", builder };
  if (originKindOf(settings, environment) === "own") return { kind: "own" };
  const { sourceFolder, sourceMap } = settings;
  const sourceOf =
    sourceMap === undefined ? () => undefined : await readSourceMap(sourceMap, settings);
  return { kind: "matched", sourceFolder, sourceOf };
}

export class SourceLinks {
  readonly pageOf: ReadonlyMap<string, string>;
  readonly #sources: ReadonlyMap<string, readonly string[]>;
  readonly #firsts = new Map<string, number>();
  readonly #uses = new Map<string, number>();

  constructor(pages: readonly string[], sourcesOf: (page: string) => readonly string[]) {
    this.#sources = new Map(pages.map((page) => [page, [...new Set(sourcesOf(page))]]));
    const pageOf = new Map<string, string>();
    for (const [page, sources] of this.#sources) {
      for (const source of sources) increase(this.#uses, source);
      const [first] = sources;
      if (first === undefined) continue;
      increase(this.#firsts, first);
      pageOf.set(first, page);
    }
    for (const [source, pages] of this.#firsts) if (pages > 1) pageOf.delete(source);
    this.pageOf = pageOf;
  }

  /** Whether this page has another page's own source file among its source files, as lists of pages have. */
  isMadeOfOthers(page: string): boolean {
    return this.#of(page).some((source) => (this.pageOf.get(source) ?? page) !== page);
  }

  ownOf(page: string): readonly string[] {
    return this.#of(page).filter((source) => this.#uses.get(source) === 1);
  }

  /** The page's own source file; `isShared` when several pages have it. */
  firstOf(page: string): { readonly source: string; readonly isShared: boolean } | undefined {
    const [source] = this.#of(page);
    return source === undefined
      ? undefined
      : { source, isShared: (this.#firsts.get(source) ?? 0) > 1 };
  }

  #of(page: string): readonly string[] {
    return this.#sources.get(page) ?? [];
  }
}

export function builtPages({ resources, excluded }: Inventory): string[] {
  return [...resources, ...excluded].flatMap(({ file }) => file ?? []);
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Pages are written in these formats; other files beside them are data or pictures. */
const WRITTEN_IN =
  /\.(?:s?html?|xhtml|md|markdown|mdx|txt|rst|adoc|asciidoc|org|textile|njk|liquid|hbs|handlebars|mustache|ejs|pug|haml|webc|vto|jsx|tsx|astro|svelte|vue|php|erb|slim|jinja2?|j2|tmpl|gohtml|11ty\.[cm]?[jt]s)$/i;

export function isWritten(file: string): boolean {
  return WRITTEN_IN.test(file);
}

/** The same path below the source folder, else the only file that matches without extension and `index` (or Hugo's `_index`). */
export function sourceMatcher(sources: Iterable<string>): (file: string) => string | undefined {
  const exact = new Set(sources);
  const byStem = groupBy([...exact].filter(isWritten), stemOf);
  return (file) => {
    if (exact.has(file)) return file;
    if (!/\.x?html?$/i.test(file)) return undefined;
    const candidates = byStem.get(stemOf(file));
    return candidates?.length === 1 ? candidates[0] : undefined;
  };
}

function stemOf(path: string): string {
  const bare = withoutExtension(path);
  return /^_?index$/.test(bare) ? "" : bare.replace(/\/_?index$/, "");
}

/** `.11ty.js` counts as one extension; a leading dot begins none. */
export function withoutExtension(path: string): string {
  return path.replace(/(?<=[^/])(?:\.11ty)?\.[^./]+$/, "");
}
