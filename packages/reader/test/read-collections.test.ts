import { describe, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { siteFolder, siteHost } from "../src/address.ts";
import {
  capabilityList,
  changeList,
  documentText,
  type Links,
  sourceDescription,
  type TestEntry,
} from "./support/documents.ts";
import { Follower, onlyCollection, reported } from "./support/follower.ts";
import { MemorySite } from "./support/memory-site.ts";
import { shrineSite } from "./support/single-list.ts";

describe("which collection it is", () => {
  test.each<[string, Links, Links, string, string]>([
    [
      "what the Capability List describes",
      [["describes", "/gallery/"]],
      [["describes", "/other/"]],
      "gallery/",
      "https://example.org/gallery/",
    ],
    [
      "else what the Source Description says",
      [],
      [["describes", "/gallery/"]],
      "gallery/",
      "https://example.org/gallery/",
    ],
    ["else the site, of which it is the only one", [], [], "", "https://example.org/"],
    ["the whole site", [["describes", "/"]], [], "", "https://example.org/"],
    [
      "of several links the first",
      [
        ["describes", "/a/"],
        ["describes", "/b/"],
      ],
      [],
      "a/",
      "https://example.org/a/",
    ],
    [
      "by http, with a port and www",
      [["describes", "http://www.example.org:8080/a/"]],
      [],
      "a/",
      "http://www.example.org:8080/a/",
    ],
    ["a query counts", [["describes", "/a?b"]], [], "a?b", "https://example.org/a?b"],
    [
      "another host's is not its own",
      [["describes", "https://other.example/"]],
      [["describes", "/a/"]],
      "a/",
      "https://example.org/a/",
    ],
    ["a URN is no address", [["describes", "urn:isbn:1"]], [], "", "https://example.org/"],
  ])("%s", proves("I41"), async (_, own, listed, key, url) => {
    const site = shrineSite(["created a 2026-10-01"], own).put({
      ".well-known/resourcesync": sourceDescription([
        { loc: "/shrine/capabilitylist.xml", links: listed },
      ]),
    });
    expect(onlyCollection(await new Follower(site).read())).toMatchObject({ key, url });
  });

  test("below a base path, it is named from there; elsewhere by its whole URL", async () => {
    const site = new MemorySite().put({
      "base/.well-known/resourcesync": sourceDescription(["../a/list.xml", "/b/list.xml"]),
      "base/a/list.xml": capabilityList({}),
      "b/list.xml": capabilityList({}),
    });
    const follower = new Follower(site);
    follower.descriptionUrl = "https://example.org/base/.well-known/resourcesync";
    const { collections } = await follower.read();
    expect(collections.map(({ key }) => key)).toEqual(["a/", "https://example.org/b/"]);
  });

  test("two that describe the same are told apart by their documents", async () => {
    const site = new MemorySite().put({
      ".well-known/resourcesync": sourceDescription(["/a/list.xml", "/b/list.xml"]),
      "a/list.xml": capabilityList({}, [["describes", "/x/"]]),
      "b/list.xml": capabilityList({}, [["describes", "/x/"]]),
    });
    const { collections } = await new Follower(site).read();
    expect(collections.map(({ key }) => key)).toEqual(["x/", "b/list.xml"]);
  });

  test("one that cannot be read now keeps its name", async () => {
    const site = shrineSite([], [["describes", "/gallery/"]]);
    const follower = new Follower(site);
    await follower.read();
    site.put({ "shrine/capabilitylist.xml": "<html><title>Sorry</title></html>" });
    const collection = onlyCollection(await follower.read());
    expect(collection).toMatchObject({ key: "gallery/", problem: { code: "UNREADABLE" } });
    expect(collection).toMatchObject({ lists: [], listUrls: [], unreadLists: 0 });
  });

  test("a list tells the changes of one collection only: the first that names it", async () => {
    const site = new MemorySite().put({
      ".well-known/resourcesync": sourceDescription(["/a/list.xml", "/b/list.xml"]),
      "a/list.xml": capabilityList({ changelist: "/changes.xml" }),
      "b/list.xml": capabilityList({ changelist: "/changes.xml" }),
      "changes.xml": changeList(["created a 2026-10-01"]),
    });
    const follower = new Follower(site);
    for (const lists of [1, 0]) {
      const { collections } = await follower.read();
      expect(collections[0]?.lists).toHaveLength(lists);
      expect(collections[1]?.problem).toMatchObject({ code: "SHARED_LIST" });
    }
  });
});

describe("whose URLs a source may speak for", () => {
  const others = ["created https://other.example/a 2026-10-01", "created b 2026-10-01"];
  const about: Links = [["describes", "https://other.example/"]];

  test.each<[string, Links, boolean, string[]]>([
    ["only its own host's", [], true, ["created shrine/b"]],
    ["not another's by its word alone", about, false, ["created shrine/b"]],
    [
      "the one it describes, where that is allowed",
      about,
      true,
      ["created https://other.example/a", "created shrine/b"],
    ],
  ])("%s", async (_, describes, allowOtherHosts, expected) => {
    const follower = new Follower(shrineSite(others, describes));
    follower.options = { ...follower.options, allowOtherHosts };
    const collection = onlyCollection(await follower.read());
    expect(reported(collection)).toEqual(expected);
    const ignored = Object.values(collection.ignored);
    expect(ignored.reduce((sum, count) => sum + count, 0)).toBe(2 - expected.length);
  });

  test.each([
    [
      "a Capability List",
      { ".well-known/resourcesync": sourceDescription(["https://cdn.example/list.xml"]) },
    ],
    [
      "a Change List",
      {
        "shrine/capabilitylist.xml": capabilityList({
          changelist: "https://cdn.example/changes.xml",
        }),
      },
    ],
  ])("%s elsewhere is read only where that is allowed", async (_, documents) => {
    const site = shrineSite([]).put({
      "https://cdn.example/list.xml": capabilityList({ changelist: "changes.xml" }, []),
      "https://cdn.example/changes.xml": changeList(["created https://example.org/a 2026-10-01"]),
      ...documents,
    });
    const follower = new Follower(site);
    const refused = onlyCollection(await follower.read());
    expect(refused.problem?.code).toBe("OTHER_HOST");
    expect(refused.problem?.message).toMatch(/^https:\/\/cdn.*example\.org\. .*--other-hosts/);
    expect(site.takeAsked().join()).not.toContain("cdn");
    follower.options = { ...follower.options, allowOtherHosts: true };
    expect(reported(onlyCollection(await follower.read()))).toEqual(["created a"]);
  });

  test.each([
    ["https://Example.org:8080/a", "example.org"],
    ["http://www.example.org./", "example.org"],
    ["https://www.org/", "org"],
    ["https://bücher.example/", "xn--bcher-kva.example"],
    ["https://[::1]/", "[::1]"],
  ])("%s is a word of %s", (url, host) => {
    expect(siteHost(url)).toBe(host);
  });

  test.each([
    ["https://example.org/.well-known/resourcesync", "https://example.org/"],
    ["https://example.org/base/.well-known/resourcesync", "https://example.org/base/"],
    ["https://example.org/sync/description.xml?x=/y/", "https://example.org/sync/"],
  ])("%s is of the site %s", (url, folder) => {
    expect(siteFolder(url)).toBe(folder);
  });
});

describe("what else is told of a collection", () => {
  test(
    "its descriptions: its own first, each once, and only on its host",
    proves("I36", "I42"),
    async () => {
      const site = new MemorySite().put({
        ".well-known/resourcesync": sourceDescription(
          [
            {
              loc: "/shrine/list.xml",
              links: [
                ["describedby", "/about.xml"],
                ["describedby", "/shrine/about.xml"],
                ["describedby", "https://other.example/about.xml"],
              ],
            },
          ],
          [["describedby", "/about-site.xml"]],
        ),
        "shrine/list.xml": capabilityList({}, [["describedby", "about.xml"]]),
      });
      const reading = await new Follower(site).read();
      expect(reading.describedBy).toEqual(["https://example.org/about-site.xml"]);
      expect(onlyCollection(reading).describedBy).toEqual([
        "https://example.org/shrine/about.xml",
        "https://example.org/about.xml",
      ]);
    },
  );

  const channel = (entry: Partial<TestEntry>): TestEntry => ({
    loc: "https://example.org/topic/",
    md: { capability: "change-notification" },
    ...entry,
  });

  test.each<[string, TestEntry, object | undefined]>([
    [
      "Change Notification 1.0.1: the topic is the entry's URI",
      channel({ links: [["hub", "https://hub.example/"]] }),
      { topic: "https://example.org/topic/", hub: "https://hub.example/" },
    ],
    [
      "or what it links to as self",
      channel({
        links: [
          ["self", "/t"],
          ["hub", "https://hub.example/"],
        ],
      }),
      { topic: "https://example.org/t", hub: "https://hub.example/" },
    ],
    ["no hub, no channel", channel({}), undefined],
    [
      "a hub of another capability is none",
      channel({ md: { capability: "changelist" }, links: [["hub", "https://hub.example/"]] }),
      undefined,
    ],
  ])("%s", async (_, entry, notification) => {
    const list = documentText("urlset", { capability: "capabilitylist" }, [], [entry]);
    const site = shrineSite([]).put({ "shrine/capabilitylist.xml": list });
    expect(onlyCollection(await new Follower(site).read()).notification).toEqual(notification);
  });
});

describe("what extensions add is no error", () => {
  const EXTENSION = "https://extension.example/";
  const LINKS: Links = [
    [`${EXTENSION}related`, "/shrine/related.xml"],
    ["x-unheard-of", "mailto:somebody@example.org"],
  ];
  const CAPABILITIES = {
    "x-patchlist": "patches.xml",
    changelist: "changelist.xml",
    [`${EXTENSION}capability`]: "other.xml",
  };
  const CHANGE: TestEntry = {
    loc: "a",
    md: { change: "created", datetime: "2026-10-01", "x-note": "one" },
    links: LINKS,
  };

  test.each<[string, Readonly<Record<string, string>>]>([
    [
      "capabilities of a Capability List",
      { "shrine/capabilitylist.xml": capabilityList(CAPABILITIES) },
    ],
    [
      "relations of a Capability List",
      { "shrine/capabilitylist.xml": capabilityList({ changelist: "changelist.xml" }, LINKS) },
    ],
    [
      "relations of a Source Description",
      { ".well-known/resourcesync": sourceDescription(["/shrine/capabilitylist.xml"], LINKS) },
    ],
    [
      "relations of its entries",
      {
        ".well-known/resourcesync": sourceDescription([
          { loc: "/shrine/capabilitylist.xml", links: LINKS },
        ]),
      },
    ],
    ["relations of a Change List", { "shrine/changelist.xml": changeList([CHANGE], {}, LINKS) }],
    ["relations of a change", { "shrine/changelist.xml": changeList([CHANGE]) }],
  ])("%s", async (_, documents) => {
    const site = shrineSite(["created a 2026-10-01"]).put(documents);
    const collection = onlyCollection(await new Follower(site).read());
    expect(collection.problem).toBeUndefined();
    expect(reported(collection)).toEqual(["created shrine/a"]);
    expect(site.takeAsked()).toEqual([
      "/.well-known/resourcesync",
      "/shrine/capabilitylist.xml",
      "/shrine/changelist.xml",
    ]);
  });
});

describe("documents are known by their content", () => {
  test.each([
    [
      "ResourceSync 1.1: an entry without its capability",
      (text: string) => text.replace(' capability="capabilitylist"', ""),
    ],
    ["another prefix", (text: string) => text.replace(/\brs(?=[:=])/g, "sync")],
    [
      "rs:md after the entries",
      (text: string) =>
        text
          .replace(/<rs:md capability="(?:description)"\/>/, "")
          .replace("</urlset>", '<rs:md capability="description"/></urlset>'),
    ],
    [
      "elements nobody knows",
      (text: string) => text.replace("<url>", '<x:y xmlns:x="urn:x"><z/></x:y><url>'),
    ],
    [
      "UTF-16",
      (text: string) => Buffer.from(`\ufeff${text.replace("UTF-8", "UTF-16")}`, "utf16le"),
    ],
  ])("%s", async (_, change) => {
    const site = shrineSite(["created a 2026-10-01"]);
    const text = sourceDescription(["/shrine/capabilitylist.xml"]);
    site.put({ ".well-known/resourcesync": change(text) });
    expect(reported(onlyCollection(await new Follower(site).read()))).toEqual(["created shrine/a"]);
  });
});

test("the capability of a long list may stand after its entries", async () => {
  const changes = Array.from({ length: 500 }, (_, at) => `created ${at} 2026-10-01`);
  const metadata = '<rs:md capability="changelist"/>';
  const text = changeList(changes).replace(metadata, "");
  const site = shrineSite([]).put({
    "shrine/changelist.xml": text.replace("</urlset>", `${metadata}</urlset>`),
  });
  expect(reported(onlyCollection(await new Follower(site).read()))).toHaveLength(500);
  site.put({ "shrine/changelist.xml": text });
  const collection = onlyCollection(await new Follower(site).read());
  expect(collection).toMatchObject({ lists: [], problem: { code: "UNREADABLE" } });
});
