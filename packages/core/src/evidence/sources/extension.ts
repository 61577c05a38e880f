/** Extensions of the files that pages are written in; others beside them are data or pictures. */
const WRITTEN_IN =
  /\.(?:html?|xhtml|md|markdown|mdx|txt|rst|adoc|asciidoc|org|textile|njk|liquid|hbs|handlebars|mustache|ejs|pug|haml|webc|vto|jsx|tsx|astro|svelte|vue|php|erb|slim|jinja2?|j2|tmpl|gohtml|11ty\.[cm]?[jt]s)$/i;

/** Whether pages are written in files with such a name. */
export function mayMakePage(source: string): boolean {
  return WRITTEN_IN.test(source);
}

/** A source's path without its extension, `.11ty.js` being one. */
export function withoutExtension(source: string): string {
  return source.replace(/(?:\.11ty)?\.[^./]+$/, "");
}

/** A source's extension, from its dot on; empty where it has none. */
export function extensionOf(source: string): string {
  return source.slice(withoutExtension(source).length);
}
