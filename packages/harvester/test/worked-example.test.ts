import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { atomFeed } from "@rs-emit/feeds";
import { expect, test } from "vitest";
import { capabilityList, sourceDescription } from "../../reader/test/support/documents.ts";
import { MemorySite } from "../../reader/test/support/memory-site.ts";
import { checkNow } from "../src/check/check.ts";
import { follow } from "../src/store/following/following.ts";
import { feedDocument } from "../src/store/pages/feed-documents.ts";
import { TestHarvester } from "./support/harvest.ts";

const FOLDER = join(import.meta.dirname, "..", "src");
const DOCS = readFileSync(join(FOLDER, "../../../docs/harvester.md"), "utf8");
const SITE = "https://moss.example/";
const HEAD = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"
  xmlns:dcterms="http://purl.org/dc/terms/" xmlns:emit="urn:uuid:1eefa801-22e0-4a6d-aa21-a51c9595db91">
<rs:md capability="changelist" from="2026-10-01T00:00:00Z" emit:publication="2026-10-15T12:00:00Z"/>`;

/** The blocks of XML in docs/harvester.md: an entry of a Change List, and one of a feed. */
const [listed = "", entry = ""] = [...DOCS.matchAll(/```xml\n(.*?)```/gs)].map(
  ([, text = ""]) => text,
);

test("the change in docs/harvester.md becomes the entry there", async () => {
  const site = new MemorySite(SITE);
  const publish = (changes: string) =>
    site.put({
      ".well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
      "capabilitylist.xml": capabilityList({ changelist: "changelist.xml" }),
      "changelist.xml": `${HEAD}${changes}</urlset>`,
    });
  await using harvester = await TestHarvester.start(site);
  const { database } = harvester;
  harvester.time = Date.UTC(2026, 9, 15, 9) / 1000;
  const { id } = await follow(database, SITE, harvester.time);
  publish("");
  expect(await checkNow(harvester, id)).toMatchObject({ kind: "checked" });
  publish(listed);
  harvester.time += 4 * 3600;
  expect(await checkNow(harvester, id)).toMatchObject({ kind: "checked" });
  const places = { document: () => undefined, everything: { id: "tag:x", page: SITE } };
  const feed = await feedDocument(database, { feed: `source/${id}` }, places);
  if (feed === undefined) throw new Error("no feed");
  const [written = ""] = /<entry>.*<\/entry>/s.exec(atomFeed(feed)) ?? [];
  expect(entry.replace(/\s+/g, " ").trim()).toBe(written.replace(/\s+/g, " ").trim());
});

test("each name in the way of a change in docs/harvester.md is one of the code", () => {
  const [, way = ""] = DOCS.split("## A change on its way");
  const rows = way.slice(0, way.indexOf("<entry>")).match(/^\| .*$/gm) ?? [];
  const names = rows.flatMap((row) => [...row.matchAll(/`([A-Za-z]+)`/g)].map(([, name]) => name));
  const code = ["harvester", "reader", "documents", "feeds"].flatMap((name) => {
    const folder = join(FOLDER, "../..", name, "src");
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => readFileSync(join(folder, file), "utf8"));
  });
  expect(names).toContain("ListedChange");
  const isThere = (name = "") => code.some((text) => new RegExp(`\\b${name}\\b`).test(text));
  expect(names.filter((name) => !isThere(name))).toEqual([]);
});
