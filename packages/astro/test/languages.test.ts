import { expect, test } from "vitest";
import { logOf } from "../../core/test/support/site.ts";
import { resourcesIn } from "./support/documents.ts";
import { CONTENT, layout, post, postRoute } from "./support/gallery.ts";
import { page } from "./support/pages.ts";
import { AstroSite, SITE, type Version } from "./support/site.ts";

const ORIGINALS = ["/", "/about/", "/blog/", "/blog/one/", "/en/"];
const STAND_INS = ["/en/about/", "/en/blog/", "/en/blog/one/"];

const CASES: readonly (readonly [Version, "redirect" | "rewrite", readonly string[]])[] = [
  [5, "redirect", []],
  [7, "redirect", []],
  [5, "rewrite", STAND_INS],
  [7, "rewrite", STAND_INS],
];

test.each(CASES)(
  "Astro %d: pages that stand in for translations, by %s",
  async (version, fallbackType, standIns) => {
    using site = multilingual(version, fallbackType);
    const { code, output } = await site.build();
    expect(code, output).toBe(0);
    expect(resourcesIn(site.path("dist"), SITE)).toEqual([...ORIGINALS, ...standIns].sort());
    // A page that stands in has no source: it would be the original's, and several pages from one date none.
    const created = ORIGINALS.map((path) => `2023-11-14T22:13:20Z created ${path}`);
    expect(logOf(site.path("dist"), SITE).sort()).toEqual(created);
  },
);

function multilingual(version: Version, fallbackType: string): AstroSite {
  const i18n = {
    defaultLocale: "de",
    locales: ["de", "en"],
    fallback: { en: "de" },
    routing: { prefixDefaultLocale: false, fallbackType },
  };
  const site = new AstroSite(version)
    .write("src/layouts/Base.astro", layout("Words"))
    .write("src/pages/index.astro", page("Start"))
    .write("src/pages/about.astro", page("Über uns"))
    .write("src/pages/en/index.astro", page("Home"))
    .write("src/pages/blog/[...slug].astro", postRoute("posts"))
    .write("src/content.config.ts", CONTENT)
    .write("src/content/posts/index.md", post("Alle"))
    .write("src/content/posts/one.md", post("Eins"))
    .configure({ i18n }, { options: "{ previous: 'none' }" });
  site.repository.commit(1_700_000_000);
  return site;
}
