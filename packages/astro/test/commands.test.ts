import { expect, test } from "vitest";
import { filesOf } from "../../core/test/support/site.ts";
import { page } from "./support/pages.ts";
import { AstroSite, VERSIONS } from "./support/site.ts";

const MARKS = '<time data-rs-emit="updated"></time><ul data-rs-emit="changes"></ul>';

const LINKED = `---
import ResourceSyncLink from "@rs-emit/astro/ResourceSyncLink.astro";
---
${page("Home", MARKS).replace("<title>", "<ResourceSyncLink /><title>")}`;

test.each(VERSIONS)(
  "Astro %d: only a build publishes; the server that authors develop with shows what is published",
  async (version) => {
    using site = new AstroSite(version)
      .write("src/pages/index.astro", LINKED)
      .write("src/pages/notes/moss.astro", page("Moss", MARKS))
      .configure({}, { options: '{ previous: "output", first: true }' });
    site.repository.commit(1_700_000_000);
    expect((await site.build()).code).toBe(0);
    site.write("src/pages/notes/moss.astro", page("Moss", `More. ${MARKS}`));
    expect((await site.build()).code).toBe(0);
    const [date = ""] = /<time datetime[^<]*/.exec(site.read("dist/notes/moss/index.html")) ?? [];
    site.write("dist/other.html", page("Somebody else's"));
    const published = filesOf(site.path("dist"));

    expect((await site.run(["sync"])).code).toBe(0);
    await site.serve("preview", async (address) => {
      expect(await textAt(`${address}other`)).toContain("Somebody else's");
    });
    // Nobody answers at the site's address.
    site.configure({}, { options: '{ previous: "site" }' });
    await site.serve("dev", async (address) => {
      const moss = await textAt(`${address}notes/moss`);
      expect(date).toMatch(/datetime="20.*>20/);
      const shown = moss.replaceAll(/ data-astro-[^=]*="[^"]*"/g, "");
      expect(shown).toContain(date);
      expect(shown).toMatch(/<li class="rs-emit-created h-entry">.*href="\/".*>Home<\/a>/);
      const home = await textAt(address);
      expect(home).toMatch(/<a [^>]*href="\/notes\/moss\/">Moss<\/a>/);
    });
    // Nor does it matter yet where the site will stand.
    site.configure({ site: undefined });
    await site.serve("dev", async (address) => {
      expect(await textAt(address)).toContain(
        '<link rel="resourcesync" href="/capabilitylist.xml">',
      );
    });
    expect(filesOf(site.path("dist"))).toEqual(published);
  },
  60_000,
);

async function textAt(address: string): Promise<string> {
  return (await fetch(address)).text();
}
