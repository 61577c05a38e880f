import * as fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { capabilityList } from "../../reader/test/support/documents.ts";
import { conditionAfter, type LogFinding } from "../src/check/decide-condition.ts";
import { HEALTHS, type Health, UNFOLLOWED } from "../src/health-names.ts";
import { askForPingOfAll } from "../src/store/feed.ts";
import { FollowedSites } from "./support/followed-site.ts";
import { checkEach, LOG, publishMixed, WITH_FEED } from "./support/mixed-sites.ts";
import { sitemap } from "./support/sitemaps.ts";
import { describeStores } from "./support/stores.ts";
import { TestService } from "./support/web.ts";

const DAY = 86_400;
describeStores("how sites do, on $name", () => {
  let sites: FollowedSites;
  let service: TestService;
  beforeAll(async () => {
    sites = await FollowedSites.start();
    service = new TestService(sites.harvester);
  });
  afterAll(() => sites?.[Symbol.asyncDispose]());
  beforeEach(() => sites.reset());

  /** Publishes a site of each kind, and imports them all. */
  async function importAll(more: Readonly<Record<string, string>> = {}): Promise<string> {
    const form = { list: publishMixed(sites), ...more };
    const { headers } = await service.ask("/import", { form });
    return service.text(headers.get("location") ?? "");
  }

  const checkAll = () => checkEach(sites);
  const path = (query: Readonly<Record<string, string>>) =>
    `/sources?${new URLSearchParams(query)}`;
  const sitesOn = (page: string) => (page.match(/<article /g) ?? []).length;
  const idOf = async (host: string) => {
    const { id } = await sites.harvester.database
      .selectFrom("source")
      .select("id")
      .where("host", "=", host)
      .executeTakeFirstOrThrow();
    return id;
  };

  /** The same numbers on the list, where it is filtered, in /healthz and in /metrics. */
  async function expectCounts(counts: Partial<Record<Health, number>>): Promise<void> {
    const list = await service.text("/sources");
    const health = await service.text("/healthz");
    const metrics = await service.text("/metrics");
    for (const one of HEALTHS) {
      const count = counts[one] ?? 0;
      const [, shown = "0"] =
        new RegExp(`<span class="mark ${one}">[^<]*</span> (\\d+)</a>`).exec(list) ?? [];
      expect([one, Number(shown)]).toEqual([one, count]);
      expect(sitesOn(await service.text(path({ state: one })))).toBe(count);
      expect(health.split("\n")).toContain(`${one} ${count}`);
      expect(metrics).toContain(`rs_harvest_sources{health="${one}"} ${count}\n`);
    }
    expect(health).toMatch(/^ok\n/);
  }

  test("stands on the list, where it is filtered, in /healthz and in /metrics: what tells nothing is no trouble", async () => {
    await importAll();
    await expectCounts({ waiting: 21 });
    await checkAll();
    await expectCounts({
      well: 3,
      "has-sitemap": 12,
      "has-feed": 3,
      "has-nothing": 2,
      "not-read": 1,
    });
    for (const state of UNFOLLOWED) {
      const shown = await service.text(path({ state }));
      expect(shown).not.toMatch(/did not succeed|What went wrong|class="why"/);
    }
    const feeds = await service.text(path({ state: "has-feed" }));
    const linked = [...feeds.matchAll(/<a href="([^"]+)"[^>]*>Its own feed<\/a>/g)].map(
      ([, url]) => url,
    );
    expect(linked.toSorted()).toEqual([
      ...Array.from({ length: 2 }, (_, at) => sites.site(`feed${at}.test`).urlOf("/posts.atom")),
      sites.site("feeditself0.test").urlOf("/feed"),
    ]);
    expect(await service.text(path({ state: "not-read" }))).toMatch(
      /class="mark not-read".*class="why"/s,
    );
    const page = await service.text(`/sources/${await idOf("nothing0.test")}`);
    expect(page).toContain("Publishes neither change log nor sitemap nor feed.");
    expect(page).not.toMatch(/What went wrong|Failed:/);
  });

  test("they are followed by their sitemaps with one button, which says how many", async () => {
    await importAll();
    await checkAll();
    expect(await service.text("/sources")).toContain("Follow these 12 by their sitemaps");
    expect(await service.text(path({ name: "sitemap1" }))).toContain(
      "Follow these 3 by their sitemaps",
    );
    const some = await service.ask("/sources/poll", { form: { name: "sitemap1" } });
    expect(await service.text(some.headers.get("location") ?? "")).toContain(
      "3 sites are followed by their sitemaps",
    );
    expect(await service.text("/sources")).toContain("Follow these 9 by their sitemaps");
    await service.ask("/sources/poll", { form: {} });
    expect(await service.text("/sources")).not.toContain("Follow these");
    await checkAll();
    await expectCounts({ well: 15, "has-feed": 3, "has-nothing": 2, "not-read": 1 });
    expect(await service.text(path({ name: "sitemap0" }))).toContain("<p>by its sitemap</p>");
    // What is said of 12 sites is no news of theirs; what changes there is, and is marked as seen.
    expect(await service.text("/feeds/all.atom")).not.toContain("From now on");
    expect(await service.text("/")).not.toContain("From now on");
    sites.harvester.time += DAY;
    sites.publish(sites.site("sitemap3.test"), {
      "/sitemap.xml": sitemap(["a 09-01", "b 09-02", "c 09-30"]),
    });
    await checkAll();
    expect(await service.text("/feeds/all.atom")).toContain(
      "Seen by comparing lists, not reported by the author.",
    );
  });

  test("with the choice made at import they are watched from the start, those too that were followed already", async () => {
    expect(await importAll({ lists: "poll" })).toContain("21 sites are still to be checked");
    await checkAll();
    await expectCounts({ well: 15, "has-feed": 3, "has-nothing": 2, "not-read": 1 });
    sites.harvester.time += 1;
    const again = await importAll({ lists: "poll" });
    expect(again).toContain("21 sites were followed already.");
    expect([...again.matchAll(/<h2[^>]*>(.*?)<.h2>/g)].map(([, heading]) => heading)).toEqual([
      "3 sites are followed by their change logs",
      "12 sites are followed by their sitemaps",
      "3 sites need no harvester: they have feeds of their own",
      "2 sites publish neither change log nor sitemap nor feed",
      "1 site could not be read",
    ]);
  });

  test("who is well, and fails, is in trouble since then, until it is well", async () => {
    const log = sites.site("log.test");
    const listed = sites.site("listed.test");
    sites.publish(log, LOG);
    sites.publish(listed, { "/sitemap.xml": sitemap(["a"]) });
    await service.text("/import", { form: { list: `${log.url}\n${listed.url}`, lists: "poll" } });
    await checkAll();
    await expectCounts({ well: 2 });
    sites.harvester.time += DAY;
    sites.publish(log, { "/.well-known/resourcesync": { status: 500 } });
    sites.publish(listed, { "/sitemap.xml": null });
    const since = sites.harvester.time;
    for (let days = 0; days < 3; days += 1) {
      const rows = await sites.harvester.database.selectFrom("source").select("id").execute();
      for (const { id } of rows) await sites.checkFully(id);
      await expectCounts({ troubled: 2 });
      sites.harvester.time += DAY;
    }
    const list = await service.text(path({ state: "troubled" }));
    expect(list.match(/class="why"/g)).toHaveLength(2);
    for (const host of ["log.test", "listed.test"]) {
      const page = await service.text(`/sources/${await idOf(host)}`);
      expect(page).toMatch(/The trouble began <time [^>]*>3 days ago</);
      expect(page).toMatch(/What went wrong.*<p>[^<]*(?:tried|passes|author|unfollow)/s);
    }
    expect(await sites.source(await idOf("log.test"))).toMatchObject({ condition_since: since });
    sites.publish(log, LOG);
    sites.publish(listed, { "/sitemap.xml": sitemap(["a"]) });
    await checkAll();
    await expectCounts({ well: 2 });
  });

  test("a log that its site gives up is trouble: who follows it must know", async () => {
    const site = sites.site("moss.test");
    sites.publish(site, LOG);
    const id = await sites.follow(site.url);
    await sites.check(id);
    sites.publish(site, { "/capabilitylist.xml": capabilityList({ resourcelist: "/list.xml" }) });
    sites.harvester.time += DAY;
    await sites.checkFully(id);
    await expectCounts({ troubled: 1 });
    expect(await service.text(`/sources/${id}`)).toContain(
      "The site publishes no change log any more.",
    );
  });

  test("a site without a log is asked once a day, and not searched for a sitemap that is known", async () => {
    const site = sites.site("moss.test");
    sites.publish(site, { "/sitemap.xml": sitemap(["a"]) });
    const id = await sites.follow(site.url);
    expect(await sites.check(id)).toMatchObject({ problem: "NO_SOURCE", next: DAY });
    sites.harvester.time += DAY;
    const { asked, next } = await sites.check(id);
    expect([asked.filter((one) => one.includes("sitemap")), next]).toEqual([[], DAY]);
    sites.publish(site, LOG);
    sites.harvester.time += DAY;
    expect(await sites.check(id)).toMatchObject({ problem: null, reported: [["created a"]] });
    await expectCounts({ well: 1 });
  });

  test("what a sitemap that fails says is not known, and looked for again", async () => {
    const site = sites.site("moss.test");
    sites.publish(site, { "/": WITH_FEED, "/sitemap.xml": { status: 500 } });
    const id = await sites.follow(site.url);
    await sites.check(id);
    expect(await sites.source(id)).toMatchObject({ condition: "no-change-log" });
    expect(await service.text("/sources")).toContain(
      '"mark no-change-log">No change log</span>\n</header>',
    );
    sites.publish(site, { "/sitemap.xml": null });
    await sites.check(id);
    expect(await sites.source(id)).toMatchObject({
      condition: "has-feed",
      own_feed: site.urlOf("/posts.atom"),
    });
  });

  test("that lists are watched now is said in the feed of the site alone", async () => {
    const { database } = sites.harvester;
    const site = sites.site("moss.test");
    sites.publish(site, { "/sitemap.xml": sitemap(["a", "b"]) });
    await service.text("/import", { form: { list: site.url, lists: "poll" } });
    await checkAll();
    const pings = async () => {
      await askForPingOfAll(database, sites.harvester.time);
      return (await database.selectFrom("ping").select("feed").execute()).length;
    };
    expect(await pings()).toBe(0);
    sites.harvester.time += DAY;
    sites.publish(site, { "/sitemap.xml": sitemap(["a", "b", "c"]) });
    await checkAll();
    expect(await pings()).toBe(1);
    const id = await idOf("moss.test");
    const pages = async () => {
      const texts = [await service.text("/"), await service.text("/feeds/all.atom")];
      return texts.map((text) => text.match(/<entry>|<div class="entry">/g)?.length ?? 0);
    };
    const own = async () => (await service.text(`/feeds/sources/${id}.atom`)).match(/<entry>/g);
    expect(await pages()).toEqual([1, 1]);
    expect(await service.text("/")).not.toContain("From now on");
    expect(await own()).toHaveLength(2);
  });
});

describe("a condition", () => {
  const findings = fc.constantFrom<LogFinding>("followed", "part", "none", "failed");

  test("names what a site without a log publishes besides, as it was last known", () => {
    expect(conditionAfter("waiting", "none")).toBe("no-change-log");
    expect(conditionAfter("not-read", "none", { publishes: "sitemap" })).toBe("has-sitemap");
    expect(conditionAfter("has-sitemap", "none")).toBe("has-sitemap");
    expect(conditionAfter("has-sitemap", "none", { publishes: "nothing" })).toBe("has-nothing");
    expect(conditionAfter("well", "none", { publishes: "sitemap" })).toBe("troubled");
  });

  test("is well exactly after what is well, and trouble only where something was", () => {
    fc.assert(
      fc.property(fc.array(findings, { minLength: 1 }), (all) => {
        let condition: ReturnType<typeof conditionAfter> = "waiting";
        for (const finding of all) condition = conditionAfter(condition, finding);
        const last = all.at(-1);
        const hadAny = all.some((one) => one === "followed" || one === "part");
        const otherwise = last === "none" ? "no-change-log" : "not-read";
        expect(condition).toBe(last === "followed" ? "well" : hadAny ? "troubled" : otherwise);
      }),
    );
  });
});
