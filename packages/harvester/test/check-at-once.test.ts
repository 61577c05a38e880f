import { extract } from "@rs-emit/feeds";
import fc from "fast-check";
import type { ControlledTransaction } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  capabilityList,
  changeList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import { checkNow } from "../src/check/check.ts";
import { addEntries } from "../src/store/check/entry.ts";
import { horizonOf } from "../src/store/committed-entries.ts";
import { isSqlite } from "../src/store/dialects.ts";
import { follow, unfollow } from "../src/store/following/following.ts";
import { block, unblock } from "../src/store/host.ts";
import { rowsIn } from "../src/store/pages/entries.ts";
import type { Schema } from "../src/store/schema.ts";
import { sweep } from "../src/store/sweep.ts";
import { FollowedSites } from "./support/followed-site.ts";
import { describeStores, type TestStore } from "./support/stores.ts";

const WELL = "/.well-known/resourcesync";
const CAPABILITIES = "/capabilitylist.xml";
const LIST = "/changelist.xml";

/** What many do to one database at the same moment; only a server lets them really do so. */
describeStores("at the same moment, on $name", ({ open }) => {
  let opened: TestStore;
  let sites: FollowedSites;

  beforeAll(async () => {
    opened = await open();
    sites = await FollowedSites.start(opened.store);
  });
  afterAll(async () => {
    await sites?.[Symbol.asyncDispose]();
    await opened?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await sites.reset();
  });

  const many = Array.from({ length: 8 }, (_, at) => at);

  /** A site with so many changes. */
  function publish(host: string, count: number) {
    const site = sites.site(host);
    const changes = Array.from(
      { length: count },
      (_, at) => `created p${at}/ 2026-09-30T12:00:00Z`,
    );
    sites.publish(site, {
      [WELL]: sourceDescription([CAPABILITIES]),
      [CAPABILITIES]: capabilityList({ changelist: LIST }),
      [LIST]: changeList(changes),
    });
    return site;
  }

  test("a site is followed by many: it is one source", async () => {
    const { database, time } = sites.harvester;
    const followed = await Promise.all(many.map(() => follow(database, "example.test", time)));
    expect(new Set(followed.map(({ id }) => id)).size).toBe(1);
  });

  test("a source is checked by many: one asks at a time, and each change is told once", async () => {
    const id = await sites.follow(publish("example.test", 50).url);
    const results = await Promise.all(many.map(() => checkNow(sites.harvester, id)));
    const kinds = new Set(results.map(({ kind }) => kind));
    // Who comes when another one has just ended may ask again.
    expect([...kinds].sort()).toEqual(["checked", "postponed"]);
    expect(await sites.harvester.reportedChanges()).toHaveLength(50);
  });

  test("two sources turn out to be one: the other ends; those on other hosts stay their own", async () => {
    const site = publish("example.test", 3);
    const ids: number[] = [];
    for (const host of ["example.test", "www.example.test", ...many.map((at) => `${at}.test`)]) {
      const other = sites.site(host);
      sites.publish(other, {
        "/a/": `<link rel="resourcesync" href="${site.urlOf(CAPABILITIES)}">`,
      });
      ids.push(await sites.follow(other.urlOf("a/")));
    }
    const results = await Promise.all(ids.map((id) => checkNow(sites.harvester, id)));
    const [one, other, ...others] = results.map(({ kind }) => kind);
    expect([one, other].sort()).toEqual(["checked", "merged"]);
    expect(others).toEqual(many.map(() => "checked"));
    expect(new Set(await sites.harvester.reportedChanges()).size).toBe(3);
  });

  test("many sources have news: the feed of everything has them all", async () => {
    const ids: number[] = [];
    for (const at of many) ids.push(await sites.follow(publish(`${at}.test`, 20).url));
    await Promise.all(ids.map((id) => checkNow(sites.harvester, id)));
    const { database } = sites.harvester;
    const range = { first: 1, last: await horizonOf(database), most: 100 };
    expect(await rowsIn(database, "all", range)).toHaveLength(many.length);
  });

  test("what the feed of everything has shown is never followed by what comes before it, whoever commits when", async () => {
    const { database } = sites.harvester;
    await checkNow(sites.harvester, await sites.follow(publish("example.test", 1).url));
    const [row] = await database.selectFrom("collection").select("id").execute();
    const time = sites.harvester.time;
    const created = { kind: "created", datetime: time, isMinor: false } as const;
    const changes = [{ ...created, url: "https://example.test/new/", event: "new" }];
    const own = extract(changes);
    const reported = { time, note: undefined, changes, own, combined: own };
    const entry = { ...reported, collectionId: row?.id ?? 0 };
    const ids = async () => {
      const range = { first: 1, last: await horizonOf(database), most: 1_000 };
      return (await rowsIn(database, "all", range)).map(({ id }) => id).toReversed();
    };
    let shown = await ids();
    let written = 0;
    const turn = fc.record({ writer: fc.nat(isSqlite(database) ? 0 : 3), ends: fc.boolean() });
    const write = async (turns: readonly { readonly writer: number; readonly ends: boolean }[]) => {
      const writers = new Map<number, ControlledTransaction<Schema>>();
      for (const { writer, ends } of [
        ...turns,
        ...many.map((writer) => ({ writer, ends: true })),
      ]) {
        const open = writers.get(writer);
        if (open === undefined && writer > 3) continue;
        const transaction = open ?? (await database.startTransaction().execute());
        writers.set(writer, transaction);
        written += 1;
        const name = String(written);
        if (!ends) await addEntries(transaction, [{ ...entry, name }], sites.harvester.time);
        else {
          await (written % 3 === 0 ? transaction.rollback() : transaction.commit()).execute();
          writers.delete(writer);
        }
        // SQLite has one connection here, which the transaction has.
        if (isSqlite(database) && writers.size > 0) continue;
        const now = await ids();
        expect(now.slice(0, shown.length)).toEqual(shown);
        shown = now;
      }
      const all = await database.selectFrom("entry").select("id").orderBy("id").execute();
      expect(shown).toEqual(all.map(({ id }) => id));
    };
    await fc.assert(fc.asyncProperty(fc.array(turn, { maxLength: 20 }), write), { numRuns: 20 });
  });

  test("sources are checked, blocked, unblocked and unfollowed: nobody fails, and nothing is left behind", async () => {
    const { database } = sites.harvester;
    for (let round = 1; round <= 5; round += 1) {
      const ids: number[] = [];
      for (const at of many) ids.push(await sites.follow(publish(`${at}.test`, 10 * round).url));
      const results = await Promise.all([
        ...ids.map((id) => checkNow(sites.harvester, id)),
        ...many.slice(2, 6).map((at) => block(database, `${at}.test`)),
        ...ids.slice(0, 4).map((id) => unfollow(database, id)),
      ]);
      const failures = results.flatMap((result) =>
        result?.kind === "failed" ? result.error.code : [],
      );
      expect(failures.filter((code) => code !== "LOST_LEASE" && code !== "BLOCKED")).toEqual([]);
      expect(await sites.harvester.reportedChanges()).not.toEqual([]);
      for (const at of many) await unblock(database, `${at}.test`, sites.harvester.time);
      sites.harvester.time += 1000;
    }
    for (const { id } of await database.selectFrom("source").select("id").execute()) {
      await unfollow(database, id);
    }
    while (await sweep(database));
    const tables = ["collection", "document", "seen", "entry", "change", "feed_entry"] as const;
    for (const table of tables) {
      expect(await database.selectFrom(table).selectAll().execute(), table).toEqual([]);
    }
    const feeds = await database.selectFrom("feed").select("key").execute();
    expect(feeds).toEqual([]);
  });
});
