import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  capabilityList,
  changeList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import type { Site } from "../../reader/test/support/site-server.ts";
import { pollingOf } from "../src/readers/sitemap/polling-row.ts";
import { block } from "../src/store/host.ts";
import { FollowedSites } from "./support/followed-site.ts";
import { sitemap } from "./support/sitemaps.ts";
import { TestService } from "./support/web.ts";

const DAY = 86_400;
const OFFER = "Follow it by its sitemap instead?";

let sites: FollowedSites;
let service: TestService;
let site: Site;
let source = 0;
beforeAll(async () => {
  sites = await FollowedSites.start();
  service = new TestService(sites.harvester);
});
afterAll(() => sites?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await sites.reset();
  site = sites.site("moss.test").answer("/sitemap.xml", sitemap(["a", "b", "c"]));
  source = await sites.follow(site.url);
});

const page = () => service.text(`/sources/${source}`);
const press = (action: string, by = service) =>
  by.ask(`/sources/${source}/${action}`, { form: {} });
const isWatched = async () => (await sites.source(source))?.polls_sitemap === 1;

test("a site that could not be reached, or read, is not said to be silent", async () => {
  sites.publish(site, { "/.well-known/resourcesync": { status: 500 } });
  await sites.check(source);
  expect(await page()).toContain("What went wrong");
  expect(await page()).not.toContain(OFFER);
  sites.publish(site, { "/.well-known/resourcesync": null });
  await sites.check(source);
  expect(await page()).toContain(OFFER);
});

test("a site that tells its changes is not offered to be watched, not even while its documents fail", async () => {
  sites.publish(site, {
    "/.well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
    "/capabilitylist.xml": capabilityList({ changelist: "/changelist.xml" }),
    "/changelist.xml": changeList(["created a 2026-09-30T12:00:00Z"]),
  });
  await sites.check(source);
  expect(await page()).not.toContain(OFFER);
  sites.publish(site, { "/capabilitylist.xml": { status: 500 } });
  sites.harvester.time += DAY;
  await sites.checkFully(source);
  expect(await page()).toContain("What went wrong");
  expect(await page()).not.toContain(OFFER);
  await press("lists");
  expect(await isWatched()).toBe(false);
});

test("the page of a site whose list has no dates says that updates cannot be seen", async () => {
  await sites.check(source);
  await press("lists");
  await sites.check(source);
  expect(await page()).toContain("Updates cannot be seen: its list has neither dates nor hashes.");
});

test("only those who may follow have a list watched, and only those who manage say what is gone", async () => {
  const access = { kind: "token", token: "a token that nobody guesses" } as const;
  const guarded = new TestService(sites.harvester, { access });
  await sites.check(source);
  expect(await guarded.text(`/sources/${source}`)).not.toContain(OFFER);
  expect((await press("lists", guarded)).status).toBeGreaterThanOrEqual(400);
  expect(await isWatched()).toBe(false);
  expect((await press("lists")).status).toBe(303);
  await sites.check(source);
  sites.harvester.time += DAY;
  sites.publish(site, { "/sitemap.xml": sitemap(["a"]) });
  await sites.check(source);
  const text = await guarded.text(`/sources/${source}`);
  expect(text).toContain("2 pages are missing from its list");
  expect(text).not.toContain("They are gone</button>");
  expect((await press("gone", guarded)).status).toBeGreaterThanOrEqual(400);
  expect(await pollingOf(sites.harvester.database, source)).toMatchObject({
    awaits_confirmation: 1,
  });
});

test("a paused site is not checked for it, and a blocked one is not offered", async () => {
  await sites.check(source);
  await press("pause");
  await press("lists");
  expect(await sites.source(source)).toMatchObject({ polls_sitemap: 1, next_check: null });
  await block(sites.harvester.database, "moss.test");
  expect(await page()).not.toContain(OFFER);
});

test("that it is watched stands in its own feed and page; everything is told only what changed", async () => {
  const WATCHED = "From now on this site is followed by its sitemap";
  await sites.check(source);
  await press("lists");
  await sites.check(source);
  const own = () => service.text(`/feeds/sources/${source}.atom`);
  const all = () => service.text("/feeds/all.atom");
  expect(await page()).toContain(WATCHED);
  expect((await own()).match(/<entry>/g)).toHaveLength(1);
  expect(await all()).not.toContain("<entry>");
  const first = await service.text("/");
  expect(first).toContain("Nothing yet.");
  expect(first).not.toContain(WATCHED);
  sites.harvester.time += DAY;
  sites.publish(site, { "/sitemap.xml": sitemap(["a", "b", "c", "d"]) });
  await sites.check(source);
  expect((await own()).match(/<entry>/g)).toHaveLength(2);
  expect((await all()).match(/<entry>/g)).toHaveLength(1);
  expect((await service.text("/")).match(/<div class="entry">/g)).toHaveLength(1);
});
