import { formatDatetime } from "@rs-emit/documents";
import { expect, test } from "vitest";
import { logOf, TestSite } from "../../core/test/support/site.ts";
import { discover } from "../src/discover/discover.ts";
import { folderTransport } from "../src/http/folder-transport.ts";
import type { CollectionReading } from "../src/read/reading-result.ts";
import { readDescriptions } from "../src/read/site-descriptions.ts";
import { Follower } from "./support/follower.ts";

const SITE = "https://example.org/";

/** The log as a reading tells it, in the form of `logOf`. */
function logIn({ lists }: CollectionReading): string[] {
  return lists.flatMap(({ changes }) =>
    changes.map(({ datetime, kind, isMinor, url }) => {
      const what = isMinor ? `${kind} (minor)` : kind;
      return `${formatDatetime(datetime)} ${what} /${url.slice(SITE.length)}`;
    }),
  );
}

async function followed(site: TestSite): Promise<Follower> {
  const transport = folderTransport(site.folder, site.url);
  const follower = new Follower(transport);
  follower.descriptionUrl = await discover(transport, site.url);
  return follower;
}

test("a site that rs-emit has published is read whole, each change once", async () => {
  const site = new TestSite({ collections: [{ path: "/" }, { path: "/shrine/" }] });
  site.page("index.html", "Home").page("shrine/index.html", "Shrine").page("shrine/a.html", "A");
  await site.publish("2026-08-01T12:00:00Z");
  const follower = await followed(site);
  const reported = new Map<string, string[]>();
  const edits: readonly (() => void)[] = [
    () => site.page("shrine/a.html", "A, newer"),
    () => site.page("b.html", "B & <b>").page("shrine/c.html", "C"),
    () => site.remove("shrine/a.html"),
    () => {},
    () => site.page("b.html", "B at last"),
  ];
  for (const [at, edit] of edits.entries()) {
    edit();
    await site.publish(`2026-${String(at + 8).padStart(2, "0")}-15T12:00:00Z`);
    if (at === 1) continue; // one publication that nobody looks at
    for (const collection of (await follower.read()).collections) {
      expect(collection).toMatchObject({ ignored: {}, unreadLists: 0 });
      expect(collection.problem).toBeUndefined();
      const known = reported.get(collection.key) ?? [];
      reported.set(collection.key, [...known, ...logIn(collection)]);
    }
    for (const key of ["", "shrine/"]) {
      const log = logOf(site.folder, SITE, key);
      // A list that has grown is read again as a whole.
      expect([...new Set(reported.get(key))]).toEqual(log);
    }
  }
  const fresh = await (await followed(site)).read();
  for (const collection of fresh.collections) {
    expect(logIn(collection)).toEqual(logOf(site.folder, SITE, collection.key));
  }
  const again = await follower.read();
  expect(again).toMatchObject({ documents: [] });
});

test("titles, digests and what the site says of itself come along", async () => {
  const site = new TestSite({ title: "The Shrine", author: "Ada" });
  site.page("index.html", "Home");
  await site.publish("2026-08-01T12:00:00Z");
  site.page("a.html", "A & B");
  await site.publish("2026-08-02T12:00:00Z");
  const transport = folderTransport(site.folder, site.url);
  const reading = await (await followed(site)).read();
  const changes = reading.collections.flatMap(({ lists }) => lists.flatMap((list) => list.changes));
  expect(changes.at(-1)).toMatchObject({
    title: "A & B",
    hash: expect.stringMatching(/^sha-256:[\da-f]{64}$/),
  });
  const { source, collections } = await readDescriptions(transport, reading, new Map());
  expect(source).toMatchObject({ title: "The Shrine", authors: ["Ada"] });
  expect(collections.get("")).toEqual(source);
});

test("a site below a base path is found and read", async () => {
  const url = "https://example.org/project/";
  const site = new TestSite({ url });
  site.page("index.html", "Home").page("shrine/a.html", "A");
  await site.publish("2026-08-01T12:00:00Z");
  const transport = folderTransport(site.folder, url);
  const descriptionUrl = await discover(transport, `${url}shrine/a.html`);
  expect(descriptionUrl).toBe(`${url}.well-known/resourcesync`);
  const follower = new Follower(transport);
  follower.descriptionUrl = descriptionUrl;
  const { collections } = await follower.read();
  expect(collections.map(({ key }) => key)).toEqual([""]);
  expect(collections.flatMap(({ lists }) => lists.flatMap((list) => list.changes))).toHaveLength(2);
});
