import { expect, test } from "vitest";
import { codeOf } from "../../../test/support/documented.ts";
import { logOf } from "../../core/test/support/site.ts";
import { AstroSite } from "./support/site.ts";

const README = "packages/astro/README.md";
const [CONFIG = ""] = codeOf(`${README}: @rs-emit/astro`, "js");
const [LINK = ""] = codeOf(`${README}: Options`, "astro");
const [DATE = ""] = codeOf(`${README}: The date of a page`, "astro");
const [SOURCES = ""] = codeOf(`${README}: Source files`, "js");

const FILLED =
  /Last updated: <time datetime="(\d{4}-\d\d-\d\d)T[\d:]{8}Z" data-rs-emit="updated">\1<\/time>/;

const ROUTE = `---
export const getStaticPaths = () => ["fern", "moss"].map((name) => ({ params: { name } }));
---
<title>{Astro.params.name}</title><main>{Astro.params.name}</main>`;

test("the config, the link by hand, the date and the source files of the README", async () => {
  // The examples' address stands for the author's own, and its first publication.
  const options = "testAddress: true, first: true, previous: 'output'";
  const integration = SOURCES.trim().replace("rsEmit({", `rsEmit({ ${options},`).replace(/;$/, "");
  const config = CONFIG.replace("https://example.com", "https://moss.example").replace(
    "rsEmit({ link: true })",
    () => integration,
  );
  using site = new AstroSite()
    .write("astro.config.mjs", config)
    .write("src/pages/index.astro", `${LINK}<title>Home</title><main>Home</main>${DATE}`)
    .write("src/pages/notes/[name].astro", ROUTE)
    .write("notes/fern.md", "Fern")
    .write("notes/moss.md", "Moss");
  site.repository.commit(1_700_000_000);
  site.write("notes/moss.md", "Moss, again").repository.commit(1_710_000_000);
  const { code, output } = await site.build();
  expect(code, output).toBe(0);
  expect(logOf(site.path("dist"), "https://moss.example/")).toEqual([
    "2023-11-14T22:13:20Z created /",
    "2023-11-14T22:13:20Z created /notes/fern/",
    "2023-11-14T22:13:20Z created /notes/moss/",
    "2024-03-09T16:00:00Z updated /notes/moss/",
  ]);
  expect(site.read("dist/index.html")).toContain(
    '<link rel="resourcesync" href="/capabilitylist.xml">',
  );
  const edited = site.read("src/pages/index.astro").replace("<main>Home", "<main>Home again");
  await site.write("src/pages/index.astro", edited).build();
  expect(site.read("dist/index.html")).toMatch(FILLED);
});
