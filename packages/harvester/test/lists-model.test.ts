import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkSource } from "../src/check/check.ts";
import { follow, watchLists } from "../src/store/following.ts";
import { TestHarvester } from "./support/harvest.ts";
import { MemorySite } from "./support/memory-site.ts";
import { sitemap } from "./support/sitemaps.ts";
import { describeStores, type TestStore } from "./support/stores.ts";

const DAY = 86_400;
const NAMES = "abcdefgh".split("");

/** A day of a site: which of its pages its list names, and whether the list can be read. */
const day = fc.record({
  listed: fc.subarray(NAMES),
  isBroken: fc.boolean(),
  hours: fc.integer({ min: 1, max: 40 }),
});

/** What must be told of lists without dates, by the rules of `lists/trust.ts`. */
class Model {
  readonly told: string[] = [];
  readonly #missing = new Map<string, number | undefined>();

  read(listed: readonly string[], now: number): void {
    const isFirst = this.#missing.size === 0 && this.told.length === 0;
    const known = this.#missing.size;
    for (const page of this.#missing.keys()) {
      const since = this.#missing.get(page) ?? now;
      this.#missing.set(page, listed.includes(page) ? undefined : since);
    }
    const missing = [...this.#missing.values()].filter((since) => since !== undefined).length;
    for (const page of listed) {
      if (this.#missing.has(page)) continue;
      this.#missing.set(page, undefined);
      if (!isFirst) this.told.push(`created ${page}`);
    }
    if (missing * 2 > known) return;
    for (const [page, since] of this.#missing) {
      if (since === undefined || since > now - DAY) continue;
      this.#missing.delete(page);
      this.told.push(`deleted ${page}`);
    }
  }
}

describeStores("random lists on $name", ({ open }) => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.[Symbol.asyncDispose]());

  test("what is told is what the model tells", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(day, { minLength: 2, maxLength: 8 }), async (days) => {
        const site = new MemorySite();
        const harvester = new TestHarvester(opened.store, site);
        await harvester.forgetAll();
        const { id } = await follow(harvester.database, "https://example.org/", harvester.time);
        await watchLists(harvester.database, id, harvester.time);
        const model = new Model();
        site.put({ "sitemap.xml": sitemap(NAMES, "https://example.org/") });
        await checkSource(harvester, id);
        model.read(NAMES, harvester.time);
        for (const { listed, isBroken, hours } of days) {
          harvester.time += hours * 3600;
          const text = sitemap(listed, "https://example.org/");
          site.put({ "sitemap.xml": isBroken ? text.slice(0, -5) : text });
          await checkSource(harvester, id);
          if (!isBroken && listed.length > 0) model.read(listed, harvester.time);
        }
        expect((await harvester.told()).flat().sort()).toEqual(model.told.toSorted());
      }),
      { numRuns: 30 },
    );
  }, 30_000);
});
