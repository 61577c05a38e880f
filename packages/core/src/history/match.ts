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
