import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { page } from "./support/pages.ts";
import { AstroSite, VERSIONS } from "./support/site.ts";

const NOTE = "Two more ferns, and why they are no moss";

/** The layout of the README's section on an author's words. */
const [, LAYOUT = ""] =
  /## Your words.*?```astro\n(.*?)```/s.exec(
    readFileSync(join(import.meta.dirname, "../README.md"), "utf8"),
  ) ?? [];

test.each(VERSIONS)(
  "Astro %d: a page's note goes with its change, as the README says",
  async (version) => {
    const home = `---
import Layout from "../layouts/Layout.astro";
---
<Layout note="${NOTE}" />`;
    using site = new AstroSite(version)
      .write("src/layouts/Layout.astro", `${LAYOUT}<body><main>Ferns</main></body>`)
      .write("src/pages/index.astro", home)
      .write("src/pages/plain.astro", page("Plain"))
      .configure({}, { options: '{ previous: "none" }' });
    site.repository.commit(1_700_000_000);
    const { code, output } = await site.build();
    expect(code, output).toBe(0);
    const feed = readFileSync(site.path("dist/changes.atom"), "utf8");
    const contents = [...feed.matchAll(/<content.*?<\/content>/gs)].map(String);
    expect(contents.filter((content) => content.includes(NOTE))).toHaveLength(1);
    expect(contents.join("").split(NOTE)).toHaveLength(2);
  },
);
