import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rounds } from "../../../test/thorough.ts";
import { logDocuments } from "../../reader/test/support/log-site.ts";
import type { RecordedRequest } from "../../reader/test/support/scripted.ts";
import { SiteServer } from "../../reader/test/support/site-server.ts";
import { refreshDue } from "../src/store/host.ts";
import { openPostgres, type Store } from "../src/store/open-store.ts";
import { NO_SERVER, TestDatabase, WITHOUT_SERVER } from "./support/postgres.ts";
import { TcpProxy } from "./support/tcp-proxy.ts";
import { WorkerChild } from "./support/worker-child.ts";

const SITES = Number(process.env.RS_HARVEST_SITES ?? rounds(500, 1000));
const KILLS = Number(process.env.RS_HARVEST_KILLS ?? rounds(2, 5));
/** Milliseconds, on a machine that does much else, too. */
const LONGEST = 300_000 + KILLS * 20_000;
const DAY = 86_400;
/** Every check asks for it once. */
const LIST = "/capabilitylist.xml";
const START = Date.UTC(2026, 9, 1) / 1000;

describe.skipIf(NO_SERVER)(`two workers of one PostgreSQL database${WITHOUT_SERVER}`, () => {
  let time = START;
  let database: TestDatabase;
  let store: Store;
  let server: SiteServer;
  /** Requests that are being answered, by host. */
  const atOnce = new Map<string, number>();
  let most = 0;

  beforeAll(async () => {
    database = await TestDatabase.create();
    store = await openPostgres(database.url);
    server = await SiteServer.start(() => time);
    const sites = Array.from({ length: SITES }, (_, at) => server.site(`site-${at}.test`));
    for (const site of sites) site.answer("*", answer);
    await store.database
      .insertInto("source")
      .values(
        sites.map(({ host, url }) => ({
          address: url,
          host,
          followed_at: START,
          next_check: START,
        })),
      )
      .execute();
    await refreshDue(
      store.database,
      sites.map(({ host }) => host),
    );
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await store?.close();
    await database?.[Symbol.asyncDispose]();
  });

  /** Every site has one change more each day. */
  async function answer({ host, path }: RecordedRequest) {
    const already = atOnce.get(host) ?? 0;
    most = Math.max(most, already + 1);
    atOnce.set(host, already + 1);
    await pause(2);
    atOnce.set(host, (atOnce.get(host) ?? 1) - 1);
    const days = Math.floor((time - START) / DAY) + 1;
    const changes = Array.from({ length: days }, (_, day) => {
      const datetime = new Date((START + day * DAY - 60) * 1000).toISOString();
      return `updated a.html ${datetime}`;
    });
    const body = logDocuments({ "changes.xml": { changes } })[path.slice(1)];
    return body === undefined ? { status: 404 } : { body };
  }

  /** How many sources were checked since the clock stands where it does. */
  async function checked(): Promise<number> {
    const { count } = await store.database
      .selectFrom("source")
      .select(sql<number>`count(*)::integer`.as("count"))
      .where("last_success", ">=", time)
      .executeTakeFirstOrThrow();
    return count;
  }

  async function waitForAll(): Promise<void> {
    while ((await checked()) < SITES) await pause(50);
  }

  /** Waits until nothing more happens. */
  async function waitForCalm(): Promise<void> {
    for (let before = -1, now = await checked(); now > before; now = await checked()) {
      before = now;
      await pause(1500);
    }
  }

  /** How often each change of every site is told: all changes, by how often. */
  async function tellings(): Promise<Record<number, number>> {
    const { rows } = await sql<{ times: number; changes: number }>`
      SELECT times, count(*)::integer AS changes FROM (
        SELECT count(*)::integer AS times FROM change JOIN entry ON entry.id = entry_id GROUP BY collection_id, url, datetime
      ) AS each GROUP BY times`.execute(store.database);
    return Object.fromEntries(rows.map(({ times, changes }) => [times, changes]));
  }

  test("check each source once a round, and never ask a host twice at once", async () => {
    await using one = await WorkerChild.start(database.url, time);
    await using other = await WorkerChild.start(database.url, time);
    for (const round of [1, 2]) {
      await waitForAll();
      // Whoever checked something twice would do so soon.
      await pause(700);
      const asked = server.requests.filter((one) => one.path === LIST && one.time === time);
      expect(asked).toHaveLength(SITES);
      expect(new Set(asked.map(({ host }) => host)).size).toBe(SITES);
      expect(await tellings()).toEqual({ 1: SITES * round });
      time += DAY;
      for (const worker of [one, other]) worker.time = time;
    }
    expect(most).toBe(1);
    expect(await Promise.all([one.stop(), other.stop()])).toEqual([0, 0]);
    expect([...one.problems, ...other.problems]).toEqual([]);
    const leased = await store.database
      .selectFrom("host")
      .select("name")
      .where("lease", "is not", null)
      .execute();
    expect(leased).toHaveLength(0);
  });

  test(
    "lose nothing and report nothing twice when the database restarts time and again",
    async () => {
      time += DAY;
      await using proxy = await TcpProxy.before(database.url);
      await using one = await WorkerChild.start(proxy.url, time);
      await using other = await WorkerChild.start(proxy.url, time);
      for (let restart = 0; restart < KILLS; restart += 1) {
        await pause(Math.random() * 500);
        proxy.isAway = true;
        await pause(100);
        proxy.isAway = false;
      }
      await waitForAll();
      const days = (time - START) / DAY + 1;
      expect(await tellings()).toEqual({ 1: SITES * days });
      expect(await Promise.all([one.stop(), other.stop()])).toEqual([0, 0]);
    },
    LONGEST,
  );

  test(
    "lose nothing and tell nothing twice when one is killed time and again",
    async () => {
      time += DAY;
      await using survivor = await WorkerChild.start(database.url, time);
      for (let kill = 0; kill < KILLS; kill += 1) {
        await using victim = await WorkerChild.start(database.url, time);
        await pause(Math.random() * 1000);
        await victim.kill();
      }
      await waitForCalm();
      const lost = SITES - (await checked());
      // What the dead had in hand comes back when their leases end.
      await store.database
        .updateTable("host")
        .set({ lease_until: 1 })
        .where("lease", "is not", null)
        .execute();
      const since = time;
      const left = async () =>
        store.database
          .selectFrom("source")
          .select("id")
          .where("last_success", "<", since)
          .execute();
      while ((await left()).length > 0) await pause(50);
      // Of each kill what one worker has in hand, and what it had just checked and not yet recorded.
      expect(lost).toBeLessThan((KILLS + 1) * 64 * 5);
      const days = (time - START) / DAY + 1;
      expect(await tellings()).toEqual({ 1: SITES * days });
      expect(most).toBe(1);
      expect(await survivor.stop()).toBe(0);
      expect(survivor.problems).toEqual([]);
    },
    LONGEST,
  );
});
