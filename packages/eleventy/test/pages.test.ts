import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { documentsOf, logOf } from "../../core/test/support/site.ts";
import { page } from "./support/template.ts";
import { EVERY_VERSION, VERSIONS, Workspace } from "./support/workspace.ts";

const SITE = "https://moss.example/";
const LAYOUT =
  "<!doctype html><html><head><title>{{ title }}</title></head><main>{{ content }}</main></html>";

test.concurrent.each(EVERY_VERSION)(
  "Eleventy %i: what was written or copied is a page, unless it is kept out",
  async (version) => {
    using workspace = new Workspace(version).configure(
      `{ url: "${SITE}", previous: "output", include: ["**/*.txt", "made/**"] }`,
      `eleventyConfig.addPassthroughCopy({ static: "/" });
    eleventyConfig.addPassthroughCopy("notes/*.txt");
    eleventyConfig.ignores.add("static/**");`,
      `eleventyConfig.on("eleventy.after", async () => {
      const { mkdirSync, writeFileSync } = await import("node:fs");
      mkdirSync("_site/made", { recursive: true });
      writeFileSync("_site/made/by-another.html", "<body><main>Asked for</main>");
      writeFileSync("_site/unasked.html", "<body><main>Not asked for</main>");
    });`,
    );
    workspace.site
      .write("_includes/base.liquid", LAYOUT)
      .write("index.md", page({ layout: "base.liquid", title: "Home" }, "Home"))
      .write("out.md", page({ layout: "base.liquid", resourcesync: false }, "Kept out"))
      .write("notes/notes.json", JSON.stringify({ resourcesync: false }))
      .write("notes/out.md", "Kept out")
      .write("notes/in.md", page({ resourcesync: true }, "Let in"))
      .write("notes/data.txt", "Asked for")
      .write("nowhere.md", page({ permalink: false }, "Not written"))
      .write("feed.njk", page({ permalink: "/feed.xml" }, "<feed/>"))
      .write("größe.md", "Not only ASCII")
      .write("static/hand.html", "<body><main>By hand</main>")
      .write("static/deep/s #%23.html", "<body><main>Escaped</main>")
      .write("static/picture.svg", "<svg/>")
      .write("_site/left/over.html", "<body><main>Of an earlier build</main>")
      .commit(1_700_000_000);
    const { code, out, err } = await workspace.eleventy();
    expect(code, out + err).toBe(0);
    expect(paths(workspace)).toEqual([
      "",
      "deep/s%20%23%2523.html",
      "gr%C3%B6%C3%9Fe/",
      "hand.html",
      "made/by-another.html",
      "notes/data.txt",
      "notes/in/",
    ]);
    expect(out + err).toMatch(/2 files were left over .*left\/over\.html, unasked\.html/);
    expect(logOf(workspace.site.path("_site"), SITE)).toHaveLength(6);
  },
);

/** What a page's front matter says in three builds, and what is told of it in the last two. */
const KEPT_OUT: readonly (readonly [
  name: string,
  fronts: readonly object[],
  told: readonly string[],
])[] = [
  // Its file stands, so that readers open it as before.
  ["out", [{}, { resourcesync: false }, {}], ["deleted (minor)", "created (minor)"]],
  ["nowhere", [{}, { permalink: false }, {}], ["deleted", "created"]],
  ["alone", [{}, { eleventyExcludeFromCollections: true }, {}], []],
];

test.concurrent.each(VERSIONS)(
  "Eleventy %i: a page that is kept out for a build is withdrawn without a word, one that is not written is gone",
  async (version) => {
    using workspace = new Workspace(version).configure(
      `{ url: "${SITE}", previous: "output", first: true, now: process.env.NOW }`,
    );
    const told: Record<string, readonly string[]> = {};
    const { site } = workspace;
    site.write("index.md", "Home").commit(1_600_000_000);
    for (const build of [0, 1, 2]) {
      for (const [name, fronts] of KEPT_OUT) {
        site.write(`${name}.md`, page({ ...fronts[build] }, `The words of ${name}`));
        // Eleventy leaves old files where they are.
        rmSync(site.path("_site", name), { recursive: true, force: true });
      }
      const { code, out, err } = await workspace.eleventy([], {
        NOW: `2024-01-0${build + 1}T00:00:00Z`,
      });
      expect(code, out + err).toBe(0);
    }
    for (const [name] of KEPT_OUT) {
      const lines = logOf(site.path("_site"), SITE).filter((line) => line.endsWith(`/${name}/`));
      told[name] = lines.slice(1).map((line) => line.split(" ").slice(1, -1).join(" "));
    }
    expect(told).toEqual(Object.fromEntries(KEPT_OUT.map(([name, , lines]) => [name, lines])));
  },
);

test.concurrent.each(VERSIONS)(
  "Eleventy %i: hashes are taken when every other plugin is done",
  async (version) => {
    using workspace = new Workspace(version).configure(
      `{ url: "${SITE}", previous: "output" }`,
      `${REWRITE}
    eleventyConfig.on("eleventy.after", rewrite("before", 30));`,
      `eleventyConfig.on("eleventy.after", rewrite("after", 60));
    eleventyConfig.on("buildawesome.after", rewrite("new name", 10));
    eleventyConfig.on("eleventy.before", () => {
      if (!eleventyConfig.isLate) eleventyConfig.on("eleventy.after", rewrite("late", 30));
      eleventyConfig.isLate = true;
    });
    eleventyConfig.addPlugin((config) => {
      config.on("eleventy.after", rewrite("a plugin", 90));
      config.setEventEmitterMode("parallel");
    });`,
    );
    workspace.site.write("index.md", "Home").commit(1_700_000_000);
    const { code, out, err } = await workspace.eleventy();
    expect(code, out + err).toBe(0);
    const html = readFileSync(workspace.site.path("_site/index.html"));
    for (const name of ["before", "after", "late", "a plugin"])
      expect(String(html)).toContain(name);
    expect(String(html).includes("new name")).toBe(version === 4);
    const [entry] = resources(workspace);
    expect(entry?.metadata?.hash).toBe(
      `sha-256:${createHash("sha256").update(html).digest("hex")}`,
    );
  },
);

/** Another plugin that takes its time to rewrite every page when a build has ended. */
const REWRITE = `const rewrite = (name, milliseconds) => async ({ results }) => {
  const { appendFileSync } = await import("node:fs");
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  for (const { outputPath } of results) appendFileSync(outputPath, "<!-- " + name + " -->");
};`;

test.concurrent.each(VERSIONS)(
  "Eleventy %i: pages link to the list of their collection, by hand or by themselves",
  async (version) => {
    using workspace = new Workspace(version).configure(
      `{ url: "${SITE}", previous: "output", link: true, collections: ["notes/", "garden/"] }`,
      `eleventyConfig.addPassthroughCopy("garden");
    eleventyConfig.ignores.add("garden/**");`,
    );
    const notes = `${SITE}notes/capabilitylist.xml`;
    const byHand = `<link rel="resourcesync" href="${notes}">`;
    const list = (collection: string) =>
      `<link rel="resourcesync" href="/${collection}/capabilitylist.xml" data-rs-emit="link">`;
    const feed = (collection: string) =>
      `<link rel="alternate" type="application/atom+xml" title="moss.example/${collection} &#8211; changes" ` +
      `href="/${collection}/changes.atom" data-rs-emit="link">`;
    const filtered = `<head></head><a href="{{ page.url | resourcesyncUrl }}">{{ "/garden/x/" | resourcesyncUrl }}</a>`;
    workspace.site
      .write("notes/liquid.liquid", `<head>{% resourcesync %}</head>`)
      .write("notes/nunjucks.njk", `<head>{% resourcesync %}</head>`)
      .write(
        "notes/script.11ty.js",
        "export default function () { return '<head>' + this.resourcesync() + this.resourcesyncUrl() + '</head>'; }",
      )
      .write("notes/liquid-filter.liquid", filtered)
      .write("notes/nunjucks-filter.njk", filtered)
      .write("outside.liquid", `<head>{% resourcesync %}[{{ page.url | resourcesyncUrl }}]</head>`)
      .write("garden/hand.html", "<head></head>")
      .commit(1_700_000_000);
    for (const _ of ["first", "again"]) {
      const { code, out, err } = await workspace.eleventy();
      expect(code, out + err).toBe(0);
      const read = (path: string) => readFileSync(workspace.site.path("_site", path), "utf8");
      expect(read("notes/liquid/index.html")).toBe(`<head>${byHand}${feed("notes")}</head>`);
      expect(read("notes/nunjucks/index.html")).toBe(`<head>${byHand}${feed("notes")}</head>`);
      expect(read("notes/script/index.html")).toBe(
        `<head>${byHand}${feed("notes")}${notes}</head>`,
      );
      for (const language of ["liquid", "nunjucks"]) {
        expect(read(`notes/${language}-filter/index.html`)).toBe(
          `<head>${list("notes")}${feed("notes")}</head>` +
            `<a href="${notes}">${SITE}garden/capabilitylist.xml</a>`,
        );
      }
      expect(read("outside/index.html")).toBe("<head>[]</head>");
      expect(read("garden/hand.html")).toBe(`<head>${list("garden")}${feed("garden")}</head>`);
    }
  },
);

function resources(workspace: Workspace) {
  const documents = documentsOf(workspace.site.path("_site"), SITE);
  return documents.get(`${SITE}resourcelist.xml`)?.entries ?? [];
}

function paths(workspace: Workspace): string[] {
  return resources(workspace).map(({ loc }) => loc.slice(SITE.length));
}
