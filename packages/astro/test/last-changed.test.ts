import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codeOf } from "../../../test/support/documented.ts";
import { page } from "./support/pages.ts";
import { AstroSite, VERSIONS } from "./support/site.ts";

const [CONFIG = ""] = codeOf("docs/search-engines.md: In the sitemap that you have", "js");
const SITEMAP = realpathSync(join(import.meta.dirname, "../../../node_modules/@astrojs/sitemap"));

test.each(VERSIONS)(
  "Astro %d: the sitemap that a site has gets the dates of its log, as the docs say",
  async (version) => {
    const options = "link: true, first: true, previous: 'output'";
    using site = new AstroSite(version)
      .write("src/pages/index.astro", page("Home"))
      .write("src/pages/about.astro", page("About"))
      .write(
        "astro.config.mjs",
        CONFIG.replace("https://example.com", "https://moss.example").replace(
          "link: true",
          options,
        ),
      );
    mkdirSync(site.path("node_modules/@astrojs"), { recursive: true });
    symlinkSync(SITEMAP, site.path("node_modules/@astrojs/sitemap"));
    site.repository.commit(1_700_000_000);
    const dates = async () => {
      const { code, output } = await site.build();
      expect(code, output).toBe(0);
      const urls = site.read("dist/sitemap-0.xml").matchAll(/<url>.*?<\/url>/g);
      return [...urls].map(([url]) => /<lastmod>(.{19})/.exec(url)?.[1]);
    };
    expect(await dates()).toEqual([undefined, undefined]);
    site.write("src/pages/about.astro", page("About", "Ferns are here"));
    site.repository.commit(1_710_000_000);
    expect(await dates()).toEqual([undefined, undefined]);
    expect(await dates()).toEqual([undefined, "2024-03-09T16:00:00"]);
  },
);
