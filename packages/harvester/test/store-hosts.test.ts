import { type KyselyPlugin, sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { MemorySite } from "../../reader/test/support/memory-site.ts";
import { isSqlite } from "../src/store/dialects.ts";
import { follow, unfollow } from "../src/store/following/following.ts";
import { block, noteRetryAfter, refreshDue, sweepHosts } from "../src/store/host.ts";
import { releaseHost, takeHost, takeHostOfCrashed } from "../src/store/host-leases.ts";
import { sweep } from "../src/store/sweep.ts";
import { TestHarvester } from "./support/harvest.ts";
import { describeStores, type TestStore } from "./support/stores.ts";

describeStores("hosts, on $name,", ({ open }) => {
  let opened: TestStore;
  let harvester: TestHarvester;
  beforeAll(async () => {
    opened = await open();
    harvester = new TestHarvester(opened.store, new MemorySite());
  });
  afterAll(() => opened?.[Symbol.asyncDispose]());
  beforeEach(() => harvester.forgetAll());

  const followed = async (address: string) =>
    (await follow(harvester.database, address, harvester.time)).id;

  async function sweepAll(): Promise<string[]> {
    while (await sweep(harvester.database));
    const rows = await harvester.database.selectFrom("host").select("name").execute();
    return rows.map(({ name }) => name).sort();
  }

  test("of a source that crashed a check are due again, though its worker is killed before it gives them back", async () => {
    const { database, time } = harvester;
    const source = await followed("https://a.test/");
    const crashed = { unfinished_checks: 1, next_check: time };
    await database.updateTable("source").set(crashed).where("id", "=", source).execute();
    await database.updateTable("host").set({ due_at: null }).execute();
    expect(await takeHostOfCrashed(database, "token", time)).toBe("a.test");
    const hosts = await database.selectFrom("host").select("due_at").execute();
    expect(hosts).toEqual([{ due_at: time }]);
  });

  test("are deleted with the last of their sources", async () => {
    const { database } = harvester;
    const [one, other] = [await followed("https://a.test/1"), await followed("https://a.test/2")];
    await followed("https://b.test/");
    await unfollow(database, one);
    expect(await sweepAll()).toEqual(["a.test", "b.test"]);
    await unfollow(database, other);
    expect(await sweepAll()).toEqual(["b.test"]);
    await followed("https://a.test/1");
    expect(await sweepAll()).toEqual(["a.test", "b.test"]);
  });

  test("without sources stay while they are blocked, are asked, or want to be left alone", async () => {
    const { database, time } = harvester;
    const soon = Date.now() / 1000 + 3600;
    await noteRetryAfter(
      database,
      new Map([
        ["pause.test", soon],
        ["past.test", time - 1],
      ]),
    );
    await noteRetryAfter(database, new Map([["wrong-clock.test", soon + 365 * 86_400]]));
    await block(database, "blocked.test");
    await takeHost(database, "asked.test", "token", time);
    expect(await sweepAll()).toEqual(["asked.test", "blocked.test", "pause.test"]);
  });

  test("are kept that another transaction follows at this moment", async ({ skip }) => {
    const { database } = harvester;
    skip(isSqlite(database), "SQLite has one writer at a time");
    await unfollow(database, await followed("https://a.test/1"));
    await database.deleteFrom("source").execute();
    const insertions = new WeakSet<object>();
    const sweeping: KyselyPlugin = {
      transformQuery: ({ node, queryId }) => {
        if (JSON.stringify(node).includes("SET is_new = host.is_new")) insertions.add(queryId);
        return node;
      },
      transformResult: async ({ result, queryId }) => {
        if (insertions.has(queryId)) swept.push(await sweepHosts(opened.store.database, 10));
        return result;
      },
    };
    const swept: number[] = [];
    await follow(database.withPlugin(sweeping), "https://a.test/2", harvester.time);
    expect(swept).toEqual([0]);
    const hosts = await database.selectFrom("host").select(["name", "due_at"]).execute();
    expect(hosts).toEqual([{ name: "a.test", due_at: harvester.time }]);
  });

  test("are due as another transaction says that ends while they are released", async ({
    skip,
  }) => {
    const { database, time } = harvester;
    skip(isSqlite(database), "SQLite has one writer at a time");
    await followed("https://a.test/1");
    await takeHost(database, "a.test", "token", time);
    await database
      .updateTable("source")
      .set({ next_check: time + 3600 })
      .execute();
    let releasing: Promise<void> | undefined;
    await database.transaction().execute(async (other) => {
      await other.updateTable("source").set({ next_check: time }).execute();
      await refreshDue(other, ["a.test"]);
      releasing = releaseHost(database, "a.test", "token");
      const waiting = sql`SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await vi.waitFor(async () => {
        expect((await waiting.execute(database)).rows).toHaveLength(1);
      });
    });
    await releasing;
    const host = await database.selectFrom("host").select(["lease", "due_at"]).execute();
    expect(host).toEqual([{ lease: null, due_at: time }]);
  });
});
