import { expect, test } from "vitest";
import { logOf } from "../../core/test/support/site.ts";
import { resourcesIn } from "./support/documents.ts";
import { page } from "./support/pages.ts";
import { AstroSite, SITE, VERSIONS } from "./support/site.ts";

/** As little of an adapter as Astro accepts. */
const ADAPTER = `{
  name: "server",
  hooks: {
    "astro:config:done": ({ setAdapter }) =>
      setAdapter({
        name: "server",
        serverEntrypoint: new URL("./server.mjs", import.meta.url).pathname,
        exports: ["handler"],
        entrypointResolution: "explicit",
        supportedAstroFeatures: { serverOutput: "stable", staticOutput: "stable", hybridOutput: "stable" },
      }),
  },
}`;

const SERVER = `export const createExports = () => ({ handler() {} });
export const handler = () => {};
`;

const LIVE = '{ previous: "output", customPages: ["/live/"], now: "2024-01-01T00:00:00Z" }';
const OF_SERVER = '{ previous: "none", customPages: ["/"] }';
const OPTIONS = '{ previous: "output", first: true }';

test.each(VERSIONS)(
  "Astro %d: beside a server, what is rendered once is published",
  async (version) => {
    using site = new AstroSite(version)
      .write("src/pages/index.astro", page("Home"))
      .write("src/pages/live.astro", page("Live"))
      .write("public/legacy.html", page("Legacy"))
      .configure({}, { options: OPTIONS });
    site.repository.commit(1_700_000_000);
    const alone = await site.build();
    expect(alone.code, alone.output).toBe(0);

    // The site gets a server: its pages are published from another folder, and the log goes on.
    site
      .write("server.mjs", SERVER)
      .write("src/pages/live.astro", `---\nexport const prerender = false;\n---\n${page("Live")}`)
      .configure({}, { options: LIVE, more: `adapter: ${ADAPTER}` });
    const served = await site.build();
    expect(served.code, served.output).toBe(0);
    const client = site.path("dist/client");
    expect(resourcesIn(client, SITE)).toEqual(["/", "/legacy.html", "/live/"]);
    expect(logOf(client, SITE)).toEqual([
      "2023-11-14T22:13:20Z created /",
      "2023-11-14T22:13:20Z created /legacy.html",
      "2023-11-14T22:13:20Z created /live/",
      // A page that no file holds has no bytes to compare.
      "2024-01-01T00:00:00Z updated (minor) /live/",
    ]);
  },
);

test.each(VERSIONS)(
  "Astro %d: where a server makes the pages, those are published that are rendered once",
  async (version) => {
    using site = new AstroSite(version)
      .write("server.mjs", SERVER)
      .write("src/pages/index.astro", page("Home"))
      .write("src/pages/live.astro", page("Live"))
      .write("src/pages/once.astro", once("Once"))
      .configure({ output: "server" }, { options: OF_SERVER, more: `adapter: ${ADAPTER}` });
    site.repository.commit(1_700_000_000);
    const { code, output } = await site.build();
    expect(code, output).toBe(0);
    const client = site.path("dist/client");
    expect(resourcesIn(client, SITE)).toEqual(["/", "/once/"]);
    expect(logOf(client, SITE)).toEqual(["2023-11-14T22:13:20Z created /once/"]);
  },
);

function once(title: string): string {
  return `---\nexport const prerender = true;\n---\n${page(title)}`;
}
