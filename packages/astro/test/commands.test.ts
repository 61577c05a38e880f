import { expect, test } from "vitest";
import { filesOf } from "../../core/test/support/site.ts";
import { page } from "./support/pages.ts";
import { AstroSite, VERSIONS } from "./support/site.ts";

const LINKED = `---
import ResourceSyncLink from "@rs-emit/astro/ResourceSyncLink.astro";
---
${page("Home").replace("<title>", "<ResourceSyncLink /><title>")}`;

test.each(VERSIONS)("Astro %d: only a build publishes", async (version) => {
  using site = new AstroSite(version)
    .write("src/pages/index.astro", LINKED)
    .configure({}, { options: "{ previous: 'none' }" });
  expect((await site.build()).code).toBe(0);
  site.write("dist/index.html", page("Somebody else's"));
  const published = filesOf(site.path("dist"));

  expect((await site.run(["sync"])).code).toBe(0);
  await site.serve("preview", async (address) => {
    expect(await textAt(address)).toContain("Somebody else's");
  });
  // Nor does it matter yet where the site will stand.
  site.configure({ site: undefined });
  await site.serve("dev", async (address) => {
    expect(await textAt(address)).toContain('<link rel="resourcesync" href="/capabilitylist.xml">');
  });
  expect(filesOf(site.path("dist"))).toEqual(published);
});

test.each(VERSIONS)(
  "Astro %d: the server that authors develop with shows what is published, and asks no network",
  async (version) => {
    const marks = '<time data-rs-emit="updated"></time><ul data-rs-emit="changes"></ul>';
    using site = new AstroSite(version)
      .write("src/pages/index.astro", page("Home", marks))
      .write("src/pages/notes/moss.astro", page("Moss", marks))
      .configure({}, { options: '{ previous: "output", first: true }' });
    site.repository.commit(1_700_000_000);
    expect((await site.build()).code).toBe(0);
    site.write("src/pages/notes/moss.astro", page("Moss", `More. ${marks}`));
    expect((await site.build()).code).toBe(0);
    const published = filesOf(site.path("dist"));
    const [date = ""] = /<time datetime[^<]*/.exec(site.read("dist/notes/moss/index.html")) ?? [];
    // Nobody answers at the site's address.
    site.configure({}, { options: '{ previous: "site" }' });
    await site.serve("dev", async (address) => {
      const moss = await textAt(`${address}notes/moss`);
      expect(date).toMatch(/datetime="20.*>20/);
      const shown = moss.replaceAll(/ data-astro-[^=]*="[^"]*"/g, "");
      expect(shown).toContain(date);
      expect(shown).toMatch(/<li class="rs-emit-created h-entry">.*href="\.\.\/".*>Home<\/a>/);
      expect(await textAt(address)).toMatch(/<a [^>]*href="notes\/moss\/">Moss<\/a>/);
    });
    expect(filesOf(site.path("dist"))).toEqual(published);
  },
  60_000,
);

async function textAt(address: string): Promise<string> {
  return (await fetch(address)).text();
}
