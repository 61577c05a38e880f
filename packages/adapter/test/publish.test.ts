import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readDocumentSync } from "@rs-emit/documents";
import { beforeEach, describe, expect, test } from "vitest";
import { bytes, page, serve, status } from "../../core/test/support/server.ts";
import { TestSite, temporaryFolder } from "../../core/test/support/site.ts";
import { adapterOptions, EmitError, inConfig, parseAdapterOptions } from "../src/index.ts";
import { AT, TestBuild } from "./test-build.ts";

/** The site with the marker of a build that went on. */
const WITHOUT_LOG = [".well-known/resourcesync", "index.html", "moss.html", "no-changelog.xml"];

let build: TestBuild;

beforeEach(() => {
  build = new TestBuild(new TestSite().page("index.html", "Home").page("moss.html", "Moss"));
});

describe("a build is summed up in a few lines", () => {
  test("the first publication, a change, and none", async () => {
    await build.publish();
    expect(build.said).toEqual([
      "First publication: the change log of https://example.org/ is written.",
      "  https://example.org/: 2 pages, 2 changes since 1 September 2026",
      "The option link: true links feed and log from your pages.",
      "Deploy the whole folder: .well-known too, which some tools leave out.",
      "Give your readers the address of the feed: https://example.org/changes.atom",
    ]);
    build.site.page("moss.html", "More moss", AT);
    await build.publish();
    expect(build.said).toEqual([
      "1 change, published 5 October 2026, 18:30 UTC.",
      "  updated  More moss  /moss.html",
      "           Renamed",
    ]);
    await build.publish({ dryRun: true });
    expect(build.said).toEqual([
      "A dry run: no change log was written. Nothing changed since 5 October 2026, 18:30 UTC.",
    ]);
  });

  test("with the pages whose source nobody knows", async () => {
    await build.publish({}, { builder: { ...build.builder, sourceFiles: () => [] } });
    const noted = build.said.filter((line) => /without a known source|no known source/.test(line));
    expect(noted).toEqual([
      expect.stringMatching("^! 2 pages have no date.*2 without a known source"),
    ]);
    build.site.page("moss.html", "More moss", AT);
    await build.publish({}, { builder: { ...build.builder, sourceFiles: () => [] } });
    expect(build.said).toContain("1 page has no known source: /moss.html");
  });

  test("in columns, and no wider than the terminal", async () => {
    await build.publish();
    build.site.page("moss.html", "More moss of the north wall, and of the stairs behind it", AT);
    build.site.page("a.html", "Ferns", AT);
    const logger = { info: (line: string) => void build.said.push(line), warn: () => {} };
    await build.publish({}, { logger: { ...logger, columns: 50 } });
    expect(build.said).toEqual([
      "2 changes, published 5 October 2026, 18:30 UTC.",
      "  created  Ferns                        /a.html",
      "  updated  More moss of the north wal…  /moss.html",
      "           Renamed",
    ]);
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
    expect(build.said).toHaveLength(1);
    expect(build.said[0]).toMatch(`A preview build on ${host}: no change log is published.`);
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

test("a build that a backfill started hands over its pages and publishes nothing", async () => {
  const file = join(temporaryFolder(), "hand-over.json");
  const variables = { RS_EMIT_BACKFILL: file, NETLIFY: "true", CONTEXT: "deploy-preview" };
  expect(await build.publish({ title: "Moss" }, { variables })).toBe(undefined);
  expect(build.said).toEqual([expect.stringContaining("nothing is published")]);
  expect(build.hasDocuments).toBe(false);
  const { folder, options } = JSON.parse(readFileSync(file, "utf8"));
  expect(folder).toBe(build.site.folder);
  expect(options).toMatchObject({ title: "Moss", url: build.site.url });
});

describe("where the live site cannot be reached", () => {
  const offline = async () => {
    const host = await serve(temporaryFolder());
    await host.close();
    return { url: host.url, environment: { siteLimits: { milliseconds: 5000 } } };
  };

  test("a build that no deploy follows goes on, with a warning", async () => {
    expect(await build.publish({ previous: "site" }, await offline())).toBe(undefined);
    expect(build.said).toEqual([
      expect.stringMatching(
        /^! This build has .* no change log, so do not deploy it\. .*127\.0\.0\.1/,
      ),
      expect.stringMatching(
        /^! Nothing is lost: the published log is as it was\. .*the option first/,
      ),
    ]);
    expect(build.said.join()).not.toContain("--");
    expect([...build.site.files().keys()]).toEqual(WITHOUT_LOG);
  });

  test("a dry run writes no marker", async () => {
    await build.publish({ previous: "site", dryRun: true }, await offline());
    expect([...build.site.files().keys()]).toEqual(["index.html", "moss.html"]);
  });

  test("the documents of the build before wait, and are continued", async () => {
    await build.publish();
    const log = build.site.read("changelist.xml");
    for (const _ of ["once", "again"]) {
      await build.publish({ previous: "site", feed: false }, await offline());
      expect([...build.site.files().keys()]).toEqual([...WITHOUT_LOG, "changes.atom"].sort());
    }
    await build.publish();
    expect(build.said).toEqual(["Nothing changed since 5 October 2026, 18:30 UTC."]);
    expect(build.site.read("changelist.xml")).toBe(log);
    expect([
      existsSync(build.backup),
      existsSync(join(build.site.folder, "no-changelog.xml")),
    ]).toEqual([false, false]);
  });

  test("a build fails where the author says so", async () => {
    const run = build.publish({ previous: "site", onUnreachable: "fail" }, await offline());
    await expect(run).rejects.toMatchObject({ code: "SITE_UNREACHABLE" });
    expect([...build.site.files().keys()]).toEqual(["index.html", "moss.html"]);
  });

  test("a build in CI fails", async () => {
    const run = build.publish(
      { previous: "site" },
      { ...(await offline()), variables: { CI: "true" } },
    );
    await expect(run).rejects.toMatchObject({ code: "SITE_UNREACHABLE" });
    expect(build.said).toEqual([]);
  });

  test.each([
    ["is down", status(503), "SITE_STATUS"],
    ["is parked", page, "SITE_CATCH_ALL"],
  ])("a site that %s is a reason to go on for an author who says so", async (_, answer, code) => {
    const host = await serve(temporaryFolder());
    host.answers.set("*", answer);
    const run = build.publish({ previous: "site" }, { url: host.url });
    await expect(run).rejects.toMatchObject({ code });
    expect(build.said).toEqual([
      expect.stringMatching(/may go on.*onUnreachable: process\.env\.CI/),
    ]);
    const warned = await build.publish(
      { previous: "site", onUnreachable: "warn" },
      { url: host.url },
    );
    expect(warned).toBe(undefined);
    expect([...build.site.files().keys()]).toEqual(WITHOUT_LOG);
  });

  test("a site with a damaged log is none", async () => {
    const host = await serve(temporaryFolder());
    host.answers.set(".well-known/resourcesync", bytes("<!-- Written by rs-emit. --><urlset/>"));
    const run = build.publish({ previous: "site", onUnreachable: "warn" }, { url: host.url });
    await expect(run).rejects.toMatchObject({ code: "DAMAGED_DOCUMENT" });
  });

  test("a build host is never told to go on", async () => {
    const run = build.publish({ onUnreachable: "warn" }, { variables: { CI: "true" } });
    await expect(run).rejects.toThrow(/onUnreachable is "warn".*process\.env\.CI/);
    expect(build.hasDocuments).toBe(false);
  });
});

test("an error names no option that only the command has", async () => {
  const error = await build.publish({ history: "git" }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "NO_REPOSITORY" });
  const worded = error instanceof EmitError ? error.worded(inConfig) : undefined;
  expect(worded?.problem).toContain('the option history: "git"');
  expect(worded?.cure).toMatch(
    /^Leave the option out, or put the pages' source files under git\.$/,
  );
});

describe("pages that a server makes on demand", () => {
  const withPages = (...paths: readonly string[]) => ({
    builder: { ...build.builder, onDemand: paths.map((path) => build.site.url + path) },
  });
  const read = (path: string) => readDocumentSync(build.site.read(path));
  const changes = async (...paths: readonly string[]) => {
    const result = await build.publish({}, withPages(...paths));
    return result?.collections.flatMap((one) =>
      one.changes.map(({ kind, url, minor }) => `${minor ? "minor " : ""}${kind} ${url}`),
    );
  };

  test("come and go by their URL alone", async () => {
    await build.publish({}, withPages("live/"));
    expect(build.site.read("resourcelist.xml")).toContain("<loc>https://example.org/live/</loc>");
    expect(build.said.filter((line) => line.startsWith("!"))).toEqual([]);
    expect(await changes("live/")).toEqual([]);
    expect(await changes("live/", "moss.html", "now")).toEqual(["created https://example.org/now"]);
    expect(await changes("now")).toEqual(["deleted https://example.org/live/"]);
  });

  test("that were files before have changed by an option only", async () => {
    await build.publish();
    build.site.remove("moss.html");
    expect(await changes("moss.html")).toEqual(["minor updated https://example.org/moss.html"]);
    expect(await changes("moss.html")).toEqual([]);
    build.site.page("moss.html", "A file again");
    expect(await changes()).toEqual(["minor updated https://example.org/moss.html"]);
  });

  test("are the same page with and without a slash", async () => {
    await build.publish({}, withPages("live/"));
    expect(await changes("live")).toEqual([
      "minor created https://example.org/live",
      "deleted https://example.org/live/",
    ]);
  });

  test("are none where a file stands that is no resource", async () => {
    build.site.write("secret.html", '<meta name="robots" content="noindex">');
    await build.publish({}, withPages("secret.html"));
    expect(build.site.read("resourcelist.xml")).not.toContain("secret");
  });

  test("take over from a file that an earlier build left, and the next run goes on", async () => {
    await build.publish();
    const annotate = (file: string) =>
      file === "moss.html" ? { stale: true as const } : undefined;
    const builder = { ...withPages("moss.html").builder, annotate };
    for (const _ of ["once", "again"]) await build.publish({}, { builder });
    expect(build.said[0]).toMatch(/^Nothing changed/);
  });

  test("may be all there is", async () => {
    build.site.remove("index.html", "moss.html");
    await build.publish({}, withPages("live/"));
    expect(build.site.read("resourcelist.xml")).toContain("/live/");
  });

  test("outside every collection are told of", async () => {
    await build.publish({ collections: ["shrine/"] }, withPages("live/"));
    expect(build.said.at(-2)).toMatch(/^! 3 pages belong to no collection .*live/);
  });

  test("past 50,000 are listed in parts behind an index", async () => {
    const paths = Array.from({ length: 50_001 }, (_, page) => `live/${page}/`);
    await build.publish({}, withPages(...paths));
    const { root, entries } = read("resourcelist.xml");
    expect(root).toBe("sitemapindex");
    const parts = entries.map(({ loc }) => read(loc.slice(build.site.url.length)).entries.length);
    // Two pages of the site are files.
    expect(parts).toEqual([50_000, 3]);
  });

  test("lie below the site", async () => {
    const elsewhere = { ...build.builder, onDemand: ["https://elsewhere.example/"] };
    const run = build.publish({}, { builder: elsewhere });
    await expect(run).rejects.toMatchObject({ code: "OUTSIDE_SITE" });
  });
});

describe("a wrong option is refused with its name, what was given and what is allowed", () => {
  test.each<[object, RegExp]>([
    [{ perod: "day" }, /"perod" is not known\. Did you mean period\? There are: .*link/],
    [{ period: "week" }, /period is "week"\. It must be one of year, month, day/],
    [{ exclude: [/x/] }, /exclude is \["\/x\/"\]\. It must be text or a list of texts/],
    [{ link: "yes" }, /link is "yes"\. It must be true or false/],
    [{ folder: "dist" }, /"folder" is not known/],
    [{ collections: [{ path: "a/", titel: "A" }] }, /"collections\.0\.titel" is not known/],
    [{ url: "example.com" }, /url is "example\.com"\. It must be an address in full/],
    [{ url: "https://a.example/?b" }, /url is .*\. It must be an address without \?/],
    [{ movedFrom: "" }, /movedFrom is ""\. It must be an address in full/],
    [{ collections: ["../"] }, /collections is "\.\.\/"\. It must be a folder/],
    [{ now: "yesterday" }, /now is "yesterday"\. It must be a full datetime/],
    [{ productionBranch: 1 }, /productionBranch is 1\. It must be the name of a branch/],
  ])("%j", (options, message) => {
    expect(() => parseAdapterOptions(adapterOptions, options)).toThrow(message);
  });
});

test("a resource gets its link before its hash is taken", async () => {
  build.site.write("hidden.html", "<title>x</title><meta name=robots content=noindex>");
  await build.publish({ link: true });
  expect(build.site.read("moss.html")).toContain(
    '<link rel="resourcesync" href="/capabilitylist.xml" data-rs-emit="link">',
  );
  expect(build.site.read("hidden.html")).not.toContain("<link");
  const bare = build.site.page("moss.html", "Moss").read("moss.html");
  await build.publish({ link: true, dryRun: true });
  expect(build.said.join()).toMatch("Nothing changed since 5 October 2026, 18:30 UTC.");
  expect(build.site.read("moss.html")).toBe(bare);
});

test("what others wrote cannot paint over a terminal", async () => {
  await build.publish();
  build.site.write("bell.html", "<title>A\u001b[2Jbell\u0007</title>");
  await build.publish();
  expect(build.said.join()).not.toMatch(/\p{Control}/u);
});
