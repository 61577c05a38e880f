import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";

const CHROMIUM = "/usr/bin/chromium";

/** Nothing but this machine is asked for, and nothing is drawn by a graphics card that is not there. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-software-rasterizer",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/** Where screenshots go, for who wants to look at the pages. */
const SHOTS = process.env.RS_HARVEST_SHOTS;

/** Widths of windows in pixels. */
export const WIDTHS = { phone: 360, desk: 1280 } as const;

/** A suite that needs a browser, and is skipped where there is none. */
export function describeInBrowser(title: string, tests: (launched: () => Browser) => void): void {
  describe.skipIf(!existsSync(CHROMIUM))(`${title} (skipped without ${CHROMIUM})`, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
    });
    afterAll(() => browser?.close());
    tests(() => browser);
  });
}

/** Presses Tab until an element has the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press("Tab");
    if ((await page.locator(`${selector}:focus`).count()) > 0) return;
  }
  throw new Error(`the Tab key does not come to ${selector}`);
}

/** Takes a screenshot, where they are asked for, of a page that fits its window. */
export async function shoot(page: Page, name: string): Promise<void> {
  const wide = await page.evaluate("document.documentElement.scrollWidth");
  expect([name, wide]).toEqual([name, page.viewportSize()?.width]);
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
}
