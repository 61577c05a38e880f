/** A site of the same pages, as an author of one builder writes it. */
export interface BuilderSite {
  /** Its heading in docs/builders.md. */
  readonly builder: string;
  /** What npm installs for it, with exact versions: the newest of a day may be broken. */
  readonly packages: Readonly<Record<string, string>>;
  readonly ignored: string;
  readonly output: string;
  /** Whether git dates its pages. */
  readonly isDated: boolean;
  readonly files: (url: string) => Readonly<Record<string, string>>;
  /** One page with a line more. */
  readonly edited: Readonly<Record<string, string>>;
  /** One page more, between others, and in the menus where they are written by hand. */
  readonly added: Readonly<Record<string, string>>;
}

/** The line that an edit adds. */
export const LINE = "Green in winter.";

const NAMES = ["Elms", "Ferns", "Mosses"];

function markdown(name: string, line = ""): string {
  const text = `Much grows here.\n\n## Where ${name.toLowerCase()} grow\n\nBy the wall.\n`;
  return line === "" ? text : `${text}\n${line}\n`;
}

function titled(name: string, line?: string): string {
  return `---\ntitle: ${name}\n---\n\n${markdown(name, line)}`;
}

function headed(name: string, line?: string): string {
  return `# ${name}\n\n${markdown(name, line)}`;
}

/** The pages of a folder, each written by the same function. */
function pages(
  path: (name: string) => string,
  write: (name: string) => string,
): Record<string, string> {
  return Object.fromEntries(NAMES.map((name) => [path(name.toLowerCase()), write(name)]));
}

/** @param type none for Docusaurus, which fails to build where there is one */
function manifest(packages: Readonly<Record<string, string>>, type?: "module"): string {
  return JSON.stringify({ name: "garden", private: true, type, dependencies: packages });
}

/** @param theme one of those that MkDocs lists */
export function mkdocs(theme: string): BuilderSite {
  const config = (url: string) =>
    `site_name: The garden\nsite_url: ${url}\ntheme:\n  name: ${theme}\n`;
  return {
    builder: "MkDocs",
    packages: {},
    ignored: "site\n",
    output: "site",
    isDated: true,
    files: (url) => ({
      "mkdocs.yml": config(url),
      "docs/index.md": headed("The garden"),
      ...pages((name) => `docs/${name}.md`, headed),
    }),
    edited: { "docs/ferns.md": headed("Ferns", LINE) },
    added: { "docs/ivy.md": headed("Ivy") },
  };
}

const SVELTEKIT_PACKAGES = {
  "@sveltejs/adapter-static": "4.0.1",
  "@sveltejs/kit": "3.2.0",
  "@sveltejs/vite-plugin-svelte": "7.3.1",
  svelte: "5.57.3",
  vite: "8.3.8",
};

function svelte(name: string, line = ""): string {
  return `<svelte:head><title>${name}</title></svelte:head>\n<h1>${name}</h1>\n<p>Much grows here.</p>\n<p>${line}</p>\n`;
}

function svelteMenu(names: readonly string[]): string {
  const links = names.map((name) => `<a href="/${name.toLowerCase()}">${name}</a>`).join(" ");
  return `<script>\n  let { children } = $props();\n</script>\n<nav><a href="/">Home</a> ${links}</nav>\n{@render children()}\n`;
}

const SVELTEKIT: BuilderSite = {
  builder: "SvelteKit",
  packages: SVELTEKIT_PACKAGES,
  ignored: "node_modules\nbuild\n.svelte-kit\n",
  output: "build",
  isDated: false,
  files: () => ({
    "package.json": manifest(SVELTEKIT_PACKAGES, "module"),
    "vite.config.js": `import adapter from "@sveltejs/adapter-static";
import { sveltekit } from "@sveltejs/kit/vite";
export default { plugins: [sveltekit({ adapter: adapter() })] };
`,
    "src/app.html": `<!doctype html>
<html lang="en"><head>%sveltekit.head%</head><body><div>%sveltekit.body%</div></body></html>
`,
    "src/routes/+layout.js": "export const prerender = true;\n",
    "src/routes/+layout.svelte": svelteMenu(NAMES),
    "src/routes/+page.svelte": svelte("The garden"),
    ...pages((name) => `src/routes/${name}/+page.svelte`, svelte),
  }),
  edited: { "src/routes/ferns/+page.svelte": svelte("Ferns", LINE) },
  added: {
    "src/routes/+layout.svelte": svelteMenu(["Ivy", ...NAMES]),
    "src/routes/ivy/+page.svelte": svelte("Ivy"),
  },
};

const VITEPRESS_PACKAGES = { vitepress: "1.6.4" };

function vitepressConfig(names: readonly string[]): string {
  const items = names.map((name) => ({ text: name, link: `/${name.toLowerCase()}` }));
  const config = { title: "The garden", lastUpdated: true, themeConfig: { sidebar: items } };
  return `export default ${JSON.stringify(config)};\n`;
}

const VITEPRESS: BuilderSite = {
  builder: "VitePress",
  packages: VITEPRESS_PACKAGES,
  ignored: "node_modules\ndocs/.vitepress/cache\ndocs/.vitepress/dist\n",
  output: "docs/.vitepress/dist",
  isDated: true,
  files: () => ({
    "package.json": manifest(VITEPRESS_PACKAGES, "module"),
    "docs/.vitepress/config.mjs": vitepressConfig(NAMES),
    "docs/index.md":
      "---\nlayout: home\nhero:\n  name: The garden\nfeatures:\n  - title: Mosses\n    details: By the wall\n---\n",
    ...pages((name) => `docs/${name}.md`, headed),
  }),
  edited: { "docs/ferns.md": headed("Ferns", LINE) },
  added: {
    "docs/.vitepress/config.mjs": vitepressConfig(["Elms", "Ivy", "Ferns", "Mosses"]),
    "docs/ivy.md": headed("Ivy"),
  },
};

const DOCUSAURUS_PACKAGES = {
  "@docusaurus/core": "3.10.2",
  "@docusaurus/preset-classic": "3.10.2",
  react: "19.3.1",
  "react-dom": "19.3.1",
};

const DOCUSAURUS: BuilderSite = {
  builder: "Docusaurus",
  packages: DOCUSAURUS_PACKAGES,
  ignored: "node_modules\nbuild\n.docusaurus\n",
  output: "build",
  isDated: true,
  files: (url) => ({
    "package.json": manifest(DOCUSAURUS_PACKAGES),
    "docusaurus.config.js": `export default {
  title: "The garden",
  url: "${url.replace(/\/$/, "")}",
  baseUrl: "/",
  presets: [["classic", {}]],
};
`,
    "src/pages/index.md": titled("The garden"),
    "blog/2026-01-02-rain.md": "---\ntitle: Rain\n---\n\nAll day.\n",
    ...pages((name) => `docs/${name}.md`, titled),
  }),
  edited: { "docs/ferns.md": titled("Ferns", LINE) },
  added: { "docs/ivy.md": titled("Ivy") },
};

const STARLIGHT_PACKAGES = { "@astrojs/starlight": "0.42.4", astro: "7.3.5" };

/** Its config stands in docs/builders.md. */
const STARLIGHT: BuilderSite = {
  builder: "Starlight",
  packages: STARLIGHT_PACKAGES,
  ignored: "node_modules\ndist\n.astro\n",
  output: "dist",
  isDated: true,
  files: () => ({
    "package.json": manifest(STARLIGHT_PACKAGES, "module"),
    "src/content.config.ts": `import { defineCollection } from "astro:content";
import { docsLoader } from "@astrojs/starlight/loaders";
import { docsSchema } from "@astrojs/starlight/schema";
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };
`,
    "src/content/docs/index.md":
      "---\ntitle: The garden\ntemplate: splash\nhero:\n  tagline: What grows in it\n---\n\nMuch grows here.\n",
    ...pages((name) => `src/content/docs/${name}.md`, titled),
  }),
  edited: { "src/content/docs/ferns.md": titled("Ferns", LINE) },
  added: { "src/content/docs/ivy.md": titled("Ivy") },
};

/** Those that npm installs; the lightest first. */
export const NPM_SITES: readonly BuilderSite[] = [SVELTEKIT, VITEPRESS, STARLIGHT, DOCUSAURUS];
