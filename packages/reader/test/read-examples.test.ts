import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { discover } from "../src/discover/discover.ts";
import { parseLinkHeader } from "../src/page-links.ts";
import { Follower, onlyCollection } from "./support/follower.ts";
import { MemorySite } from "./support/memory-site.ts";

const EXAMPLES = new URL("../../../../shared/spec/examples/", import.meta.url);

/** A file of the examples of ResourceSync 1.1. */
function example(number: number, form = "xml"): string {
  return readFileSync(new URL(`resourcesync_ex_${number}.${form}`, EXAMPLES), "utf8");
}

/** The site of the specification's walkthrough. */
function exampleSite(): MemorySite {
  return new MemorySite("http://example.com/").put({
    "resourcesync_description.xml": example(7),
    "dataset1/capabilitylist.xml": example(13),
  });
}

/** The examples date changes by `lastmod`, as ResourceSync 0.9.1 does; the text of 1.1 does not any more. */
function reader(site: MemorySite, useLastmod: boolean): Follower {
  const follower = new Follower(site);
  follower.descriptionUrl = "http://example.com/resourcesync_description.xml";
  follower.options = { ...follower.options, useLastmod };
  return follower;
}

// The specification's own examples are no part of the project.
describe.skipIf(!existsSync(EXAMPLES))("the examples of ResourceSync", () => {
  test.each([
    [true, ["created res1.html", "updated res2.pdf", "deleted res3.tiff", "updated res2.pdf"], {}],
    [false, [], { undated: 4 }],
  ])("19: an open Change List, dated by lastmod: %s", async (useLastmod, changes, ignored) => {
    const site = exampleSite().put({ "dataset1/changelist.xml": example(19) });
    const collection = onlyCollection(await reader(site, useLastmod).read());
    const reported = collection.lists.flatMap((list) =>
      list.changes.map(({ kind, url }) => `${kind} ${url.replace("http://example.com/", "")}`),
    );
    expect(reported).toEqual(changes);
    expect(collection).toMatchObject({ ignored, unreadLists: 0 });
    expect(collection).toMatchObject({ key: "", url: "http://example.com/" });
    expect(collection.describedBy).toEqual(["http://example.com/info_about_set1_of_resources.xml"]);
  });

  test("20 and 21: a Change List Index, and closed Change Lists", async () => {
    const site = exampleSite().put({
      "dataset1/changelist.xml": example(20),
      "20130101-changelist.xml": example(21),
      "20130102-changelist.xml": example(21),
      "20130103-changelist.xml": example(19),
    });
    const follower = reader(site, true);
    const collection = onlyCollection(await follower.read());
    expect(collection.lists.map(({ changes }) => changes.length)).toEqual([4, 4, 4]);
    expect(collection).toMatchObject({ ignored: {} });
    site.takeAsked();
    await follower.read();
    expect(site.takeAsked().slice(2)).toEqual(
      [
        "http://example.com/dataset1/changelist.xml",
        "http://example.com/20130103-changelist.xml",
      ].map((url) => new URL(url).pathname),
    );
  });

  test.each([
    ["9: a page", () => ({ "": example(9) })],
    [
      "10: a header",
      () => ({ "": { link: /Link: ([\s\S]*?)\n {2}\.\.\./.exec(example(10, "http"))?.[1] ?? "" } }),
    ],
    ["11: a robots.txt", () => ({ "robots.txt": example(11, "http") })],
  ])("%s that leads to the Source Description", async (_, page) => {
    const site = new MemorySite("http://example.com/").put({
      "http://www.example.com/dataset1/capabilitylist.xml": example(6),
      "dataset1/resourcelist.xml": example(14),
      "dataset1/capabilitylist.xml": example(6),
      "resourcesync_description.xml": example(7),
      ...page(),
    });
    const found = await discover(site, "http://example.com/");
    expect(found).toBe("http://example.com/resourcesync_description.xml");
  });

  test("10: a header in the form of its time", () => {
    const [link] = parseLinkHeader(example(10, "http").replace(/[\s\S]*Link: /, ""));
    expect(link?.relations).toEqual(["resourcesync"]);
  });
});
