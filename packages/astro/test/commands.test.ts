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

async function textAt(address: string): Promise<string> {
  return (await fetch(address)).text();
}
