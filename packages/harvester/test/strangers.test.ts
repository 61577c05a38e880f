import { atomFeed } from "@rs-emit/feeds";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { feedDocument } from "../src/store/pages/feed-documents.ts";
import { BEGIN, DAY, type PageEvent, pageEvents, randomFrom } from "./log-model/pages.ts";
import { FollowedSites } from "./support/followed-site.ts";
import { describeStores } from "./support/stores.ts";
import { STRANGERS } from "./support/strangers.ts";

const DAYS = { before: 2, followed: 10 };
const CHECKS = DAYS.followed * 2;

/** Of each check: of what time the lists are that an edge serves, and those that name them; or what is wrong. */
const TROUBLES: Readonly<Record<number, Trouble>> = {
  5: { lists: -DAY },
  6: { names: -DAY },
  11: { status: 503 },
  12: { status: 503 },
  15: { cut: 300 },
};

interface Trouble {
  readonly lists?: number;
  readonly names?: number;
  readonly status?: number;
  readonly cut?: number;
}

/** What happens in these days, by the clock of the tests. */
function changesSince(start: number): PageEvent[] {
  const days = DAYS.before + DAYS.followed;
  const shift = start - DAYS.before * DAY - BEGIN;
  return pageEvents(randomFrom(5), { days, pages: 12, perDay: 5 }).map((change) => ({
    ...change,
    published: change.published + shift,
    datetime: change.datetime + shift,
  }));
}

let sites: FollowedSites;

/** Entries of the feed of everything as a reader gets them, by id. */
async function readFeed(): Promise<ReadonlyMap<string, string>> {
  const places = { document: () => undefined, everything: { id: "tag:all", page: undefined } };
  const feed = await feedDocument(sites.harvester.database, { feed: "all" }, places);
  const entries = feed === undefined ? [] : atomFeed(feed).matchAll(/<entry.*?<\/entry>/gs);
  return new Map([...entries].map(([text]) => [/<id>(.*?)<.id>/.exec(text)?.[1] ?? "", text]));
}

describeStores("sources that other programs make, on $name", () => {
  beforeAll(async () => {
    sites = await FollowedSites.start();
  });
  afterAll(() => sites[Symbol.asyncDispose]());
  beforeEach(() => sites.reset());

  test.each(STRANGERS)(
    "$name: in ten days each change is told once, whatever is stale, cut or away, and no entry of the feed changes",
    proves("I51", "I52", "I53"),
    async (stranger) => {
      const { harvester } = sites;
      const site = sites.site("stranger.test");
      const start = harvester.time;
      const changes = changesSince(start);
      const at = (time: number) =>
        stranger.publish(
          changes.filter(({ published }) => published <= time),
          time,
        );
      let trouble: Trouble = {};
      const isList = (text: string) => /change="/.test(text);
      site.answer("*", ({ path }) => {
        const { lists = 0, names = 0, status, cut } = trouble;
        const body = at(harvester.time)[path];
        if (status !== undefined || body === undefined) return { status: status ?? 404 };
        if (!isList(body)) return at(harvester.time + names)[path] ?? { status: 404 };
        const served = at(harvester.time + lists)[path] ?? { status: 404 };
        return cut === undefined || typeof served !== "string" ? served : { body: served, cut };
      });
      const happened = (until: number) =>
        changes.flatMap((change) => {
          const instant = stranger.instantOf(change);
          if (instant === undefined || change.published > until) return [];
          return `${site.urlOf(stranger.pathOf(change.page))} ${change.kind} ${instant}`;
        });
      const source = await sites.follow(site.url);
      const read = new Map<string, string>();
      for (let check = 0; check < CHECKS + 3; check += 1) {
        harvester.time = start + check * (DAY / 2) + 1000;
        trouble = TROUBLES[check] ?? {};
        const { problem } = await sites.check(source);
        if (TROUBLES[check] === undefined) expect(problem).toBe(null);
        if (trouble.status !== undefined) expect(problem).not.toBe(null);
        const reported = await harvester.reportedChanges();
        expect(happened(harvester.time)).toEqual(expect.arrayContaining(reported));
        for (const [id, text] of await readFeed()) {
          expect(text).toBe(read.get(id) ?? text);
          read.set(id, text);
        }
      }
      expect((await harvester.reportedChanges()).sort()).toEqual(happened(harvester.time).sort());
      // No document says what its collection is: that is the site, below which its pages are named.
      const names = [...read.values()].map((text) => /<title>(.*) \(/.exec(text)?.[1] ?? site.host);
      expect(names.filter((name) => name.includes(site.host))).toEqual([]);
    },
  );
});
