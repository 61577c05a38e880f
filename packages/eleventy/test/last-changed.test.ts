import { readFileSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { codeOf } from "../../../test/support/documented.ts";
import { VERSIONS, Workspace } from "./support/workspace.ts";

const [SITEMAP = ""] = codeOf("docs/search-engines.md: In the sitemap that you have", "njk");

test.concurrent.each(VERSIONS)(
  "Eleventy %i: templates get the dates of the log, as the docs say",
  async (version) => {
    using workspace = new Workspace(version);
    const { site } = workspace;
    site
      .write("sitemap.njk", SITEMAP)
      .write("index.md", "Home")
      .write("about.liquid", "<main>About {{ page.url | lastChanged }}.</main>")
      .commit(1_700_000_000);
    workspace.configure("{ url: 'https://moss.example/', previous: 'output', first: true }");
    const built = async () => {
      const { code, out, err } = await workspace.eleventy();
      expect(code, out + err).toBe(0);
      const read = (file: string) => readFileSync(site.path("_site", file), "utf8");
      const urls = read("sitemap.xml")
        .match(/<url>.*?<\/url>/g)
        ?.toSorted();
      return { urls, about: read("about/index.html") };
    };
    const url = (path: string, lastmod: string) =>
      `<url><loc>https://example.com${path}</loc>${lastmod}</url>`;
    const unknown = [url("/", ""), url("/about/", "")];
    expect(await built()).toEqual({ urls: unknown, about: "<main>About .</main>" });
    site.write("index.md", "Home, with ferns").commit(1_710_000_000);
    expect((await built()).urls).toEqual(unknown);
    const known = [url("/", "<lastmod>2024-03-09T16:00:00Z</lastmod>"), url("/about/", "")];
    expect((await built()).urls).toEqual(known);
    rmSync(site.path("_site"), { recursive: true });
    expect((await built()).urls).toEqual(unknown);
  },
);
