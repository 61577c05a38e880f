import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sample } from "../../../test/thorough.ts";
import {
  capabilityList,
  changeList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import type { Site } from "../../reader/test/support/site-server.ts";
import { type Listening, listen } from "../src/serve/web/app.ts";
import { describeInBrowser, shoot, tabTo, WIDTHS } from "./support/browser.ts";
import { FollowedSites } from "./support/followed-site.ts";
import { sitemap } from "./support/sitemaps.ts";
import { TestService } from "./support/web.ts";

const DAY = 86_400;
const SEEN = "Seen by comparing lists, not reported by the author.";

describeInBrowser("a site is followed by its list of pages, in a browser", (launched) => {
  describe.each(sample(Object.entries(WIDTHS), 1))("on a %s", (device, width) => {
    let sites: FollowedSites;
    let service: TestService;
    let listening: Listening;
    let page: Page;
    let site: Site;

    beforeAll(async () => {
      sites = await FollowedSites.start();
      service = new TestService(sites.harvester);
      listening = await listen(service.app, { host: "127.0.0.1", port: 0 });
    });
    afterAll(async () => {
      await listening?.close();
      await sites?.[Symbol.asyncDispose]();
    });
    beforeEach(async () => {
      await sites.reset();
      site = sites.site("moss.test");
      site.answer("/", "<!doctype html><title>Moss</title>");
      page = await launched().newPage({
        viewport: { width, height: 800 },
        javaScriptEnabled: false,
      });
      page.setDefaultTimeout(5_000);
      return () => page.close();
    });

    const text = async () => (await page.locator("main").textContent()) ?? "";
    const shot = (name: string) => shoot(page, `lists-${name}-${device}`);

    /** What the worker does: a check of each source, a day after the last one. */
    async function checkAll(): Promise<void> {
      const sources = await sites.harvester.database.selectFrom("source").select("id").execute();
      for (const { id } of sources) await sites.check(id);
    }

    /** Publishes a list of pages, and looks at the source after its next check. */
    async function publish(...pages: readonly string[]): Promise<string> {
      sites.harvester.time += DAY;
      sites.publish(site, { "/sitemap.xml": sitemap(pages) });
      await checkAll();
      await page.reload();
      return text();
    }

    async function press(selector: string): Promise<void> {
      await tabTo(page, selector);
      const arrived = page.waitForEvent("framenavigated");
      await page.keyboard.press("Enter");
      await arrived;
    }

    /** Follows the site, and has its list watched. */
    async function watch(...pages: readonly string[]): Promise<void> {
      sites.publish(site, { "/sitemap.xml": sitemap(pages) });
      await page.goto(listening.url);
      await tabTo(page, "#address");
      await page.keyboard.type(site.url);
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/sources\/\d+/);
      await checkAll();
      await page.reload();
      expect(await text()).toContain(
        "This site has no change log. Follow it by its sitemap instead?",
      );
      await shot("offer");
      await press('form[action$="/lists"] button');
      expect(await page.getByRole("status").textContent()).toContain("Is being checked");
      expect(await text()).toContain("This page looks again every few seconds.");
      await checkAll();
      await page.reload();
      expect(await text()).toContain("Followed by its sitemap");
    }

    test("by keyboard alone; the page says what is watched, and how each change was seen", async () => {
      await watch("a 09-01", "b 09-02", "c 09-03");
      const first = await text();
      expect(first).toContain("was seen by comparing lists, not reported by the author. 3 pages");
      expect(first).toContain("From now on this site is followed by its sitemap");
      expect(first).not.toContain("What went wrong");
      await shot("polled");
      const second = await publish("a 09-30", "b 09-02", "c 09-03", "d");
      expect(second).toContain(SEEN);
      await shot("changes");
      await tabTo(page, "a.feed");
      const feed = await page.locator("a.feed").first().getAttribute("href");
      const answer = await page.request.get(new URL(feed ?? "", listening.url).href);
      const entries = await answer.text();
      expect(entries).toContain("New: d; 1 page has news");
      expect(entries).toContain(SEEN);
      await page.goto(listening.url);
      expect(await page.locator("#changes").textContent()).toContain(SEEN);
      await shot("home");
      expect(service.problems).toEqual([]);
    });

    test("the page says which dates are not believed", async () => {
      await watch("a 09-01", "b 09-02", "c 09-03");
      const text = await publish("a 09-30", "b 09-30", "c 09-29");
      expect(text).toContain("The dates in its list are not believed: more than half of them");
      await shot("distrust");
    });

    test("a person decides by keyboard alone that more than half of the pages are gone", async () => {
      await watch("a", "b", "c", "d");
      expect(await publish("a")).toContain(
        "They are reported as deleted only after a person confirms it.",
      );
      expect(await publish("a")).toContain("3 pages are missing from its list");
      await tabTo(page, "section.notice summary");
      await page.keyboard.press("Enter");
      expect(await page.locator("section.notice details li").allTextContents()).toEqual(
        ["b", "c", "d"].map((path) => site.urlOf(path)),
      );
      await shot("held");
      await press('form[action$="/gone"] button');
      expect(await text()).toContain("a person has said that they are gone");
      expect(await page.getByRole("button", { name: "They are gone" }).count()).toBe(0);
      await shot("decided");
      const after = await publish("a");
      expect(after).toContain("gone b");
      expect(after).not.toContain("missing from its list");
      await shot("gone");
    });

    test("from the day of a Change List the page says nothing of lists any more", async () => {
      await watch("a 09-01", "b 09-02");
      sites.publish(site, {
        "/.well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
        "/capabilitylist.xml": capabilityList({ changelist: "/changelist.xml" }),
        "/changelist.xml": changeList(["updated a 2026-10-01T12:00:00Z"]),
      });
      const after = await publish("a 10-01", "b 09-02");
      expect(after).not.toContain("Followed by its sitemap");
      expect(after).not.toContain("has no change log");
      expect(after).toContain("The lists of this site are no longer compared");
      await shot("reported");
    });
  });
});
