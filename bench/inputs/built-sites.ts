import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generated, ROOT } from "../places.ts";
import { Contestant } from "../race.ts";
import { writer } from "./words.ts";

/** A way to build a site: alone, or with something that publishes beside. */
export type Beside =
  | "alone"
  /** rs-emit that fills links, lists and dates in. */
  | "rs-emit-link"
  /** rs-emit with its sitemap. */
  | "rs-emit-sitemap"
  /** A feed and a sitemap as the builder's own documentation says to make them. */
  | "feeds";

/** As long as a page of a garden or a shrine: some six minutes to read. */
const WORDS = 1200;
/** As long as a page of 3 KB. */
export const SHORT = 240;
/** A date, and a list of the newest changes. */
export const MARKS =
  '<time data-rs-emit="updated"></time>{% if page.url == "/tags/tag-1/" %}<ul data-rs-emit="changes"></ul>{% endif %}';
const TAGS = 40;
const URL = "https://moss.example/";

/**
 * An Eleventy site of Markdown notes in git; `<beside>.config.js` builds it into `_<beside>`.
 * @param marks what stands in each page for rs-emit to fill
 */
export function eleventySite(pages: number, words = WORDS, marks = ""): Promise<string> {
  const name = `eleventy-${pages}-${words}${marks === "" ? "" : "-marked"}`;
  return generated(name, (folder) => {
    const modules = "packages/eleventy/node_modules/@11ty/eleventy";
    link(folder, {
      "@11ty/eleventy": modules,
      "@rs-emit/eleventy": "packages/eleventy",
      "@11ty/eleventy-plugin-rss": "node_modules/@11ty/eleventy-plugin-rss",
    });
    write(folder, {
      "src/_includes/base.njk": layout("{{ title }}", `{{ content | safe }}${marks}`),
      "src/_includes/note.njk": `---
layout: base.njk
---
<article><h1>{{ title }}</h1>{{ content | safe }}</article>
<ul>{% for tag in tags %}<li><a href="/tags/{{ tag }}/">{{ tag }}</a></li>{% endfor %}</ul>
{% set next = collections.all | getNextCollectionItem %}
{% if next %}<a href="{{ next.url }}">{{ next.data.title }}</a>{% endif %}
`,
      "src/notes/notes.json": '{ "layout": "note.njk" }',
      "src/tags.njk": `---
pagination: { data: collections, size: 1, alias: tag, filter: [all] }
permalink: /tags/{{ tag }}/
layout: base.njk
title: Tags
---
<ul>{% for note in collections[tag] %}<li><a href="{{ note.url }}">{{ note.data.title }}</a></li>{% endfor %}</ul>
`,
      "alone.config.js": eleventyConfig("alone", ""),
      "rs-emit-link.config.js": eleventyConfig("rs-emit-link", eleventyPlugin("link: true")),
      "rs-emit-sitemap.config.js": eleventyConfig(
        "rs-emit-sitemap",
        eleventyPlugin("sitemap: true"),
      ),
      "feeds.config.js": eleventyConfig("feeds", ELEVENTYS_FEEDS),
    });
    writeNotes(join(folder, "src/notes"), pages, words);
    commit(folder);
  });
}

function eleventyPlugin(more: string): string {
  const options = `{ url: "${URL}", previous: "output", ${more} }`;
  return `config.addPlugin((await import("@rs-emit/eleventy")).default, ${options});`;
}

/** The feed of the newest ten, as the plugin's documentation has it, and a template that lists all pages. */
const ELEVENTYS_FEEDS = `const { feedPlugin } = await import("@11ty/eleventy-plugin-rss");
  config.addPlugin(feedPlugin, {
    type: "atom",
    outputPath: "/feed.xml",
    collection: { name: "all", limit: 10 },
    metadata: { language: "en", title: "Notes", base: "${URL}", author: { name: "Moss" } },
  });
  config.addTemplate("sitemap.njk", \`<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{% for page in collections.all %}<url><loc>${URL.slice(0, -1)}{{ page.url | url }}</loc><lastmod>{{ page.date.toISOString() }}</lastmod></url>
{% endfor %}</urlset>\`, { permalink: "/sitemap.xml", eleventyExcludeFromCollections: true });`;

/** An Astro site of a content collection in git; `<beside>.config.mjs` builds it into `_<beside>`. */
export function astroSite(pages: number): Promise<string> {
  return generated(`astro-${pages}`, (folder) => {
    link(folder, {
      astro: "packages/astro/node_modules/astro",
      "@rs-emit/astro": "packages/astro",
      "@astrojs/rss": "node_modules/@astrojs/rss",
      "@astrojs/sitemap": "node_modules/@astrojs/sitemap",
    });
    write(folder, {
      "src/content.config.ts": `import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";
export const collections = {
  notes: defineCollection({ loader: glob({ pattern: "*.md", base: "./src/notes" }) }),
};
`,
      "src/pages/notes/[id].astro": `---
import { getCollection, render } from "astro:content";
export async function getStaticPaths() {
  const notes = await getCollection("notes");
  return notes.map((note) => ({ params: { id: note.id }, props: { note } }));
}
const { note } = Astro.props;
const { Content } = await render(note);
---
${layout("{note.data.title}", "<Content />")}`,
      "src/pages/index.astro": layout("Home", "Notes"),
      "alone.config.mjs": astroConfig("alone", ""),
      "rss.xml.js": ASTROS_RSS,
      "feeds.config.mjs": astroConfig("feeds", `${ASTROS_SITEMAP}, ${RSS_ROUTE}`),
      "rs-emit-sitemap.config.mjs": astroConfig(
        "rs-emit-sitemap",
        '(await import("@rs-emit/astro")).default({ previous: "output", sitemap: true })',
      ),
    });
    writeNotes(join(folder, "src/notes"), pages);
    commit(folder);
  });
}

const ASTROS_SITEMAP = '(await import("@astrojs/sitemap")).default()';

/** All pages, as the documentation of `@astrojs/rss` has it. */
const ASTROS_RSS = `import rss from "@astrojs/rss";
import { getCollection } from "astro:content";
export async function GET(context) {
  const notes = await getCollection("notes");
  const pubDate = new Date("2026-01-01");
  const items = notes.map(({ id, data }) => ({ title: data.title, pubDate, link: "/notes/" + id + "/" }));
  return rss({ title: "Notes", description: "All notes", site: context.site, items });
}
`;
/** A route of this configuration alone. */
const RSS_ROUTE = `{
    name: "rss",
    hooks: {
      "astro:config:setup": ({ injectRoute }) =>
        injectRoute({ pattern: "/rss.xml", entrypoint: "./rss.xml.js" }),
    },
  }`;

/** A build of an `eleventySite`. */
export function eleventyBuild(cwd: string, beside: Beside): Contestant {
  const program = join(cwd, "node_modules/@11ty/eleventy/cmd.cjs");
  const command = [process.execPath, program, "--quiet", `--config=${beside}.config.js`];
  return new Contestant(command, { cwd });
}

/** A build of an `astroSite`. */
export function astroBuild(cwd: string, beside: Beside): Contestant {
  const program = join(cwd, "node_modules/astro/bin/astro.mjs");
  const command = ["env", "ASTRO_TELEMETRY_DISABLED=1", process.execPath, program, "build"];
  const args = ["--silent", "--config", `${beside}.config.mjs`];
  return new Contestant([...command, ...args], { cwd });
}

function eleventyConfig(beside: Beside, plugin: string): string {
  return `export default async function (config) { ${plugin} }
export const config = { dir: { input: "src", output: "_${beside}" } };
`;
}

function astroConfig(beside: Beside, integration: string): string {
  return `export default {
  site: "${URL}",
  outDir: "./_${beside}",
  cacheDir: "./.cache-${beside}",
  integrations: [${integration}],
};
`;
}

export function layout(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>${title}</title></head>
  <body><header><nav><a href="/">Home</a></nav></header><main>${main}</main></body>
</html>
`;
}

function writeNotes(folder: string, count: number, words = WORDS): void {
  const text = writer(3);
  mkdirSync(folder, { recursive: true });
  for (let note = 0; note < count; note++) {
    const sections = Array.from(
      { length: 12 },
      (_, at) =>
        `## Part ${at}\n\n${text(words / 12)} [another](/notes/note-${at}/) *${text(3)}*\n`,
    );
    const front = `title: Note ${note}\ntags: [tag-${note % TAGS}, tag-${(note * 7) % TAGS}]`;
    writeFileSync(
      join(folder, `note-${note}.md`),
      `---\n${front}\n---\n${sections.join("\n")}\n- ${text(5)}\n- ${text(5)}\n`,
    );
  }
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  const all = {
    ...files,
    "package.json": '{ "type": "module" }',
    ".gitignore": "_*\n.cache-*\nnode_modules\n",
  };
  for (const [file, contents] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), contents);
  }
}

/** Links packages of this repository into a project. */
export function link(folder: string, modules: Readonly<Record<string, string>>): void {
  for (const [name, target] of Object.entries(modules)) {
    const place = join(folder, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(ROOT, target), place);
  }
}

function commit(folder: string): void {
  const author = ["-c", "user.name=Bench", "-c", "user.email=bench@example.org"].concat(
    "-c commit.gpgsign=false -c core.hooksPath=/dev/null".split(" "),
  );
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    [...author, "commit", "-q", "-m", "Notes"],
  ]) {
    execFileSync("git", args, { cwd: folder });
  }
}
