import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { MemorySite } from "../../reader/test/support/memory-site.ts";
import { checkNow } from "../src/check/check.ts";
import { pollSitemap } from "../src/store/following/choose-polling.ts";
import { follow } from "../src/store/following/following.ts";
import { TestHarvester } from "./support/harvest.ts";

/** More than one check reports. */
const PAGES = 10_500;

function resourceList(pages: number, version: string): string {
  const entries = Array.from({ length: pages }, (_, at) => {
    const hash = createHash("sha256").update(`${at} ${version}`).digest("hex");
    return `<url><loc>https://example.org/${at}</loc><rs:md hash="sha-256:${hash}"/></url>\n`;
  });
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:md capability="resourcelist" at="2026-10-01T00:00:00Z"/>
${entries.join("")}</urlset>`;
}

test("what one check does not report is reported by the next ones, once", async () => {
  const site = new MemorySite();
  await using harvester = await TestHarvester.start(site);
  const { id } = await follow(harvester.database, "https://example.org/", harvester.time);
  await pollSitemap(harvester.database, id, harvester.time);
  const reported: string[] = [];
  for (const [pages, version] of [
    [100, "one"],
    [PAGES, "one"],
    [PAGES, "two"],
  ] as const) {
    site.put({ "sitemap.xml": resourceList(pages, version) });
    for (let check = 0; check < 3; check += 1) {
      const result = await checkNow(harvester, id);
      if (result.kind !== "checked") throw new Error(result.kind);
      reported.push(`${result.reported}${result.hasUnread ? " and more" : ""}`);
      harvester.time += 60;
    }
  }
  expect(reported).toEqual([
    "0",
    "0",
    "0",
    "0",
    "10000 and more",
    "400",
    "10000 and more",
    "500",
    "0",
  ]);
  const pages = (await harvester.reported()).flat();
  expect(new Set(pages).size).toBe(pages.length);
}, 180_000);
