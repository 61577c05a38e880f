import { realpathSync } from "node:fs";
import type { Builder, Environment } from "../model/environment.ts";
import type { Settings } from "../model/options.ts";
import type { Inventory } from "../model/resources.ts";

/** Who names the source files of the pages. */
export type Origin =
  /** A builder does. */
  | { readonly kind: "stated"; readonly builder: Builder }
  /** The paths of the files of another folder do. */
  | { readonly kind: "matched"; readonly sourceFolder: string }
  /** Nobody does: each page is its own source file. */
  | { readonly kind: "own" };

/** Who names the source files, by what the author and the builder said. */
export function originOf({ folder, sourceFolder }: Settings, { builder }: Environment): Origin {
  if (builder !== undefined) return { kind: "stated", builder };
  // One may be named by a link to the other.
  const isOwn = sourceFolder === undefined || realpathSync(sourceFolder) === realpathSync(folder);
  return isOwn ? { kind: "own" } : { kind: "matched", sourceFolder };
}

/** Which pages are made from which source files; what names a source file is the caller's choice. */
export class SourceLinks {
  readonly pageOf: ReadonlyMap<string, string>;
  readonly #sources: ReadonlyMap<string, readonly string[]>;
  readonly #firsts = new Map<string, number>();
  readonly #uses = new Map<string, number>();

  /**
   * @param pages every page that stands, for readers or not: files of the output folder
   * @param sourcesOf the source files of a page, its own first
   */
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

  /** The source files that no other page is made from. */
  ownOf(page: string): readonly string[] {
    return this.#of(page).filter((source) => this.#uses.get(source) === 1);
  }

  /** The page's own source file, and whether it is the first of other pages too. */
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

/** Every page that stands and that this build made, for readers or not. */
export function standingPages({ resources, excluded }: Inventory): string[] {
  return [...resources, ...excluded].flatMap(({ file }) => file ?? []);
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Why a page has no date in git. */
export type UndatedReason = "no-commits" | "no-source" | "shared" | "outside" | "untracked";
/** Extensions of the files that pages are written in; others beside them are data or pictures. */
const WRITTEN_IN =
  /\.(?:html?|xhtml|md|markdown|mdx|txt|rst|adoc|asciidoc|org|textile|njk|liquid|hbs|handlebars|mustache|ejs|pug|haml|webc|vto|jsx|tsx|astro|svelte|vue|php|erb|slim|jinja2?|j2|tmpl|gohtml|11ty\.[cm]?[jt]s)$/i;

/**
 * Finds the source file of each page by its path: the file with the same path below the source
 * folder, else the only one that gives the same page when extensions and `index` are dropped.
 *
 * @param sources paths below the source folder
 */
export function sourceMatcher(sources: Iterable<string>): (file: string) => string | undefined {
  const exact = new Set<string>();
  const byStem = new Map<string, string[]>();
  for (const source of sources) {
    exact.add(source);
    if (!WRITTEN_IN.test(source)) continue;
    const stem = stemOf(source);
    const others = byStem.get(stem);
    if (others === undefined) byStem.set(stem, [source]);
    else others.push(source);
  }
  return (file) => {
    if (exact.has(file)) return file;
    if (!/\.x?html?$/i.test(file)) return undefined;
    const candidates = byStem.get(stemOf(file));
    return candidates?.length === 1 ? candidates[0] : undefined;
  };
}

/** What a path is called whatever its extension, `a/index.html` being `a`. */
function stemOf(path: string): string {
  const bare = withoutExtension(path);
  return bare === "index" ? "" : bare.replace(/\/index$/, "");
}

/** A path without its extension, `.11ty.js` being one; the dot of a dot file begins none. */
export function withoutExtension(path: string): string {
  return path.replace(/(?<=[^/])(?:\.11ty)?\.[^./]+$/, "");
}
