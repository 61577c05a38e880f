import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { documentsOf, expectNoFindings, logOf } from "../../core/test/support/site.ts";
import { resourcesIn } from "./support/documents.ts";
import { htmlIn, page } from "./support/pages.ts";
import { AstroSite, SITE, VERSIONS } from "./support/site.ts";

const BASE = `${SITE}docs/`;

const COLLECTIONS = `{
  previous: "none",
  link: true,
  collections: ["/", { path: "gallery/", title: "The gallery" }],
}`;

/** Stands after ours in the configuration, and changes every page. */
const LATE = `{
  name: "late",
  hooks: {
    "astro:build:done": async ({ dir }) => {
      const { readFileSync, writeFileSync } = await import("node:fs");
      const file = new URL("about/index.html", dir);
      writeFileSync(file, readFileSync(file, "utf8").replace("About us", "About you"));
    },
  },
}`;

/** Adds the former when ours has had its turn. */
const ADDING = `{
  name: "adding",
  hooks: {
    "astro:config:setup": ({ updateConfig }) => updateConfig({ integrations: [${LATE}] }),
  },
}`;

const LINKED = `---
import ResourceSyncLink from "@rs-emit/astro/ResourceSyncLink.astro";
---
${page("Linked").replace("<title>", "<ResourceSyncLink /><title>")}`;

test.each(VERSIONS)(
  "Astro %d: pages of a base path lead to the log of their collection",
  async (version) => {
    using site = new AstroSite(version)
      .write("src/pages/index.astro", page("Home"))
      .write("src/pages/about.astro", page("About", "About us"))
      .write("src/pages/gallery/index.astro", LINKED)
      .write("src/pages/gallery/moss.astro", LINKED)
      .write("src/pages/linked.astro", LINKED)
      .write("src/pages/404.astro", page("Not found"))
      .configure({ base: "/docs", trailingSlash: "never" }, { options: COLLECTIONS, others: LATE });

    site.repository.commit(1_700_000_000);
    const { code, output } = await site.build();
    expect(code, output).toBe(0);
    const dist = site.path("dist");
    expectNoFindings(dist, BASE);
    expect(resourcesIn(dist, BASE)).toEqual(["/docs/", "/docs/about", "/docs/linked"]);
    expect(resourcesIn(dist, BASE, "gallery/")).toEqual(["/docs/gallery", "/docs/gallery/moss"]);
    expect(logOf(dist, BASE, "gallery/")).toEqual([
      "2023-11-14T22:13:20Z created /gallery",
      "2023-11-14T22:13:20Z created /gallery/moss",
    ]);
    const list = (collection = "", mark = "") =>
      `<link rel="resourcesync" href="/docs/${collection}capabilitylist.xml"${mark}>`;
    const feed = (collection = "") =>
      '<link rel="alternate" type="application/atom+xml" ' +
      `title="${collection === "" ? "moss.example/docs" : "The gallery"} &#8211; changes" ` +
      `href="/docs/${collection}changes.atom" data-rs-emit="link">`;
    const own = list("", ' data-rs-emit="link"');
    expect(
      Object.fromEntries([...htmlIn(dist)].map(([file, html]) => [file, linksIn(html)])),
    ).toEqual({
      "404.html": [],
      "about/index.html": [own, feed()],
      "gallery/index.html": [list("gallery/"), feed("gallery/")],
      "gallery/moss/index.html": [list("gallery/"), feed("gallery/")],
      "index.html": [own, feed()],
      "linked/index.html": [list(), feed()],
    });
  },
);

test("hashes are those of the pages when every other integration is done", async () => {
  using site = new AstroSite()
    .write("src/pages/about.astro", page("About", "About us"))
    .configure({}, { options: '{ previous: "none" }', others: ADDING });
  const { code, output } = await site.build();
  expect(code, output).toBe(0);
  const html = site.read("dist/about/index.html");
  expect(html).toContain("About you");
  const list = documentsOf(site.path("dist"), SITE).get(`${SITE}resourcelist.xml`);
  const digest = createHash("sha256").update(html).digest("hex");
  expect(list?.entries.map(({ metadata }) => metadata?.hash)).toEqual([`sha-256:${digest}`]);
});

function linksIn(html: string): string[] {
  return html.match(/<link [^>]*>/g) ?? [];
}
