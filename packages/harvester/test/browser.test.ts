import { atomFeed } from "@rs-emit/feeds";
import { MissingError } from "@rs-emit/reader/http/errors";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sample } from "../../../test/thorough.ts";
import { everything } from "../../feeds/test/support/shrine-feed.ts";
import {
  capabilityList,
  changed,
  changeList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import { SiteServer } from "../../reader/test/support/site-server.ts";
import { type Listening, listen } from "../src/serve/web/app.ts";
import { describeInBrowser, shoot, tabTo, WIDTHS } from "./support/browser.ts";
import { FollowedSites } from "./support/followed-site.ts";
import { TestLibrary } from "./support/library.ts";
import { checkEach, publishMixed } from "./support/mixed-sites.ts";
import { followSampleSites } from "./support/sample-sites.ts";
import { TestService } from "./support/web.ts";

describeInBrowser("in a browser", (launched) => {
  let browser: Browser;
  beforeAll(() => {
    browser = launched();
  });

  test("a feed shows its own letters, from a host that names no charset", async () => {
    await using server = await SiteServer.start();
    const site = server.site("127.0.0.1");
    const feed = { ...everything, title: "Hecke – „Moos“, 雨の日" };
    site.answer("/all.atom", {
      headers: { "content-type": "application/atom+xml" },
      body: atomFeed(feed),
    });
    const page = await browser.newPage();
    await page.goto(site.urlOf("/all.atom"));
    expect(await page.locator("body").textContent()).toContain(feed.title);
    await page.close();
  });

  describe.each(sample(Object.entries(WIDTHS), 1))("on a %s", (_, width) => {
    let sites: FollowedSites;
    let service: TestService;
    let listening: Listening;
    let page: Page;

    beforeAll(async () => {
      sites = await FollowedSites.start();
      service = new TestService(sites.harvester);
      listening = await listen(service.app, { host: "127.0.0.1", port: 0 });
    });
    afterAll(async () => {
      await listening.close();
      await sites[Symbol.asyncDispose]();
    });
    beforeEach(async () => {
      await sites.reset();
      page = await browser.newPage({
        viewport: { width, height: 800 },
        javaScriptEnabled: false,
      });
      return () => page.close();
    });

    /** Gives an address to the first page, as somebody without a mouse does. */
    async function followByKeyboard(address: string): Promise<void> {
      await page.goto(listening.url);
      await tabTo(page, "#address");
      await page.keyboard.type(address);
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/sources\/\d+/);
    }

    /** What the worker does meanwhile. */
    async function checkAll(): Promise<void> {
      const sources = await sites.harvester.database.selectFrom("source").select("id").execute();
      for (const { id } of sources) await sites.check(id);
    }

    test("a site is followed by keyboard alone, and its feed is there", async () => {
      const site = sites.site("moss.test");
      sites.publish(site, {
        ".well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
        "capabilitylist.xml": capabilityList({ changelist: "changelist.xml" }),
        "changelist.xml": changeList([
          changed("created cushions/ 2026-09-30T12:00:00Z", { "dcterms:title": "Cushion mosses" }),
        ]),
      });
      await followByKeyboard(site.url);
      expect(await page.getByRole("status").textContent()).toContain("Is being checked");
      await checkAll();
      // The page looks again by itself.
      await page.getByRole("heading", { name: "What changed lately" }).waitFor();
      expect(await page.locator("main").textContent()).toContain("Cushion mosses");
      await tabTo(page, "a.feed");
      const feed = await page.locator("a.feed").first().getAttribute("href");
      const answer = await page.request.get(new URL(feed ?? "", listening.url).href);
      expect(answer.headers()["content-type"]).toBe("application/atom+xml; charset=utf-8");
      expect(await answer.text()).toContain("New: Cushion mosses");
      expect(service.problems).toEqual([]);
    });

    test("a site that tells nothing is explained, and unfollowed by keyboard alone", async () => {
      const site = sites.site("quiet.test");
      site.answer("/", { body: "<!doctype html><title>Quiet</title>" });
      await followByKeyboard(site.url);
      await checkAll();
      await page.getByText("Publishes neither change log nor sitemap nor feed").waitFor();
      await tabTo(page, "summary");
      await page.keyboard.press("Enter");
      expect(await page.locator("main").textContent()).toContain(
        "publishes no ResourceSync documents",
      );
      await tabTo(page, 'a[href$="/unfollow"]');
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/unfollow$/);
      await tabTo(page, "button.danger");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/sources\?done=unfollowed/);
      expect(await page.getByRole("status").textContent()).toContain("followed no more");
    });

    test("what is no address is explained beside the field", async () => {
      await page.goto(listening.url);
      await tabTo(page, "#address");
      await page.keyboard.type("moss");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").waitFor();
      expect(await page.getByRole("alert").textContent()).toContain("is no address of a site");
      const field = page.getByRole("textbox");
      expect(await field.inputValue()).toBe("moss");
      expect(await field.evaluate((element) => element.matches(":focus"))).toBe(true);
    });

    test("a list is imported, and a source of it found, paused and looked into by keyboard alone", async () => {
      const site = sites.site("moss.test");
      site.answer("/", { body: "<!doctype html><title>Moss</title>" });
      await page.goto(`${listening.url}sources`);
      await tabTo(page, 'a[href$="/import"]');
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/import$/);
      await tabTo(page, "#list");
      await page.keyboard.type(`${site.url}\nhttp://ferns.test/\n`);
      await tabTo(page, "form.follow button");
      await page.keyboard.press("Enter");
      expect(await page.getByRole("status").textContent()).toContain("2 sites are followed now");
      await checkAll();
      await page.goto(`${listening.url}sources`);
      await tabTo(page, "#filter");
      await page.keyboard.type("moss");
      await tabTo(page, ".filter button");
      await page.keyboard.press("Enter");
      await page.waitForURL(/name=moss/);
      await tabTo(page, '.states a[href*="has-nothing"]');
      await page.keyboard.press("Enter");
      await page.waitForURL(/state=has-nothing&name=moss/);
      expect(await page.getByRole("article").count()).toBe(1);
      await tabTo(page, "article a");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/sources\/\d+$/);
      await tabTo(page, ".checks summary");
      await page.keyboard.press("Enter");
      expect(await page.getByRole("table").textContent()).toContain("No change log");
      await tabTo(page, 'form[action$="/pause"] button');
      await page.keyboard.press("Enter");
      await page.locator(".mark.paused").waitFor();
    });

    test("the first press of Tab offers a way past the navigation", async () => {
      await page.goto(listening.url);
      await page.keyboard.press("Tab");
      const skip = page.getByRole("link", { name: "Skip to the content" });
      expect(await skip.boundingBox()).toMatchObject({ x: expect.toSatisfy((x) => x >= 0) });
      await page.keyboard.press("Enter");
      expect(await page.locator("main:focus").count()).toBe(1);
    });
  });

  test("whatever Tab comes to is seen to have the focus", async () => {
    await using library = await TestLibrary.start();
    const ids = await followSampleSites(library);
    const { app } = new TestService(library);
    const listening = await listen(app, { host: "127.0.0.1", port: 0 });
    const page = await browser.newPage({ javaScriptEnabled: true });
    const outline = `document.activeElement === document.body
      ? "none left" : getComputedStyle(document.activeElement).outlineStyle`;
    for (const path of ["", "sources", "import", `sources/${ids.shrine}`]) {
      await page.goto(listening.url + path);
      const found = new Set<unknown>();
      for (let at = 0; at < 20 && !found.has("none left"); at += 1) {
        await page.keyboard.press("Tab");
        found.add(await page.evaluate(outline));
      }
      expect([path, found.has("solid"), found.has("none")]).toEqual([path, true, false]);
    }
    await page.close();
    await listening.close();
  });

  test("on a phone a source's state stands beside its name, however long that is", async () => {
    await using library = await TestLibrary.start();
    const url = "https://a-rather-long-name-of-a-garden.of.mosses.and.ferns.example/";
    await library.fail(await library.follow(url), new MissingError(url));
    const listening = await listen(new TestService(library).app, { host: "127.0.0.1", port: 0 });
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    await page.goto(`${listening.url}sources`);
    const [name, state] = [page.locator("article h2"), page.locator("article .mark")];
    const [beside, mark] = [await name.boundingBox(), await state.boundingBox()];
    expect(mark?.y).toBeLessThan((beside?.y ?? 0) + 10);
    expect(mark?.height).toBeLessThan(35);
    await shoot(page, "long-name-phone");
    await page.close();
    await listening.close();
  });

  test("a list of all kinds of sites fits its window, and half of it is watched with one button", async () => {
    await using sites = await FollowedSites.start();
    const listening = await listen(new TestService(sites.harvester).app, {
      host: "127.0.0.1",
      port: 0,
    });
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.goto(`${listening.url}import`);
    await page.locator("#list").fill(publishMixed(sites));
    await page.getByRole("button", { name: "Follow them all" }).click();
    await checkEach(sites);
    sites.publish(sites.site("log0.test"), { "/.well-known/resourcesync": { status: 500 } });
    sites.harvester.time += 86_400;
    await checkEach(sites);
    await page.goto(`${listening.url}sources`);
    for (const [width, colorScheme] of [
      [390, "light"],
      [390, "dark"],
      [1280, "light"],
      [1280, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await shoot(page, `kinds-${width}-${colorScheme}`);
    }
    await page.getByRole("button", { name: "Follow these 12 by their sitemaps" }).click();
    expect(await page.getByRole("status").textContent()).toContain("12 sites are followed");
    await page.close();
    await listening.close();
  });

  test("every page fits its window, by day and by night", async () => {
    await using library = await TestLibrary.start();
    const ids = await followSampleSites(library);
    const { app } = new TestService(library);
    const guarded = new TestService(library, {
      access: { kind: "token", token: "a token that nobody guesses" },
    });
    const listening = await listen(app, { host: "127.0.0.1", port: 0 });
    const other = await listen(guarded.app, { host: "127.0.0.1", port: 0 });
    const paths = {
      home: "",
      sources: "sources",
      source: `sources/${ids.shrine}`,
      several: `sources/${ids.pictures}`,
      trouble: `sources/${ids.broken}`,
      silent: `sources/${ids.quiet}`,
      unread: `sources/${ids.dead}`,
      waiting: `sources/${ids.waiting}`,
      unfollow: `sources/${ids.shrine}/unfollow`,
      paused: "sources?state=paused",
      import: "import",
      blocked: "blocked",
      about: "about",
      missing: "nowhere",
    };
    const urls = [
      ...Object.entries(paths).map(([name, path]) => [name, listening.url + path] as const),
      ["guarded", other.url] as const,
      ["sign-in", `${other.url}sign-in`] as const,
    ];
    const windows = [
      ["phone", "light"],
      ["phone", "dark"],
      ["desk", "dark"],
      ["desk", "light"],
    ] as const;
    for (const [device, colorScheme] of sample(windows, 1)) {
      const viewport = { width: WIDTHS[device], height: 800 };
      const page = await browser.newPage({ viewport, colorScheme });
      for (const [name, url] of urls) {
        await page.goto(url);
        await page.evaluate(
          "for (const one of document.querySelectorAll('details')) one.open = true",
        );
        await shoot(page, `${name}-${device}-${colorScheme}`);
      }
      await page.close();
    }
    await listening.close();
    await other.close();
  });
});
