import { expect, test } from "vitest";
import { removeFolder } from "../../core/test/support/repository.ts";
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
      .write("src/pages/live.astro", served("Live"))
      .configure({}, { options: LIVE, more: `adapter: ${ADAPTER}` });
    const beside = await site.build();
    expect(beside.code, beside.output).toBe(0);
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

/** What each page is in each build. The server makes it where it is listed, or not, or its file is gone. */
const PAGES = {
  "/moss/": ["once", "unlisted", "once"],
  "/fern/": ["listed", "unlisted", "listed"],
  "/reed/": ["once", "gone", "unlisted"],
  "/rain/": ["listed", "gone", "gone"],
} as const;

test.each(VERSIONS)(
  "Astro %d: a page that a server makes now, or that nobody lists any more, is withdrawn without a word",
  async (version) => {
    using site = new AstroSite(version)
      .write("server.mjs", SERVER)
      .write("src/pages/index.astro", page("Home"));
    for (const build of [0, 1, 2]) {
      const listed = [];
      for (const [url, states] of Object.entries(PAGES)) {
        const file = `src/pages${url.slice(0, -1)}.astro`;
        const state = states[build];
        if (state === "listed") listed.push(url);
        if (state === "gone") removeFolder(site.path(file));
        else site.write(file, state === "once" ? once(url) : served(url));
      }
      const now = `2024-01-0${build + 1}T00:00:00Z`;
      const options = { previous: "output", first: build === 0, customPages: listed, now };
      site.configure({}, { options: JSON.stringify(options), more: `adapter: ${ADAPTER}` });
      if (build === 0) site.repository.commit(1_700_000_000);
      const { code, output } = await site.build();
      expect(code, output).toBe(0);
    }
    const log = logOf(site.path("dist/client"), SITE);
    expect(log.slice(3)).toEqual([
      "2024-01-02T00:00:00Z deleted (minor) /fern/",
      "2024-01-02T00:00:00Z deleted (minor) /moss/",
      "2024-01-02T00:00:00Z deleted /rain/",
      "2024-01-02T00:00:00Z deleted /reed/",
      "2024-01-03T00:00:00Z created (minor) /moss/",
      "2024-01-03T00:00:00Z created (minor) /fern/",
    ]);
  },
);

test.each(VERSIONS)(
  "Astro %d: without a page that is rendered once, what to do is said",
  async (version) => {
    using site = new AstroSite(version)
      .write("server.mjs", SERVER)
      .write("src/pages/index.astro", page("Home"))
      .configure({ output: "server" }, { more: `adapter: ${ADAPTER}` });
    const { code, output } = await site.build();
    expect(code).not.toBe(0);
    expect(output).toContain("A server makes every page of this site");
    expect(output).toMatch(/customPages.*export const prerender = true/s);
  },
);

function served(title: string): string {
  return `---\nexport const prerender = false;\n---\n${page(title)}`;
}

function once(title: string): string {
  return `---\nexport const prerender = true;\n---\n${page(title)}`;
}
