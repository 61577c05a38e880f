import { randomUUID } from "node:crypto";
import { CompiledQuery, type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  capabilityList,
  changeList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import { MemorySite } from "../../reader/test/support/memory-site.ts";
import { checkNow } from "../src/check/check.ts";
import { knownPages } from "../src/readers/sitemap/known-pages.ts";
import { confirmGone } from "../src/readers/sitemap/polling-row.ts";
import { latestDays } from "../src/serve/web/queries/days.ts";
import { listedSource } from "../src/serve/web/queries/source-list.ts";
import { dueSubscriptions, findWanted } from "../src/serve/websub/subscription-table.ts";
import {
  crashedSource,
  forgetBegun,
  noteBegun,
  noteCrashed,
} from "../src/store/check/unfinished-check.ts";
import { EachRow, isSqlite } from "../src/store/dialects.ts";
import { takePings } from "../src/store/feed.ts";
import { pollSitemap } from "../src/store/following/choose-polling.ts";
import { follow, rename, unfollow } from "../src/store/following/following.ts";
import { checkSoon, pause, setCheckInterval } from "../src/store/following/next-check.ts";
import { block, blockedHosts, repairClocks, robotsOf, unblock } from "../src/store/host.ts";
import {
  endLeases,
  releaseHost,
  renewLeases,
  takeDueHosts,
  takeHostOfCrashed,
} from "../src/store/host-leases.ts";
import { latestEntries, wholeEntry } from "../src/store/pages/entries.ts";
import { documentVersion, feedDocument } from "../src/store/pages/feed-documents.ts";
import { listReport } from "../src/store/pages/health.ts";
import { notePrinted, unprinted } from "../src/store/pages/unprinted-changes.ts";
import type { Schema } from "../src/store/schema.ts";
import { dueSources } from "../src/store/source.ts";
import { sweep } from "../src/store/sweep.ts";
import { TestHarvester } from "./support/harvest.ts";
import { sitemap, sitemapIndex } from "./support/sitemaps.ts";
import { statementsOf } from "./support/statements.ts";
import { describeStores, type TestStore } from "./support/stores.ts";

/** Sources in the tables; `npm run soak` fills in 100,000. */
const SOURCES = Number(process.env.RS_HARVEST_ROWS ?? 3_000);
/** PostgreSQL reads tables of so few rows whole, although it need not. */
const IS_SMALL = SOURCES < 100_000;
const SITE = "https://s7.test/";
const LISTED = "https://listed.test/";
const PLACES = { document: () => undefined, everything: { id: "tag:x", page: "https://x.test/" } };

/** Tables that grow with what is followed, and the names that queries give them. */
const GROWING =
  /^(?:source|source_check|source_day|host|document|collection|seen|listed|other|entry|change|feed|feed_entry|subscription|ping|fresh|due|polling|polled_list|polled_page)$/;
/** Indexes that hold few rows, or of which the first are read. */
const SHORT =
  /USING (?:COVERING )?INDEX (?:source_unfollowed|host_leased|host_blocked|source_day_newest)/;

describeStores("with many sources on $name, no query reads a whole table", (database) => {
  let opened: TestStore;
  let harvester: TestHarvester;
  let site: MemorySite;

  beforeAll(async () => {
    opened = await database.open();
    const { store } = opened;
    await fill(store.database);
    site = new MemorySite(SITE).put({
      ".well-known/resourcesync": sourceDescription(["capabilitylist.xml"]),
      "capabilitylist.xml": capabilityList({ changelist: "changelist.xml" }),
      "changelist.xml": changeList(["created a/ 2026-09-30T12:00:00Z"]),
    });
    harvester = new TestHarvester(store, site);
  }, 600_000);
  afterAll(() => opened?.[Symbol.asyncDispose]());

  const works: Record<string, () => Promise<unknown>> = {
    "a taking": async () => {
      const { database, time: now } = harvester;
      const token = randomUUID();
      for (const isNew of [true, false]) {
        const { hosts } = await takeDueHosts(database, { token, now, most: 64, isNew });
        await renewLeases(database, [token]);
        const due = await dueSources(database, hosts, now);
        for (const host of hosts) {
          for (const { id } of due.get(host) ?? []) {
            await noteBegun(database, id);
            await forgetBegun(database, id);
          }
          await robotsOf(database, host);
          await releaseHost(database, host, token);
        }
      }
    },
    "a source whose check did not end": async () => {
      const { database, time: now } = harvester;
      const token = randomUUID();
      await noteBegun(database, 17);
      await database.updateTable("source").set({ next_check: now }).where("id", "=", 17).execute();
      const host = await takeHostOfCrashed(database, token, now);
      const source = await crashedSource(database, host ?? "", now);
      expect(source?.id).toBe(17);
      const problem = { code: "CRASHED", message: "It did not end." };
      const standing = { condition: "troubled", condition_since: now } as const;
      const crashed = { id: 17, unfinished_checks: 2, last_check: now, next: now + 60, problem };
      await noteCrashed(database, { ...standing, ...crashed });
      await forgetBegun(database, 17);
      await forgetBegun(database, 17);
      await releaseHost(database, host ?? "", token);
    },
    "checks with news, and without": async () => {
      const { database } = harvester;
      for (const path of ["", "two/"]) {
        const { id } = await follow(database, SITE + path, harvester.time);
        await checkNow(harvester, id);
        await checkNow(harvester, id);
      }
    },
    "a re-dated log": async () => {
      const { database } = harvester;
      const path = "redated/";
      const publish = (day: string) => {
        const log = Array.from(
          { length: 11 },
          (_, at) => `created p${at}/ 2026-09-${day}T12:00:00Z`,
        );
        site.put({
          [`${path}.well-known/resourcesync`]: sourceDescription([`/${path}capabilitylist.xml`]),
          [`${path}capabilitylist.xml`]: capabilityList({ changelist: "changelist.xml" }),
          [`${path}changelist.xml`]: changeList([...log, "updated p0/ 2026-09-30T12:00:00Z"]),
        });
      };
      publish("10");
      const { id } = await follow(database, SITE + path, harvester.time);
      await checkNow(harvester, id);
      publish("11");
      expect(await checkNow(harvester, id)).toMatchObject({ redated: { changes: 11 } });
    },
    "lists that are compared": async () => {
      const { database } = harvester;
      const { id } = await follow(database, LISTED, harvester.time);
      await pollSitemap(database, id, harvester.time);
      let reported = 0;
      for (const pages of [
        ["a 09-01", "b 09-02", "c"],
        ["a 10-01", "b 09-02"],
        ["d", "b 09-02"],
      ]) {
        for (const part of ["one.xml", "two.xml"]) {
          site.put({ [LISTED + part]: sitemap(part === "one.xml" ? pages : ["e"], LISTED) });
        }
        site.put({ [`${LISTED}sitemap.xml`]: sitemapIndex(["one.xml", "two.xml"], LISTED) });
        const result = await checkNow(harvester, id);
        reported += result.kind === "checked" ? result.reported : 0;
        harvester.time += 86_400;
      }
      expect(reported).toBe(3);
      await confirmGone(database, id, harvester.time);
      await knownPages(database, id, ["x"]);
      await unfollow(database, id);
      while (await sweep(database));
    },
    "what whoever hosts it does": async () => {
      const { database, time } = harvester;
      await checkSoon(database, 11, time);
      await pause(database, 12);
      await rename(database, 13, "another");
      await setCheckInterval(database, 14, 3600, time);
      await block(database, "s15.test");
      await unblock(database, "s15.test", time);
      await blockedHosts(database);
      await unprinted(database, [14]);
      await notePrinted(database, [14], 1);
    },
    "leaving a source": async () => {
      await unfollow(harvester.database, 16);
      while (await sweep(harvester.database));
    },
    "a start": async () => {
      const { database } = harvester;
      await endLeases(database);
    },
    "feeds and pages": async () => {
      const { database } = harvester;
      for (const feed of ["all", "source/20", "collection/20"] as const) {
        await feedDocument(database, { feed }, PLACES);
        await documentVersion(database, { feed });
      }
      await latestEntries(database, "source/20", PLACES);
      await wholeEntry(database, 20, 1, PLACES);
      await latestDays(database, PLACES, {});
      await latestDays(database, PLACES, { label: "ferns" });
      await listReport(database, 1, 50);
      await listedSource(database, 20);
    },
    hubs: async () => {
      const { database, time } = harvester;
      await repairClocks(database, time, time + 8 * 86_400);
      await takePings(database, time, 60);
      await dueSubscriptions(database, time, 10, ["https://a.example"]);
      await findWanted(database, "t5");
    },
  };

  test.each(Object.keys(works))("%s", async (name) => {
    const asked = await statementsOf(harvester.database, async () => works[name]?.());
    const noted = new Map(asked.map((query) => [query.sql.trim(), query]));
    for (const end of ["begin", "commit"]) noted.delete(end);
    expect(noted.size).toBeGreaterThan(0);
    const scans: string[] = [];
    for (const query of noted.values()) {
      for (const scan of await scansOf(opened.store.database, query)) {
        scans.push(`${scan}: ${query.sql}`);
      }
    }
    expect(scans).toEqual([]);
    expect([...noted.keys()].filter((query) => JOINED_PAGES.test(query))).toEqual([]);
  });
});

/**
 * Tables that a check fills with thousands of rows, with keys from a subquery: PostgreSQL joins them in
 * a nested loop where its statistics are older than the rows. 10,000 pages took over a minute.
 */
const JOINED_PAGES = /"polled_page".* in \(SELECT json/is;

/** The tables that a query reads whole. */
async function scansOf(database: Kysely<Schema>, query: CompiledQuery): Promise<string[]> {
  const parameters = query.parameters.map((one) => (one instanceof EachRow ? one.values[0] : one));
  const explain = isSqlite(database) ? "EXPLAIN QUERY PLAN" : "EXPLAIN";
  const { rows } = await database.transaction().execute(async (transaction) => {
    if (IS_SMALL && !isSqlite(database)) {
      await sql`SET LOCAL enable_seqscan = off`.execute(transaction);
    }
    return transaction.executeQuery<Readonly<Record<string, unknown>>>(
      CompiledQuery.raw(`${explain} ${query.sql}`, parameters),
    );
  });
  return rows.flatMap((row) => {
    const step = String(row.detail ?? row["QUERY PLAN"]);
    const table = /^SCAN (\w+)|Seq Scan on (\w+)/.exec(step);
    const name = table?.[1] ?? table?.[2] ?? "";
    return GROWING.test(name) && !SHORT.test(step) ? [step.trim()] : [];
  });
}

/** Fills the tables: half of the hosts are due, each tenth source is new, one host has many sources. */
async function fill(database: Kysely<Schema>): Promise<void> {
  const numbers = (most: number) =>
    sql`WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${sql.lit(most)})`;
  const host = sql`CASE WHEN n % 2 = 0 THEN 'many.test' ELSE 's' || n || '.test' END`;
  const now = 1_790_812_800;
  const ten = SOURCES * 10;
  const statements = [
    sql`${numbers(SOURCES)} INSERT INTO source (address, host, description_url, site_key, followed_at, next_check, last_check)
      SELECT 'https://s' || n || '.test/', ${host}, 'https://s' || n || '.test/.well-known/resourcesync',
        '//s' || n || '.test/.well-known/resourcesync', 1, ${sql.lit(now)} - 1000 + n % 2000,
        CASE WHEN n % 10 = 0 THEN NULL ELSE 1 END FROM number`,
    sql`INSERT INTO host (name, due_at, is_new)
      SELECT host, min(next_check), max(CASE WHEN last_check IS NULL THEN 1 ELSE 0 END) FROM source GROUP BY host`,
    sql`${numbers(SOURCES * 3)} INSERT INTO document (source_id, url, hash, is_closed)
      SELECT 1 + n % ${sql.lit(SOURCES)}, 'https://x.test/' || n, 'x', 0 FROM number`,
    sql`${numbers(SOURCES)} INSERT INTO collection (source_id, key, url, first_url, base_url, capability_list_url, known_from, is_whole, is_listed)
      SELECT n, '', 'https://s' || n || '.test/', 'https://s' || n || '.test/', 'https://s' || n || '.test/', 'https://s' || n || '.test/c.xml', 0, 1, 1 FROM number`,
    sql`${numbers(ten)} INSERT INTO seen (collection_id, identity, resource, kind, datetime)
      SELECT 1 + n % ${sql.lit(SOURCES)}, 'identity' || n, 'resource' || n, 'created', n FROM number`,
    sql`${numbers(ten)} INSERT INTO listing (collection_id, identity, document_id)
      SELECT 1 + n % ${sql.lit(SOURCES)}, 'identity' || n, 1 + n % ${sql.lit(SOURCES)} FROM number`,
    sql`${numbers(SOURCES)} INSERT INTO entry (collection_id, name, part, time, taken_at, counts)
      SELECT n, 'name', 1, n, n, '{}' FROM number`,
    sql`${numbers(ten)} INSERT INTO change (entry_id, url, kind, datetime, is_minor, event, shown_in)
      SELECT 1 + n % ${sql.lit(SOURCES)}, 'https://x.test/' || n, 'created', n, 0, 'event' || n, CASE WHEN n % 2 = 0 THEN 'both' END FROM number`,
    sql`${numbers(SOURCES)} INSERT INTO source_check (source_id, slot, number, time, reported, without_news) SELECT n, 0, 1, n, 1, 0 FROM number`,
    sql`${numbers(SOURCES)} INSERT INTO source_day (source_id, day, entries, last, newest, time)
      SELECT n, n % 50, 1, n, '[{"number":1,"time":' || n || '}]', n FROM number`,
    sql`${numbers(SOURCES)} INSERT INTO feed (key, entries, updated, version) SELECT 'source/' || n, 1, 1, 1 FROM number`,
    sql`${numbers(SOURCES)} INSERT INTO feed (key, entries, updated, version) SELECT 'collection/' || n, 1, 1, 1 FROM number`,
    sql`${numbers(SOURCES)} INSERT INTO feed_entry (feed, number, entry_id) SELECT 'source/' || n, 1, n FROM number`,
    sql`${numbers(SOURCES)} INSERT INTO feed_entry (feed, number, entry_id) SELECT 'collection/' || n, 1, n FROM number`,
    sql`INSERT INTO polling (source_id, roots, site, began_at) SELECT id, '[]', 'x.test', 1 FROM source`,
    sql`INSERT INTO polled_list (source_id, url) SELECT id, 'https://x.test/' FROM source`,
    sql`${numbers(ten)} INSERT INTO polled_page (source_id, key, url, list, lastmod, moves, missing_since)
      SELECT 1 + n % ${sql.lit(SOURCES)}, 'page' || n, 'x', n, n, n % 3, CASE WHEN n % 10 = 0 THEN n END FROM number`,
    sql`${numbers(SOURCES)} INSERT INTO subscription (collection_id, topic, hub, token, secret, state, due_at)
      SELECT n, 'x', 'x', 't' || n, 'x', 'active', ${sql.lit(now)} + n FROM number`,
    sql`${numbers(SOURCES)} INSERT INTO ping (feed, due_at, version)
      SELECT 'source/' || n, ${sql.lit(now)} + n, 1 FROM number`,
  ];
  for (const statement of statements) await statement.execute(database);
  await sql`ANALYZE`.execute(database);
}
