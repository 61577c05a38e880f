import { describe, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { discover } from "../src/discover/discover.ts";
import {
  BusyError,
  forbiddenError,
  GoneError,
  OptedOutError,
  RedirectError,
  StatusError,
  UnreachableError,
} from "../src/http/errors.ts";
import {
  capabilityList,
  changeList,
  documentText,
  resourceList,
  sourceDescription,
  sourceDescriptionIndex,
} from "./support/documents.ts";
import { MemorySite } from "./support/memory-site.ts";

const PAGE = "<!doctype html><title>A shrine</title><p>Welcome.";
const WELL_KNOWN = ".well-known/resourcesync";

/** A page that links to something for ResourceSync. */
function pageTo(href: string, rest = ""): string {
  return `<!doctype html><title>A</title>${rest}<link rel="alternate ResourceSync" href="${href}">`;
}

describe("the Source Description is found", () => {
  test.each<[string, string, Parameters<MemorySite["put"]>[0], string]>([
    [
      "at the well-known URI",
      "example.org",
      { [WELL_KNOWN]: sourceDescription([]) },
      "https://example.org/.well-known/resourcesync",
    ],
    [
      "at the well-known URI: an index",
      "https://example.org",
      { [WELL_KNOWN]: sourceDescriptionIndex(["/a.xml"]) },
      "https://example.org/.well-known/resourcesync",
    ],
    [
      "from a page anywhere on the site",
      " https://EXAMPLE.org/shrine/page.html?x#y ",
      { [WELL_KNOWN]: sourceDescription([]), "shrine/page.html?x": PAGE },
      "https://example.org/.well-known/resourcesync",
    ],
    [
      "though there is no such page any more",
      "https://example.org/gone/",
      { [WELL_KNOWN]: sourceDescription([]) },
      "https://example.org/.well-known/resourcesync",
    ],
    [
      "by a link of the page",
      "https://example.org/",
      { "": pageTo("sync.xml"), "sync.xml": sourceDescription([]) },
      "https://example.org/sync.xml",
    ],
    [
      "by a link to a Capability List, and up",
      "https://example.org/",
      {
        "": pageTo("/a/list.xml"),
        "a/list.xml": capabilityList({}, [["up", "../sync.xml"]]),
        "sync.xml": sourceDescription([]),
      },
      "https://example.org/sync.xml",
    ],
    [
      "by the page's header, before its links",
      "https://example.org/a/",
      {
        "a/": { body: pageTo("no.xml"), link: '<../sync.xml>; rel="resourcesync"' },
        "sync.xml": sourceDescription([]),
        "a/no.xml": sourceDescription([]),
      },
      "https://example.org/sync.xml",
    ],
    [
      "by a header of something that is no page",
      "https://example.org/cat.png",
      {
        "cat.png": { body: new Uint8Array([0x89, 0x50]), link: "<sync.xml>;rel=resourcesync" },
        "sync.xml": sourceDescription([]),
      },
      "https://example.org/sync.xml",
    ],
    [
      "relative to the page's base",
      "https://example.org/",
      { "": pageTo("sync.xml", '<base href="/b/">'), "b/sync.xml": sourceDescription([]) },
      "https://example.org/b/sync.xml",
    ],
    [
      "of several links the first that leads somewhere",
      "https://example.org/",
      {
        "": `${pageTo("no.xml")}${pageTo("page.html")}${pageTo("sync.xml")}`,
        "page.html": PAGE,
        "sync.xml": sourceDescription([]),
      },
      "https://example.org/sync.xml",
    ],
    [
      "below a base path, before another site's at the root",
      "https://example.org/project/a/b.html",
      {
        [WELL_KNOWN]: sourceDescription([]),
        "project/.well-known/resourcesync": sourceDescription([]),
        "project/a/b.html": PAGE,
      },
      "https://example.org/project/.well-known/resourcesync",
    ],
    [
      "by a Resource List that robots.txt names",
      "https://example.org/",
      {
        "": PAGE,
        "robots.txt":
          "User-agent: *\r\nDisallow: /tmp/\r\n SiteMap : /plain.xml\r\nSitemap: https://example.org/resources.xml",
        "plain.xml": documentText("urlset", {}, [], [{ loc: "/" }]),
        "resources.xml": resourceList(["/"], [["up", "list.xml"]]),
        "list.xml": capabilityList({}, [["up", "sync.xml"]]),
        "sync.xml": sourceDescription([]),
      },
      "https://example.org/sync.xml",
    ],
    [
      "by a Resource List Index, or a part of it",
      "https://example.org/",
      {
        "robots.txt": "Sitemap: /part.xml",
        "part.xml": resourceList(["/"], [["index", "index.xml"]]),
        "index.xml": resourceList(["part.xml"], [["up", "list.xml"]], "sitemapindex"),
        "list.xml": capabilityList({}, [["up", "sync.xml"]]),
        "sync.xml": sourceDescription([]),
      },
      "https://example.org/sync.xml",
    ],
    [
      "from its own address",
      "https://example.org/sync/description",
      { "sync/description": sourceDescription([]) },
      "https://example.org/sync/description",
    ],
    [
      "from the address of a Change List",
      "https://example.org/a/changes.xml",
      {
        "a/changes.xml": changeList(["created a 2026-10-01"], {}, [["up", "list.xml"]]),
        "a/list.xml": capabilityList({}, [["up", "/sync.xml"]]),
        "sync.xml": sourceDescription([]),
      },
      "https://example.org/sync.xml",
    ],
    [
      "or the index that it is a part of",
      "https://example.org/one.xml",
      {
        "one.xml": sourceDescription([], [["index", "all.xml"]]),
        "all.xml": sourceDescriptionIndex(["one.xml"]),
      },
      "https://example.org/all.xml",
    ],
    [
      "or the Capability List, where the folder .well-known is lost",
      "https://example.org/",
      { "": pageTo("list.xml"), "list.xml": capabilityList({}, [["up", WELL_KNOWN]]) },
      "https://example.org/list.xml",
    ],
    [
      "though the host shows a page for whatever does not exist",
      "https://example.org/a/",
      {
        [WELL_KNOWN]: PAGE,
        "a/.well-known/resourcesync": PAGE,
        "robots.txt": "Sitemap: sync.xml",
        "a/": PAGE,
        "sync.xml": sourceDescription([]),
      },
      "https://example.org/sync.xml",
    ],
    [
      "though the host keeps its hidden folders to itself",
      "https://example.org/",
      {
        [WELL_KNOWN]: { error: new StatusError("https://example.org/x", 403) },
        "": pageTo("sync.xml"),
        "sync.xml": sourceDescription([]),
      },
      "https://example.org/sync.xml",
    ],
    [
      "on another host, where the page says so",
      "https://example.org/",
      {
        "": pageTo("https://data.example/sync.xml"),
        "https://data.example/sync.xml": sourceDescription([]),
      },
      "https://data.example/sync.xml",
    ],
    [
      "where the site has moved to for good",
      "http://example.org/",
      {
        "http://example.org/.well-known/resourcesync": {
          redirect: "https://www.example.org/.well-known/resourcesync",
          isPermanent: true,
        },
        "https://www.example.org/.well-known/resourcesync": sourceDescription([]),
      },
      "https://www.example.org/.well-known/resourcesync",
    ],
    [
      "at the well-known URI, wherever it redirects to for now",
      "https://example.org/",
      {
        [WELL_KNOWN]: { redirect: "https://cdn.example/sync.xml" },
        "https://cdn.example/sync.xml": sourceDescription([]),
      },
      "https://example.org/.well-known/resourcesync",
    ],
    [
      "at the host that the page redirects to",
      "https://example.org/",
      {
        "": { redirect: "https://new.example/home/" },
        "https://new.example/home/": PAGE,
        "https://new.example/.well-known/resourcesync": sourceDescription([]),
      },
      "https://new.example/.well-known/resourcesync",
    ],
  ])(
    "%s",
    proves("I33", "I34", "I49", "R29", "R30", "R31", "R32", "T22"),
    async (_, address, documents, expected) => {
      expect(await discover(new MemorySite().put(documents), address)).toBe(expected);
    },
  );

  test("in one request, where it is where it should be", async () => {
    const site = new MemorySite().put({ [WELL_KNOWN]: sourceDescription([]) });
    await discover(site, "example.org");
    expect(site.takeAsked()).toEqual(["/.well-known/resourcesync"]);
  });

  test("by http, where a bare name has no https", async () => {
    const cause = Object.assign(new Error("no"), { code: "ECONNREFUSED" });
    const error = new UnreachableError("https://example.org/", "refuses the connection", cause);
    const site = new MemorySite().put({
      [WELL_KNOWN]: { error },
      "http://example.org/.well-known/resourcesync": sourceDescription([]),
    });
    const found = await discover(site, "example.org");
    expect(found).toBe("http://example.org/.well-known/resourcesync");
    site.put({
      "http://example.org/.well-known/resourcesync": {
        error: new UnreachableError("http://example.org/", "is down"),
      },
    });
    await expect(discover(site, "example.org")).rejects.toBe(error);
  });

  test("a page cannot have it through another site's redirect", async () => {
    const site = new MemorySite("https://evil.example/").put({
      "": pageTo("https://example.org/go?to=evil"),
      "https://example.org/go?to=evil": { redirect: "https://evil.example/sync.xml" },
      "sync.xml": sourceDescription([]),
    });
    expect(await discover(site, "evil.example")).toBe("https://evil.example/sync.xml");
  });
});

describe("where nothing is found", () => {
  test("it is said what was looked at, and what there is to do", async () => {
    const site = new MemorySite().put({ "": PAGE });
    const error = await discover(site, "example.org").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "NO_SOURCE" });
    expect(String(error)).toContain(
      "This site publishes no ResourceSync documents: there is nothing at " +
        "https://example.org/.well-known/resourcesync, the page https://example.org/ has no link to them, and no " +
        "robots.txt names them. To be followed, its author has to publish a Source Description at " +
        "https://example.org/.well-known/resourcesync",
    );
    expect(site.takeAsked()).toEqual(["/.well-known/resourcesync", "/", "/robots.txt"]);
  });

  test("a page at the place of the documents is not called nothing", async () => {
    const site = new MemorySite().put({ "": PAGE, ".well-known/resourcesync": PAGE });
    await expect(discover(site, "example.org")).rejects.toThrow(
      "no ResourceSync documents: what is at https://example.org/.well-known/resourcesync is something else, the page",
    );
    await expect(discover(site, "example.org/a/b.html")).rejects.toThrow(
      /there is nothing at \S*a\/.well-known\/resourcesync, what is at \S*org\/.well-known\/resourcesync is/,
    );
  });

  test("nor is one that is refused", async () => {
    const place = "https://example.org/.well-known/resourcesync";
    for (const status of [401, 402, 403, 405, 406, 418, 423, 451, 202, 204, 206, 304]) {
      const error = new StatusError(place, status);
      const site = new MemorySite().put({ "": PAGE, ".well-known/resourcesync": { error } });
      await expect(discover(site, "example.org")).rejects.toThrow(
        `no ResourceSync documents: ${place} answered with the status ${status}`,
      );
    }
  });

  test("nor is a redirect that leads nowhere; and of a long page it is said what was read", async () => {
    const place = "https://example.org/.well-known/resourcesync";
    const css = `<style>${"a{}".repeat(300_000)}</style>`;
    const site = new MemorySite().put({
      "": css + pageTo("/s.xml"),
      "s.xml": sourceDescription([]),
      ".well-known/resourcesync": { error: new RedirectError(place, "redirects to itself") },
    });
    await expect(discover(site, "example.org")).rejects.toThrow(
      `documents: ${place} redirects to itself, the beginning of the page (512 KB are read) https://example.org/ has no link`,
    );
  });

  test("every folder above the address was looked at", async () => {
    const site = new MemorySite().put({ "a/b/c.html": PAGE });
    await expect(discover(site, "example.org/a/b/c.html")).rejects.toThrow(
      /at https:\/\/example\.org\/\.well-known\/resourcesync \(nor at .*\/a\/b\/\.well-known.*, .*\/a\/\.well/,
    );
    expect(site.takeAsked()).toEqual([
      "/a/b/c.html",
      "/a/b/.well-known/resourcesync",
      "/a/.well-known/resourcesync",
      "/.well-known/resourcesync",
      "/robots.txt",
    ]);
  });

  test("what a host is asked is bounded, whatever it says", async () => {
    const up = (at: number) =>
      capabilityList({}, [["up", `/${at + 1}.xml`]]).replace("capabilitylist", "resourcelist");
    const site = new MemorySite();
    for (let at = 0; at < 1000; at += 1) site.put({ [`${at}.xml`]: up(at) });
    const links = Array.from({ length: 1000 }, (_, at) => pageTo(`/${at * 10}.xml`)).join("");
    site.put({ [`${"a/".repeat(100)}`]: links, "robots.txt": "Sitemap: /5.xml\n".repeat(1000) });
    await expect(discover(site, `example.org/${"a/".repeat(100)}`)).rejects.toMatchObject({
      code: "NO_SOURCE",
    });
    expect(site.asked.length).toBeLessThanOrEqual(41);
  });

  test("documents that lead around in a circle lead nowhere", async () => {
    const site = new MemorySite().put({
      "": pageTo("a.xml"),
      "a.xml": resourceList([], [["up", "b.xml"]]),
      "b.xml": resourceList([], [["up", "a.xml"]]),
    });
    await expect(discover(site, "example.org")).rejects.toMatchObject({ code: "NO_SOURCE" });
  });
});

describe("a failure on the way does not mean that there is nothing", () => {
  const url = "https://example.org/x";

  test.each([
    [WELL_KNOWN, new UnreachableError(url, "did not answer")],
    [WELL_KNOWN, new BusyError(url, 503, undefined)],
    [WELL_KNOWN, new StatusError(url, 500)],
    [WELL_KNOWN, new OptedOutError(url)],
    ["", new StatusError(url, 403)],
    ["", new RedirectError(url, "redirects in a circle")],
    ["", forbiddenError(url, "leads to a private address")],
    ["robots.txt", new StatusError(url, 502)],
    ["list.xml", new StatusError(url, 403)],
  ])("%s: %o", async (path, error) => {
    const site = new MemorySite().put({ "": pageTo("list.xml"), [path]: { error } });
    await expect(discover(site, "https://example.org")).rejects.toBe(error);
  });

  test.each([
    ["one that is gone", new GoneError(url)],
    ["one that redirects in a circle", new RedirectError(url, "redirects in a circle")],
    ["one that is refused", new StatusError(url, 401)],
  ])("%s is nothing, at the well-known URI", async (_, error) => {
    const site = new MemorySite().put({ "": PAGE, [WELL_KNOWN]: { error } });
    await expect(discover(site, "example.org")).rejects.toMatchObject({ code: "NO_SOURCE" });
  });

  test("and one that was overcome does not count", async () => {
    const site = new MemorySite().put({
      [WELL_KNOWN]: { error: new StatusError(url, 500) },
      "": pageTo("sync.xml"),
      "sync.xml": sourceDescription([]),
    });
    expect(await discover(site, "example.org")).toBe("https://example.org/sync.xml");
  });

  test("a Source Description that is broken is no web page", async () => {
    const site = new MemorySite().put({ [WELL_KNOWN]: sourceDescription([]).slice(0, -20) });
    await expect(discover(site, "example.org")).rejects.toMatchObject({ code: "UNREADABLE" });
  });

  test("a Capability List whose Source Description cannot be had is no answer", async () => {
    const error = new StatusError(url, 500);
    const site = new MemorySite().put({
      "": pageTo("list.xml"),
      "list.xml": capabilityList({}, [["up", "sync.xml"]]),
      "sync.xml": { error },
    });
    await expect(discover(site, "example.org")).rejects.toBe(error);
  });
});
