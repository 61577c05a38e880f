import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { discover } from "../src/discover/discover.ts";
import { readDescriptions } from "../src/read/site-descriptions.ts";
import {
  capabilityList,
  changeList,
  changeListIndex,
  resourceList,
  sourceDescription,
} from "./support/documents.ts";
import { Follower } from "./support/follower.ts";
import type { Script } from "./support/scripted.ts";
import { type Site, SiteServer } from "./support/site-server.ts";
import { openTestTransport } from "./support/transport.ts";

const WELL_KNOWN = ".well-known/resourcesync";
const MANY = Array.from({ length: 5000 }, (_, at) => `created ${at} 2026-10-01T12:00:00Z`);

function publish(site: Site, documents: Readonly<Record<string, Script>>): void {
  for (const [path, script] of Object.entries(documents)) site.answer(path, script);
}

describe("over HTTP", () => {
  test.each<[string, string, Readonly<Record<string, Script>>, string]>([
    ["the well-known URI", "", { [WELL_KNOWN]: sourceDescription([]) }, WELL_KNOWN],
    [
      "a page's header",
      "a/",
      {
        "a/": { headers: { link: ["<x>; rel=next", "</s.xml>; rel=resourcesync"] }, body: "Hi" },
        "s.xml": sourceDescription([]),
      },
      "s.xml",
    ],
    [
      "a page's link, beyond a redirect, in many bytes",
      "a/",
      {
        "a/": { status: 302, headers: { location: "/b/" } },
        "b/": `<!doctype html><link rel=resourcesync href=s.xml>${"<p>Words.".repeat(200_000)}`,
        "b/s.xml": sourceDescription([]),
      },
      "b/s.xml",
    ],
    [
      "robots.txt",
      "",
      {
        "robots.txt": "Sitemap: /resources.xml",
        "resources.xml": resourceList(MANY, [["up", "list.xml"]]),
        "list.xml": capabilityList({}, [["up", "s.xml"]]),
        "s.xml": sourceDescription([]),
      },
      "s.xml",
    ],
  ])("a source is found by %s", async (_, address, documents, expected) => {
    await using server = await SiteServer.start();
    await using transport = openTestTransport();
    const site = server.site("example.test");
    publish(site, documents);
    expect(await discover(transport, site.urlOf(address))).toBe(site.urlOf(expected));
  });

  test("a source is read, and read again at the price of what is new", async () => {
    await using server = await SiteServer.start();
    await using transport = openTestTransport();
    const site = server.site("example.test");
    publish(site, {
      [WELL_KNOWN]: sourceDescription(["/list.xml"]),
      "list.xml": capabilityList({ changelist: "index.xml" }, [["describedby", "about.html"]]),
      "index.xml": changeListIndex([{ loc: "1.xml.gz", md: { until: "2026-10-02" } }, "2.xml"]),
      "1.xml.gz": { body: gzipSync(changeList(MANY, { until: "2026-10-02" })) },
      "2.xml": changeList(["updated a 2026-10-03"]),
      "about.html": "<!doctype html><title>About</title>",
    });
    const follower = new Follower(transport);
    follower.descriptionUrl = site.urlOf(WELL_KNOWN);
    const reading = await follower.read();
    expect(reading.collections[0]?.lists.map(({ changes }) => changes.length)).toEqual([5000, 1]);
    const { collections } = await readDescriptions(transport, reading, follower.remembered);
    expect(collections.get("")).toEqual({ title: "About", authors: [] });
    expect(await follower.read()).toMatchObject({ documents: [] });
    expect(server.connections).toBe(1);
  });

  test("whatever is wrong with a document, the host can be asked for the next one", async () => {
    const broken: readonly Script[] = [
      "<!doctype html><title>Sorry</title>",
      changeList(MANY).replace("</loc>", ""),
      resourceList(MANY, []),
      { body: changeList(MANY), cut: 5000 },
      { status: 404, body: "x".repeat(200_000) },
      changeList(MANY).slice(0, -20),
      { body: changeList(MANY), headers: { "content-encoding": "gzip" } },
    ];
    await using server = await SiteServer.start();
    await using transport = openTestTransport();
    const site = server.site("example.test");
    const names = broken.map((_, at) => `c${at}`);
    publish(site, {
      [WELL_KNOWN]: sourceDescription([...names, "good"].map((name) => `/${name}/list.xml`)),
    });
    for (const [at, script] of broken.entries()) {
      publish(site, {
        [`c${at}/list.xml`]: at % 2 === 0 ? capabilityList({ changelist: "changes.xml" }) : script,
        [`c${at}/changes.xml`]: script,
      });
    }
    publish(site, {
      "good/list.xml": capabilityList({ changelist: "changes.xml" }),
      "good/changes.xml": changeList(["created a 2026-10-01"]),
    });
    const follower = new Follower(transport);
    follower.descriptionUrl = site.urlOf(WELL_KNOWN);
    const { collections } = await follower.read();
    expect(collections.filter(({ problem }) => problem !== undefined)).toHaveLength(broken.length);
    expect(collections.at(-1)?.lists).toHaveLength(1);
  });
});
