import { afterAll, beforeAll, expect, test } from "vitest";
import {
  capabilityList,
  changeList,
  changeListIndex,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import { MemorySite } from "../../reader/test/support/memory-site.ts";
import { checkNow } from "../src/check/check.ts";
import { isSqlite } from "../src/store/dialects.ts";
import { pollSitemap } from "../src/store/following/choose-polling.ts";
import { follow } from "../src/store/following/following.ts";
import { TestHarvester } from "./support/harvest.ts";
import { sitemap } from "./support/sitemaps.ts";
import { describeStores, type TestStore } from "./support/stores.ts";

const SITE = "https://costly.test/";
/** Of 49,000 changes, what is not linear costs the square just as well; it takes minutes then. */
const SIZE = 8_000;

/** A check may cost this many times as much as one of as many changes that are all new. */
const MOST = 3;

/** Statements that are not linear in what is read cost the square where most of it is replaced: here ten times and more. */
describeStores("on $name, a check costs as much as what it reads", (database) => {
  let opened: TestStore;
  let harvester: TestHarvester;

  beforeAll(async () => {
    opened = await database.open();
    harvester = new TestHarvester(opened.store, new MemorySite(SITE));
  });
  afterAll(() => opened?.[Symbol.asyncDispose]());

  /** Milliseconds: of this process with SQLite, which is a part of it; else of the clock. */
  async function cost(work: () => Promise<unknown>): Promise<number> {
    const [cpu, time] = [process.cpuUsage(), performance.now()];
    await work();
    const { user, system } = process.cpuUsage(cpu);
    return isSqlite(harvester.database) ? (user + system) / 1000 : performance.now() - time;
  }

  /** What checks of one source cost, each after its site was changed. */
  async function costs(
    sites: readonly Readonly<Record<string, string>>[],
    pollSitemaps: boolean,
  ): Promise<number[]> {
    await harvester.forgetAll();
    const { id } = await follow(harvester.database, SITE, harvester.time);
    if (pollSitemaps) await pollSitemap(harvester.database, id, harvester.time);
    const all: number[] = [];
    for (const documents of sites) {
      harvester.transport = new MemorySite(SITE).put(documents);
      harvester.time += 86_400;
      all.push(
        await cost(async () => {
          const result = await checkNow(harvester, id);
          expect(result).toMatchObject({ kind: "checked" });
        }),
      );
    }
    return all;
  }

  test.for(CASES)(
    "$name",
    { retry: 2 },
    async ({ first, second, pollSitemaps = false, most = MOST }) => {
      const [asNew = 0, after = 0] = await costs([first(), second()], pollSitemaps);
      expect(after).toBeLessThan(asNew * most);
    },
  );
});

/** Lists, each of which states as many changes. */
const MANY = 40;

interface Case {
  readonly name: string;
  readonly pollSitemaps?: true;
  readonly most?: number;
  readonly first: () => Record<string, string>;
  readonly second: () => Record<string, string>;
}

const CASES: readonly Case[] = [
  {
    name: "all changes are replaced",
    first: () => site([log("a", [changes(0, SIZE)])]),
    second: () => site([log("a", [changes(SIZE, SIZE)])]),
  },
  {
    name: "all lists are replaced",
    first: () => site([log("a", parts(0))]),
    second: () => site([log("b", parts(SIZE))]),
  },
  {
    name: "all lists state the same",
    first: () => site([log("a", parts(0))]),
    second: () =>
      site([
        log(
          "b",
          Array.from({ length: MANY }, () => changes(0, SIZE / MANY)),
        ),
      ]),
  },
  {
    name: "other collections state the same",
    first: () => site(collections("a")),
    second: () => site(collections("b")),
  },
  {
    name: "all pages of its sitemaps are others",
    pollSitemaps: true,
    // The pages of a first reading are compared with none, and not told.
    most: 10,
    first: () => sitemaps("a"),
    second: () => sitemaps("b"),
  },
];

/** Changes of pages, each an update of its own. */
function changes(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const time = new Date(Date.UTC(2026, 8, 20) + (first + at) * 10_000).toISOString();
    return `updated ${SITE}p${at}/ ${time.slice(0, 19)}Z`;
  });
}

function parts(first: number): string[][] {
  const count = SIZE / MANY;
  return Array.from({ length: MANY }, (_, at) => changes(first + at * count, count));
}

function collections(name: string) {
  return Array.from({ length: MANY }, (_, at) => log(`${name}${at}`, [changes(0, SIZE / MANY)]));
}

/** The documents of a collection in a folder of its name. */
function log(name: string, lists: readonly string[][]): Record<string, string> {
  const names = lists.map((_, at) => `list-${at}.xml`);
  const links = [["describes", `${SITE}${name}`]] as const;
  return {
    [`${name}/capabilitylist.xml`]: capabilityList({ changelist: "changelist.xml" }, links),
    [`${name}/changelist.xml`]: changeListIndex(names),
    ...Object.fromEntries(lists.map((list, at) => [`${name}/${names[at]}`, changeList(list)])),
  };
}

/** A site of such collections. */
function site(logs: readonly Record<string, string>[]): Record<string, string> {
  const documents: Record<string, string> = Object.assign({}, ...logs);
  const lists = Object.keys(documents).filter((path) => path.endsWith("capabilitylist.xml"));
  return {
    ...documents,
    ".well-known/resourcesync": sourceDescription(lists.map((path) => `/${path}`)),
  };
}

function sitemaps(name: string): Record<string, string> {
  const pages = Array.from({ length: SIZE }, (_, at) => `${name}${at}/`);
  return { "sitemap.xml": sitemap(pages, SITE) };
}
