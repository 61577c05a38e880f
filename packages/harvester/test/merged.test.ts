import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  capabilityList,
  changeList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import type { Script } from "../../reader/test/support/scripted.ts";
import type { Site } from "../../reader/test/support/site-server.ts";
import { pollSitemap } from "../src/store/following/choose-polling.ts";
import { follow, followAll, unfollow } from "../src/store/following/following.ts";
import { allLabels, labelsOf } from "../src/store/following/label.ts";
import { listReport } from "../src/store/pages/health.ts";
import { FollowedSites } from "./support/followed-site.ts";
import { sitemap } from "./support/sitemaps.ts";
import { describeStores } from "./support/stores.ts";
import { TestService } from "./support/web.ts";

const DAY = 86_400;

describeStores("a page of a site that had no log when it was followed, on $name", () => {
  let sites: FollowedSites;
  let site: Site;
  let service: TestService;
  beforeAll(async () => {
    sites = await FollowedSites.start();
    service = new TestService(sites.harvester);
  });
  afterAll(() => sites?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    await sites.reset();
    site = sites.site("moss.test");
    sites.publish(site, { "/page.html": "<p>Moss", "/": "<p>Mosses" });
  });

  const publishLog = (...more: readonly string[]) =>
    sites.publish(site, {
      ".well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
      "capabilitylist.xml": capabilityList({ changelist: "changelist.xml" }),
      "changelist.xml": changeList([
        "created old 2026-09-30T12:00:00Z",
        "created new 2026-10-02T12:00:00Z",
        ...more,
      ]),
    });
  const nextCheck = async (id: number) => (await sites.source(id))?.next_check;

  test("is merged with the site as soon as that has one, and so it is said", async () => {
    const page = await sites.follow(`${site.url}page.html`);
    expect(await sites.check(page)).toMatchObject({ problem: "NO_SOURCE" });
    expect(await nextCheck(page)).toBeGreaterThan(sites.harvester.time);
    publishLog();
    const whole = await sites.follow(site.url);
    expect((await sites.check(whole)).reported).toEqual([["created old"]]);
    expect(await nextCheck(page)).toBe(sites.harvester.time);
    expect(await sites.check(page)).toMatchObject({
      result: { kind: "merged", into: whole },
      reported: [],
    });
    const lookedFor = await service.ask(`/sources/${page}`);
    expect([lookedFor.status, lookedFor.headers.get("location")]).toEqual([
      302,
      `/sources/${whole}`,
    ]);
    expect(await service.text(`/sources/${whole}`)).toMatch(
      /Followed with it.*href="http:\/\/moss\.test:\d+\/page\.html".*merged <time [^>]*>just now/s,
    );
    const feed = await service.ask(`/feeds/sources/${page}.atom`);
    expect([feed.status, feed.headers.get("location")]).toEqual([
      301,
      `/feeds/sources/${whole}.atom`,
    ]);
    // Given again, it is known; once the site is unfollowed, it is not.
    const again = await follow(sites.harvester.database, `${site.url}page.html`, 0);
    expect(again).toMatchObject({ id: whole, isNew: false });
    await unfollow(sites.harvester.database, whole);
    expect((await service.ask(`/sources/${page}`)).status).toBe(404);
    expect((await service.ask(`/feeds/sources/${page}.atom`)).status).toBe(404);
    expect(await sites.follow(`${site.url}page.html`)).not.toBe(whole);
  });

  test("may find it first: then the site is merged with it, and with what that is merged with", async () => {
    const page = await sites.follow(`${site.url}page.html`);
    const whole = await sites.follow(site.url);
    publishLog();
    await sites.check(page);
    expect((await sites.check(whole)).result).toEqual({ kind: "merged", into: page });
    const { database } = sites.harvester;
    await database.updateTable("source").set({ description_url: null }).execute();
    await database.updateTable("source").set({ site_key: null }).execute();
    const other = await sites.follow(`${site.url}other.html`);
    await sites.check(other);
    await sites.check(page);
    const lookedFor = await service.ask(`/sources/${whole}`);
    expect(lookedFor.headers.get("location")).toBe(`/sources/${other}`);
  });

  test("hands on its name, its labels and the list that named it, and replaces no name", async () => {
    const { database, time } = sites.harvester;
    const list = (name: string, label: string, page: string) =>
      followAll(database, [{ address: site.url + page, name, labels: [label] }], time);
    const whole = await sites.follow(site.url);
    publishLog();
    await sites.check(whole);
    for (const [name, label] of [
      ["Mosses", "plants"],
      ["Moss again", "friends"],
    ] as const) {
      await list(name, label, `${label}.html`);
      const rows = await database
        .selectFrom("source")
        .select("id")
        .where("name", "=", name)
        .execute();
      const [page] = rows.filter(({ id }) => id !== whole);
      expect((await sites.check(page?.id ?? 0)).result).toMatchObject({ into: whole });
    }
    expect(await sites.source(whole)).toMatchObject({ name: "Mosses", listed_at: time });
    expect((await labelsOf(database, [whole])).get(whole)).toEqual(["friends", "plants"]);
    expect(await allLabels(database)).toEqual(["friends", "plants"]);
    expect((await listReport(database, time, 9)).groups).toMatchObject([
      { standing: "log", count: 1, sites: [{ title: "Mosses" }] },
    ]);
  });

  const compareLists = async (address: string, list: string) => {
    const { harvester } = sites;
    sites.publish(site, { [list]: sitemap(["old 09-01"]) });
    const page = await sites.follow(address);
    await pollSitemap(harvester.database, page, harvester.time);
    await sites.check(page);
    harvester.time += 2 * DAY;
    sites.publish(site, { [list]: sitemap(["old 09-01", "new 10-02"]) });
    expect((await sites.check(page)).reported).toEqual([["created new"]]);
    harvester.time += 3600;
    return page;
  };

  test("stays where its lists were compared: what they showed is not told again", async () => {
    const page = await compareLists(`${site.url}page.html`, "/sitemap.xml");
    publishLog("created newer 2026-10-03T00:30:00Z");
    const whole = await sites.follow(site.url);
    expect(await sites.check(whole)).toMatchObject({
      result: { kind: "merged", into: page },
      reported: [],
    });
    expect(await nextCheck(page)).toBe(sites.harvester.time);
    expect((await sites.check(page)).reported).toEqual([["created newer"]]);
    publishLog("created newer 2026-10-03T00:30:00Z", "updated new 2026-10-03T12:00:00Z");
    sites.harvester.time += DAY;
    expect((await sites.check(page)).reported).toEqual([["updated new"]]);
    expect(await service.text(`/sources/${page}`)).toContain("Followed with it");
  });

  test("does not stand for the site where only lists of its folder were compared", async () => {
    const page = await compareLists(`${site.url}blog/`, "/blog/sitemap.xml");
    publishLog();
    const whole = await sites.follow(site.url);
    expect((await sites.check(whole)).result).toMatchObject({ kind: "checked" });
    expect(await nextCheck(page)).toBe(sites.harvester.time);
    expect((await sites.check(page)).result).toEqual({ kind: "merged", into: whole });
  });

  test("nor does what is at another port of its host", async () => {
    const other = await compareLists(`${site.url}page.html`, "/sitemap.xml");
    const address = site.url.replace(/:\d+/, ":8080");
    const { database } = sites.harvester;
    await database.updateTable("source").set({ address }).where("id", "=", other).execute();
    publishLog();
    const whole = await sites.follow(site.url);
    expect((await sites.check(whole)).result).toMatchObject({ kind: "checked" });
  });

  describe("an address of another host that redirects to it", () => {
    let evil: Site;
    let own: number;
    beforeEach(() => {
      evil = sites.site("evil.test");
      const leave: Script = ({ path }) => ({
        status: 302,
        headers: { location: site.urlOf(path) },
      });
      sites.publish(evil, { "*": leave });
    });

    const watched = async (address: string) => {
      const id = await sites.follow(address);
      await pollSitemap(sites.harvester.database, id, sites.harvester.time);
      await sites.check(id);
      return id;
    };
    const publishOn = (host: Site, page: string) =>
      sites.publish(host, {
        "/.well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
        "/capabilitylist.xml": capabilityList({ changelist: "changelist.xml" }),
        "/changelist.xml": changeList([`created ${page} ${AFTER}`]),
      });
    const AFTER = "2026-10-01T06:00:00Z";
    const next = async (id: number) => {
      sites.harvester.time += 2 * DAY;
      return (await sites.checkFully(id)).reported;
    };

    test("takes no follower of its lists, whatever it publishes later", async () => {
      sites.publish(site, { "/sitemap.xml": sitemap(["old 09-01"]) });
      const stranger = await watched(evil.url);
      own = await watched(site.url);
      expect(own).not.toBe(stranger);
      publishOn(evil, "evil");
      expect(await next(stranger)).toEqual([["created evil"]]);
      expect(await next(own)).toEqual([]);
      sites.publish(site, { "/sitemap.xml": sitemap(["old 09-01", "new 10-02"]) });
      expect(await next(own)).toEqual([["created new"]]);
      expect(await sites.follow(site.url)).toBe(own);
    });

    test.each(["stranger", "site"])(
      "takes none of its log, where the %s was followed first",
      async (first) => {
        publishOn(site, "own");
        const order = first === "site" ? [site, evil] : [evil, site];
        const ids: number[] = [];
        for (const { url } of order) ids.push(await sites.follow(url));
        for (const id of ids) expect((await sites.check(id)).result.kind).toBe("checked");
        own = ids[order.indexOf(site)] ?? 0;
        // A document or a page of the site is the site's, not the stranger's.
        expect(await sites.follow(site.urlOf(".well-known/resourcesync"))).toBe(own);
        const page = await sites.follow(`${site.url}page.html`);
        expect((await sites.check(page)).result).toEqual({ kind: "merged", into: own });
        publishOn(evil, "evil");
        expect(await next(own)).toEqual([]);
      },
    );
  });
});
