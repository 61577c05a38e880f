import type { Transport } from "@rs-emit/reader";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  capabilityList,
  changeList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import { MemorySite } from "../../reader/test/support/memory-site.ts";
import { checkAll } from "../src/cli/check-all.ts";
import { TestHarvester } from "./support/harvest.ts";

/** More than one check reads. */
const COLLECTIONS = 501;

let site: MemorySite;
let harvester: TestHarvester;

/** Its clock stands still, as with `--now`. */
beforeAll(async () => {
  harvester = await TestHarvester.start(new MemorySite());
});
afterAll(() => harvester?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await harvester.forgetAll();
  site = new MemorySite();
  harvester.transport = site;
});

function publish(base: string, collections: number): void {
  const names = Array.from({ length: collections }, (_, at) => `${base}${at}/`);
  site.put({
    [`${base}.well-known/resourcesync`]: sourceDescription(names.map((name) => `${name}list.xml`)),
  });
  for (const name of names) {
    site.put({
      [`${name}list.xml`]: capabilityList({ changelist: "changes.xml" }),
      [`${name}changes.xml`]: changeList([`created ${name}a 2026-09-30T00:00:00Z`]),
    });
  }
}

/** Checks the large site, and a small one after it. */
async function checkBoth(transport: Transport = site) {
  publish("https://example.org/large/", COLLECTIONS);
  publish("https://example.org/small/", 1);
  harvester.transport = transport;
  const events: string[] = [];
  const outcomes = await checkAll(
    harvester,
    ["https://example.org/large/", "https://example.org/small/"],
    {},
    {
      advance: () => events.push("checked"),
      beforeLong: async (sources) => void events.push(`feeds of ${sources.length}`),
    },
  );
  return { events, reported: outcomes.map(({ reported }) => reported) };
}

test("sites of one host are read one after another, with a pause between two", async () => {
  const names = ["a/", "b/", "c/"].map((name) => `https://example.org/${name}`);
  for (const name of names) publish(name, 2);
  const done: string[] = [];
  harvester.wait = async (milliseconds) => void done.push(`${milliseconds} ms`);
  harvester.transport = {
    get: (url, validators) => {
      done.push(/[a-c]\//.exec(url)?.[0] ?? "");
      return site.get(url, validators);
    },
  };
  await checkAll(harvester, names, {}, { advance: () => {}, beforeLong: async () => {} });
  harvester.wait = async () => {};
  const changes = done.filter((one, at) => one !== "" && one !== done[at - 1]);
  expect(changes).toEqual(["a/", "200 ms", "b/", "200 ms", "c/"]);
});

test("a site with more collections than a check reads is read whole, after the feeds of others", async () => {
  expect(await checkBoth()).toEqual({
    events: ["checked", "feeds of 1", "checked"],
    reported: [COLLECTIONS, 1],
  });
  expect(site.asked.length).toBeLessThan(10 * COLLECTIONS);
});

test("checks end that bring nothing, though the lists differ each time", async () => {
  let version = 0;
  const fickle = {
    get: (url: string) => {
      if (url.endsWith("/changes.xml")) {
        const name = url.replace("changes.xml", "a");
        version += 1;
        const text = changeList([`created ${name} 2026-09-30T00:00:00Z`]);
        site.put({ [url]: `${text}<!-- ${version} -->` });
      }
      return site.get(url);
    },
  };
  expect((await checkBoth(fickle)).reported).toEqual([COLLECTIONS, 1]);
  expect(site.asked.length).toBeLessThan(15 * COLLECTIONS);
});
