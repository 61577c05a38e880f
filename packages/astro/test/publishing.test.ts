import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { isThorough, RELEASE_ALONE } from "../../../test/thorough.ts";
import { hasNoLogFile } from "../../core/src/write/no-log-file.ts";
import { logOf } from "../../core/test/support/site.ts";
import { writeGallery } from "./support/gallery.ts";
import { page } from "./support/pages.ts";
import { AstroSite, SITE } from "./support/site.ts";

const FIRST = "2023-11-14T22:13:20Z";

test(
  "a build that fails, and a host's preview, lose nothing: the next build continues the log",
  proves("I2"),
  async () => {
    using site = smallSite("{ previous: 'output', first: true, sitemap: true }");
    expect((await site.build()).code).toBe(0);
    expect(site.read("dist/sitemap.xml")).not.toContain("<lastmod>");
    site.write("src/pages/about.astro", '---\nthrow new Error("Broken");\n---\n');
    expect((await site.build()).code).toBe(1);
    expect(existsSync(site.path("dist/resourcelist.xml"))).toBe(false);
    site.write("src/pages/about.astro", page("About", "Mended"));
    const { code, output } = await site.build();
    expect(code, output).toBe(0);
    expect(output).toContain("1 change, published");
    expect(logOf(site.path("dist"), SITE)[0]).toBe(`${FIRST} created /`);
    const sitemap = site.read("dist/sitemap.xml");
    expect(sitemap.match(/<loc>(?:(?!<loc>).)*<lastmod>/gs)).toEqual([
      expect.stringContaining(`${SITE}about/<`),
    ]);
    const preview = await site.build({ NETLIFY: "true", CONTEXT: "deploy-preview" });
    expect(preview.code, preview.output).toBe(0);
    expect(preview.output).toContain("A preview build on Netlify: no change log is published.");
    expect(existsSync(site.path("dist/resourcelist.xml"))).toBe(false);
    expect((await site.build()).output).toContain("Nothing changed since");
    expect(logOf(site.path("dist"), SITE)).toHaveLength(3);
    expect(site.read("dist/sitemap.xml")).toBe(sitemap);
  },
);

test("our list, date and links are no change of a page's source, before its first publication or after it", async () => {
  using site = smallSite("{ previous: 'output', first: true, link: true }");
  const created = [`${FIRST} created /`, `${FIRST} created /about/`];
  const list = '<ul data-rs-emit="changes"></ul>';
  site.write("src/pages/index.astro", page("Home", `${list}Home`)).repository.commit(1_700_100_000);
  expect((await site.build()).code).toBe(0);
  expect(logOf(site.path("dist"), SITE)).toEqual(created);
  const date = '<time data-rs-emit="updated"></time>';
  site.write("src/pages/about.astro", page("About", `About${date}${list}`));
  site.configure({}, { options: "{ previous: 'output', link: true }" });
  const { code, output } = await site.build();
  expect(code, output).toBe(0);
  expect(output).toContain("1 minor change, published");
  for (const file of ["index.html", "about/index.html"]) {
    expect(site.read(`dist/${file}`).match(/<li class="[\w-]+/g)).toEqual([
      '<li class="rs-emit-created',
      '<li class="rs-emit-created',
    ]);
  }
});

test.skipIf(!isThorough)(
  `what an earlier build left in the output folder is neither created nor deleted${RELEASE_ALONE}`,
  async () => {
    using site = smallSite();
    const config = { vite: { build: { emptyOutDir: false } } };
    site.configure(config, { options: "{ previous: 'output', first: true }" });
    await site.build();
    site.repository.remove(site.path("src/pages/about.astro"));
    const { code, output } = await site.build();
    expect(code, output).toBe(0);
    expect(output).toContain("1 file was left over from an earlier build");
    expect(logOf(site.path("dist"), SITE)).toEqual([
      `${FIRST} created /`,
      `${FIRST} created /about/`,
    ]);
  },
);

test("where nothing can be deployed, a live site that is out of reach fails no build", async () => {
  using site = smallSite("{ previous: 'site', testAddress: true }", "http://127.0.0.1:9/");
  const { code, output } = await site.build();
  expect(code, output).toBe(0);
  expect(output).toContain("no change log, so do not deploy it.");
  expect(hasNoLogFile(site.path("dist"))).toBe(true);
  const deploying = await site.build({ CI: "true" });
  expect(deploying.code).toBe(1);
  expect(deploying.output).toContain("http://127.0.0.1:9/");
  expect(deploying.output).not.toContain("    at ");
  site
    .configure(
      { site: "http://127.0.0.1:9/" },
      { options: "{ previous: 'broken', testAddress: true }" },
    )
    .write("broken/.well-known/resourcesync", "<!-- Written by rs-emit. --><urlset/>");
  const { output: damaged } = await site.build();
  expect(damaged).toMatch(/The published document .*\n +Hint:\n +Restore it from/);
  expect(damaged).not.toContain("Browser APIs");
  expect(damaged.match(/The published document/g)).toHaveLength(1);
});

test.skipIf(!isThorough)(`a site in a folder of a repository${RELEASE_ALONE}`, async () => {
  using site = new AstroSite(7, "packages/site/");
  writeGallery(site);
  site
    .configure({}, { options: "{ previous: 'output', first: true }" })
    .repository.commit(1_700_000_000);
  site.repository.write("packages/other/src/pages/about.astro", "None").commit(1_700_000_100);
  await site.build();
  const told = logOf(site.path("dist"), SITE);
  expect(told).toContain(`${FIRST} created /blog/one/`);
  expect(told.filter((line) => !line.startsWith(`${FIRST} created /`))).toEqual([]);
});

/** @param url the site's address */
function smallSite(options = "{ previous: 'output', first: true }", url = SITE): AstroSite {
  const site = new AstroSite()
    .write("src/pages/index.astro", page("Home"))
    .write("src/pages/about.astro", page("About"))
    .configure({ site: url }, { options });
  site.repository.commit(1_700_000_000);
  return site;
}
