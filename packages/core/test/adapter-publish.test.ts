import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { adapterOptions, parseAdapterOptions } from "../src/adapter/options.ts";
import { type Build, publishBuild } from "../src/adapter/publish.ts";
import { putAside } from "../src/adapter/put-aside.ts";
import type { Builder } from "../src/builder.ts";
import { UNFLUSHED } from "./support/disk.ts";
import { serve } from "./support/server.ts";
import { seconds, TestSite, temporaryFolder } from "./support/site.ts";

const AT = "2026-10-05T18:30:00Z";

/** A build of a site that says what a builder would. */
class TestBuild {
  readonly said: string[] = [];
  readonly site: TestSite;
  readonly builder: Builder;

  constructor(site: TestSite) {
    this.site = site;
    this.builder = { project: site.folder, sourcesOf: (file) => [join(site.folder, file)] };
  }

  publish(options: object = {}, build: Partial<Build> = {}) {
    this.said.length = 0;
    return publishBuild({
      options: parseAdapterOptions(adapterOptions, { previous: "output", ...options }),
      folder: this.site.folder,
      url: this.site.url,
      builder: this.builder,
      voice: {
        info: (line) => void this.said.push(line),
        warn: (line) => void this.said.push(`! ${line}`),
      },
      variables: {},
      ...build,
      environment: {
        clock: () => seconds(AT),
        cacheFolder: temporaryFolder(),
        fileSystem: UNFLUSHED,
        ...build.environment,
      },
    });
  }

  get hasDocuments(): boolean {
    return existsSync(join(this.site.folder, "resourcelist.xml"));
  }
}

let build: TestBuild;

beforeEach(() => {
  build = new TestBuild(new TestSite().page("index.html", "Home").page("moss.html", "Moss"));
});

describe("a build is summed up in a few lines", () => {
  test("the first publication, a change, and none", async () => {
    await build.publish();
    expect(build.said).toEqual([
      "First publication: https://example.org/ has a change log.",
      "  https://example.org/: 2 pages, 2 changes since 1 September 2026",
      "Followers begin at https://example.org/.well-known/resourcesync",
    ]);
    build.site.page("moss.html", "More moss", AT);
    await build.publish();
    expect(build.said).toEqual([
      "1 change, published 5 October 2026, 18:30 UTC.",
      "  updated  /moss.html  More moss",
    ]);
    await build.publish({ dryRun: true });
    expect(build.said).toEqual([
      "A dry run, nothing was written. Nothing changed since 5 October 2026, 18:30 UTC.",
    ]);
  });

  test("with the pages whose source nobody knows", async () => {
    await build.publish({}, { builder: { ...build.builder, sourcesOf: () => [] } });
    expect(build.said).toContain("2 pages have no known source: /, /moss.html");
  });

  test("with no more changes than one reads", async () => {
    await build.publish();
    for (let page = 0; page < 12; page++) build.site.page(`${page}.html`, `Page ${page}`, AT);
    await build.publish();
    expect(build.said).toHaveLength(12);
    expect(build.said.at(-1)).toBe("  and 2 more");
  });
});

describe("a preview build publishes nothing, and says so once", () => {
  test.each<[string, Record<string, string>, object]>([
    ["Netlify", { NETLIFY: "true", CONTEXT: "deploy-preview" }, {}],
    ["Netlify", { NETLIFY: "true", CONTEXT: "branch-deploy" }, {}],
    ["Vercel", { VERCEL: "1", VERCEL_ENV: "preview" }, {}],
    ["Cloudflare Pages", { CF_PAGES: "1", CF_PAGES_BRANCH: "new-shrine" }, {}],
    ["Cloudflare Pages", { CF_PAGES: "1", CF_PAGES_BRANCH: "main" }, { productionBranch: "live" }],
  ])("%s %j %j", async (host, variables, options) => {
    expect(await build.publish(options, { variables })).toBe(undefined);
    expect(build.said).toEqual([`A preview build on ${host}: no change log is published.`]);
    expect(build.hasDocuments).toBe(false);
  });

  test.each<[Record<string, string>, object]>([
    [{ NETLIFY: "true", CONTEXT: "production" }, {}],
    [{ VERCEL: "1", VERCEL_ENV: "production" }, {}],
    [{ CF_PAGES: "1", CF_PAGES_BRANCH: "main" }, {}],
    [{ CF_PAGES: "1", CF_PAGES_BRANCH: "live" }, { productionBranch: "live" }],
    [{ CONTEXT: "someone else's" }, {}],
  ])("but a build for production does: %j %j", async (variables, options) => {
    await build.publish(options, { variables });
    expect(build.hasDocuments).toBe(true);
  });
});

describe("where the live site cannot be reached", () => {
  const offline = async () => {
    const host = await serve(temporaryFolder());
    await host.close();
    return { url: host.url, environment: { siteLimits: { milliseconds: 5000 } } };
  };

  test("a build that no deploy follows goes on, with a warning", async () => {
    expect(await build.publish({ previous: "site" }, await offline())).toBe(undefined);
    expect(build.said).toHaveLength(1);
    expect(build.said[0]).toMatch(/^! No change log was written\. .*first: true/);
    expect(build.hasDocuments).toBe(false);
  });

  test("a build in CI fails, in the words of a config file", async () => {
    const run = build.publish(
      { previous: "site" },
      { ...(await offline()), variables: { CI: "true" } },
    );
    await expect(run).rejects.toMatchObject({ code: "SITE_UNREACHABLE", name: "BuildError" });
    await expect(run).rejects.toThrow(/first: true/);
    await expect(run).rejects.not.toThrow(/--/);
  });

  test("a site that answers badly is no reason to go on", async () => {
    const host = await serve(temporaryFolder());
    host.answers.set("*", (response) => response.writeHead(500).end());
    const run = build.publish({ previous: "site" }, { url: host.url });
    await expect(run).rejects.toMatchObject({ code: "SITE_STATUS" });
  });
});

describe("the documents of an output folder that its builder empties", () => {
  const emptied = async () => {
    await build.publish({ collections: ["/", "shrine/"] });
    const before = build.site.read("changelist.xml");
    const aside = join(temporaryFolder(), "aside");
    putAside(build.site.folder, aside);
    return { aside, before, bare: build.site.build() };
  };

  test("are the memory of the next publication", async () => {
    const { aside, before, bare } = await emptied();
    bare.page("moss.html", "More moss", AT);
    const next = new TestBuild(bare);
    const result = await next.publish(
      { collections: ["/", "shrine/"] },
      { environment: { documents: aside } },
    );
    expect(result?.collections.flatMap(({ changes }) => changes)).toHaveLength(1);
    expect(bare.read("changelist.xml")).not.toBe(before);
    expect(bare.read("shrine/resourcelist.xml")).toBe(build.site.read("shrine/resourcelist.xml"));
  });

  test("stay put aside when the build that emptied it failed", async () => {
    const { aside, bare } = await emptied();
    putAside(bare.folder, aside);
    putAside(join(bare.folder, "nowhere"), aside);
    const next = new TestBuild(bare);
    await next.publish({ collections: ["/", "shrine/"] }, { environment: { documents: aside } });
    expect(next.said).toEqual(["Nothing changed since 5 October 2026, 18:30 UTC."]);
    expect(bare.read("changelist.xml")).toBe(build.site.read("changelist.xml"));
  });
});

describe("pages that a server makes on demand", () => {
  const withPages = (...paths: readonly string[]) => ({
    builder: { ...build.builder, onDemand: paths.map((path) => build.site.url + path) },
  });
  const changes = async (...paths: readonly string[]) => {
    const result = await build.publish({}, withPages(...paths));
    return result?.collections.flatMap((one) =>
      one.changes.map(({ kind, url, minor }) => `${minor ? "minor " : ""}${kind} ${url}`),
    );
  };

  test("come and go by their URL alone", async () => {
    await build.publish({}, withPages("live/"));
    expect(build.site.read("resourcelist.xml")).toContain("<loc>https://example.org/live/</loc>");
    expect(build.said.at(-1)).toMatch(/^! Nothing tells when 1 resource was made/);
    expect(await changes("live/")).toEqual([]);
    expect(await changes("live/", "moss.html", "now")).toEqual(["created https://example.org/now"]);
    expect(await changes("now")).toEqual(["deleted https://example.org/live/"]);
  });

  test("that were files before have changed by an option only", async () => {
    await build.publish();
    build.site.remove("moss.html");
    expect(await changes("moss.html")).toEqual(["minor updated https://example.org/moss.html"]);
    expect(await changes("moss.html")).toEqual([]);
  });

  test("lie below the site", async () => {
    const elsewhere = { ...build.builder, onDemand: ["https://elsewhere.example/"] };
    const run = build.publish({}, { builder: elsewhere });
    await expect(run).rejects.toMatchObject({ code: "OUTSIDE_SITE" });
  });
});

describe("a wrong option is refused with its name, what was given and what is allowed", () => {
  test.each<[object, RegExp]>([
    [{ perod: "day" }, /"perod" is not known\. There are: .*period.*link/],
    [{ period: "week" }, /"period" is "week": it must be one of year, month, day/],
    [{ link: "yes" }, /"link" is "yes": it must be true or false/],
    [{ folder: "dist" }, /"folder" is not known/],
    [{ collections: [{ path: "a/", titel: "A" }] }, /"collections\.0\.titel" is not known/],
    [{ url: "example.com" }, /"url" is "example\.com": it must be an address in full/],
    [{ url: "https://a.example/?b" }, /"url" is .*: it must be an address without \?/],
    [{ movedFrom: "" }, /"movedFrom" is "": it must be an address in full/],
    [{ collections: ["../"] }, /"collections" is "\.\.\/": it must be a folder/],
    [{ now: "yesterday" }, /"now" is "yesterday": it must be a full datetime/],
    [{ productionBranch: 1 }, /"productionBranch" is 1: it must be the name of a branch/],
  ])("%j", (options, message) => {
    expect(() => parseAdapterOptions(adapterOptions, options)).toThrow(message);
  });
});

test("a page gets its link before its hash is taken", async () => {
  await build.publish({ link: true });
  expect(build.site.read("moss.html")).toContain(
    '<link rel="resourcesync" href="/capabilitylist.xml">',
  );
  await build.publish();
  expect(build.said).toEqual(["Nothing changed since 5 October 2026, 18:30 UTC."]);
});
