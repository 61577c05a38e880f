import { expect, test } from "vitest";
import { sample } from "../../../test/thorough.ts";
import { logOf } from "../../core/test/support/site.ts";
import { resourcesIn } from "./support/documents.ts";
import { CONTENT, layout, post, postRoute } from "./support/gallery.ts";
import { page } from "./support/pages.ts";
import { AstroSite, SITE, VERSIONS, type Version } from "./support/site.ts";

const ORIGINALS = ["/", "/about/", "/blog/", "/blog/one/", "/en/"];
const STAND_INS = ["/en/about/", "/en/blog/", "/en/blog/one/"];

const CASES = VERSIONS.flatMap((version) =>
  sample([[version, "rewrite", STAND_INS] as const, [version, "redirect", []] as const], 1),
);

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

test.each(VERSIONS)(
  "Astro %d: where every language has a folder, and the author names the source files",
  async (version) => {
    const i18n = {
      defaultLocale: "de",
      locales: ["de", "en"],
      routing: { prefixDefaultLocale: true },
    };
    const sourceFiles = `({ url, pattern }) => {
      const [language, name] = new URL(url).pathname.split("/").filter(Boolean);
      return pattern === "/[lang]/[name]" ? \`texts/\${name}.\${language}.txt\` : undefined;
    }`;
    using site = new AstroSite(version)
      .write("src/pages/index.astro", '---\nreturn Astro.redirect("/de/");\n---\n')
      .write("src/pages/de/index.astro", page("Start"))
      .write("src/pages/en/index.astro", page("Home"))
      .write("src/pages/[lang]/[name].astro", TEXTS)
      .write("texts/moss.de.txt", "Moos")
      .write("texts/moss.en.txt", "Moss")
      .configure({ i18n }, { options: `{ previous: "none", sourceFiles: ${sourceFiles} }` });
    site.repository.commit(1_700_000_000);
    site.write("texts/moss.en.txt", "Mosses").repository.commit(1_700_000_100);
    const { code, output } = await site.build();
    expect(code, output).toBe(0);
    expect(logOf(site.path("dist"), SITE).sort()).toEqual([
      "2023-11-14T22:13:20Z created /de/",
      "2023-11-14T22:13:20Z created /de/moss/",
      "2023-11-14T22:13:20Z created /en/",
      "2023-11-14T22:13:20Z created /en/moss/",
      "2023-11-14T22:15:00Z updated /en/moss/",
    ]);
  },
);

const TEXTS = `---
export function getStaticPaths() {
  const texts = import.meta.glob("/texts/*.txt", { eager: true, query: "?raw", import: "default" });
  return Object.entries(texts).map(([path, text]) => {
    const [name, lang] = path.split("/").at(-1).split(".");
    return { params: { lang, name }, props: { text } };
  });
}
---
${page("Text", "{Astro.props.text}")}`;
