import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Catalogue, loadCatalogues } from "@rs-emit/feeds";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LatestLine } from "../src/insertions/latest-lines.ts";
import { changesList } from "../src/insertions/list-of-changes.ts";
import { TestSite } from "./support/site.ts";

const CHROMIUM = "/usr/bin/chromium";
/** Where screenshots go, for who wants to look at the page. */
const SHOTS = process.env.RS_EMIT_SHOTS;
const WIDTHS = { phone: 360, desk: 1280 } as const;

const STYLE =
  "body { font: 1rem/1.5 Georgia, serif; max-width: 40rem; margin: 0 auto; padding: 1rem }" +
  " .rs-emit-date { color: #666 } .rs-emit-dash { display: none } .rs-emit-words { display: block; font-style: italic }" +
  " .rs-emit-deleted .rs-emit-title { text-decoration: line-through }";

function html(title: string, rest: string): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="windows-1252"><title>${title}</title>` +
    `<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head>` +
    `<body><h1>${title}</h1><main>${rest}</main></body></html>`
  );
}

/** A site by hand, published three times; its first page has a list of changes. */
async function publishedSite(): Promise<TestSite> {
  const list =
    '<h2>What\u2019s new</h2><ul data-rs-emit="changes" data-limit="5"><li>None yet</ul>';
  const site = new TestSite({ title: "The Moss Shrine", link: true });
  site.write("index.html", html("The Moss Shrine", list.replace("\u2019", "&rsquo;")));
  site.write("old.html", html("A poem I no longer like", "Moss, o moss"));
  await site.publish("2026-10-05T12:00:00Z");
  site.write("shrine/moss & fern.html", html("Moss &amp; fern &ndash; &#33492;", "Both are green"));
  site.write(
    "links.html",
    html("Links to gardens, ponds and very small windows that I like", "Many"),
  );
  await site.publish("2026-10-20T12:00:00Z", { note: "The moss shrine has a new wing" });
  await site.remove("old.html").publish("2026-11-05T12:00:00Z");
  return site;
}

/** The site at its address: links lead from its root. */
async function openSite(page: Page, site: TestSite): Promise<void> {
  await page.route("https://example.org/**", async (route) => {
    const { pathname } = new URL(route.request().url());
    const file = decodeURIComponent(pathname).replace(/\/$/, "/index.html");
    await route.fulfill({ path: join(site.folder, file) });
  });
  await page.goto("https://example.org/");
}

describe.skipIf(!existsSync(CHROMIUM))(`in a browser (skipped without ${CHROMIUM})`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  });
  afterAll(() => browser?.close());

  test.each(Object.entries(WIDTHS))("a list of changes is read on a %s", async (name, width) => {
    const site = await publishedSite();
    const page = await browser.newPage({
      viewport: { width, height: 640 },
      javaScriptEnabled: false,
    });
    await openSite(page, site);
    if (SHOTS !== undefined) {
      mkdirSync(SHOTS, { recursive: true });
      await page.screenshot({ path: join(SHOTS, `changes-${name}.png`), fullPage: true });
    }
    const items = page.locator("ul > li");
    expect(await items.allInnerTexts()).toEqual([
      "2026-11-05 gone A poem I no longer like",
      "2026-10-20 new Links to gardens, ponds and very small windows that I like\nThe moss shrine has a new wing",
      "2026-10-20 new Moss & fern \u2013 \u82d4\nThe moss shrine has a new wing",
      "2026-09-01 new Home page",
    ]);
    // Nothing is wider than the screen.
    const { scrollWidth } = await page
      .locator("html")
      .evaluate(({ scrollWidth }) => ({ scrollWidth }));
    expect(scrollWidth).toBeLessThanOrEqual(width);
    for (const item of await items.all()) expect(await item.isVisible()).toBe(true);
    // A page that is gone has no link; the others lead to theirs.
    expect(await items.first().getByRole("link").count()).toBe(0);
    await page.getByRole("link", { name: "Moss & fern" }).click();
    expect(await page.title()).toBe("Moss & fern \u2013 \u82d4");
    await page.close();
  });

  const HOSTILE = [
    "&lt;img src=x onerror=alert(1)&gt; and words",
    "&lt;/li&gt;&lt;/ul&gt;&lt;script&gt;alert(1)&lt;/script&gt; and some more words here",
    "turned \u202e round \u2066 words",
    `${"x".repeat(100_000)} and words`,
    "&#xd800; half of a pair",
  ];

  test("hostile words of a page stay text in the list that quotes them", async () => {
    const site = new TestSite({ title: "Moss" });
    site.write("index.html", html("Moss", '<ul data-rs-emit="changes"></ul>'));
    for (const at of HOSTILE.keys()) site.write(`${at}.html`, html(`Page ${at}`, "<p>Old words"));
    await site.publish("2026-10-05T12:00:00Z");
    for (const [at, text] of HOSTILE.entries()) {
      const own = `<h2 id="javascript:alert(1)">Head line</h2><p>Old words<p>${text}`;
      site.write(`${at}.html`, html(`Page ${at}`, own.replace(/[\u0080-\uffff]/g, entity)));
    }
    await site.publish("2026-10-06T12:00:00Z");
    const page = await browser.newPage();
    const alarms: string[] = [];
    page.on("dialog", (dialog) => {
      alarms.push(dialog.message());
      return dialog.dismiss();
    });
    await openSite(page, site);
    const list = page.locator("ul");
    expect(await list.locator("script, img, ul").count()).toBe(0);
    expect(await list.locator("li").count()).toBe(HOSTILE.length + 1);
    const told = await list.locator(".rs-emit-new").allInnerTexts();
    // What cannot be decoded is not quoted, nor is what is too long for a word.
    expect(told).toHaveLength(HOSTILE.length - 2);
    expect(told[0]).toContain("<img src=x onerror=alert(1)> and words");
    for (const line of told) expect(line).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    for (const link of await list.locator("a").all()) {
      expect(await link.getAttribute("href")).toMatch(/^\/(?:\d\.html)?(?:#|$)/);
    }
    expect(alarms).toEqual([]);
    await page.close();
  });

  test("no line wraps on a phone where the English one does not", async () => {
    const catalogueOf = await loadCatalogues(LANGUAGES);
    const page = await browser.newPage({ viewport: { width: WIDTHS.phone, height: 640 } });
    const heightsIn = async (language: string) => {
      await page.setContent(html("Moss", linesIn(catalogueOf(language))));
      const items = await page.locator("li").all();
      const boxes = await Promise.all(items.map((item) => item.boundingBox()));
      return boxes.map((box) => box?.height ?? 0);
    };
    const english = await heightsIn("en");
    expect(english.some((height) => height < 2 * Math.min(...english))).toBe(true);
    for (const language of LANGUAGES) {
      const wraps = (await heightsIn(language)).map(
        (height, at) => height > (english[at] ?? 0) + 4,
      );
      expect([language, ...wraps]).toEqual([language, ...english.map(() => false)]);
    }
    await page.close();
  });

  test("a quote leads to its place on the page", async () => {
    const site = new TestSite({ title: "Moss" });
    const filling = Array.from({ length: 80 }, (_, at) => `<p>Line ${at}`).join("");
    const write = (rest: string) => site.write("long.html", html("Long", filling + rest));
    site.write("index.html", html("Moss", '<ul data-rs-emit="changes"></ul>'));
    write("");
    await site.publish("2026-10-05T12:00:00Z");
    write("<p>The <b>newest</b>, well-known & <a href=x>linked</a> words of it.");
    await site.publish("2026-10-06T12:00:00Z");
    const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
    await openSite(page, site);
    await page.locator(".rs-emit-new a").click();
    await page.waitForFunction("scrollY > 500");
    expect(await page.title()).toBe("Long");
    await page.close();
  });
});

const LANGUAGES = ["de", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "zh"];
const TITLES = ["Ami", "Moss & fern", "All of my links", "The wall of moss"];

/** A page of each kind and title, on a day whose date is long. */
function linesIn(words: Catalogue): string {
  const at = { datetime: Date.UTC(2026, 9, 25) / 1000, lastmod: 0 };
  const url = "https://example.org/";
  const lines = TITLES.flatMap((title, number): LatestLine[] => [
    [{ ...at, url: `${url}new${number}`, kind: "created", title }],
    [{ ...at, url: `${url}moved${number}`, kind: "created", moved: url, title }],
    [{ ...at, url: `${url}updated${number}`, kind: "updated", title }],
    [{ ...at, url: `${url}gone${number}`, kind: "deleted", title }],
  ]);
  const list = changesList(
    { url, placeOf: (page) => page, language: words.language, words },
    lines,
  );
  return `<ul>${list({ base: url, limit: 100, hasQuotes: true })}</ul>`;
}

function entity(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}
