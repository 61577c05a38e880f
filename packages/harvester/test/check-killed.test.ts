import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rounds } from "../../../test/thorough.ts";
import {
  capabilityList,
  changeList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import { SiteServer } from "../../reader/test/support/site-server.ts";
import { openTestTransport } from "../../reader/test/support/transport.ts";
import { openSqlite } from "../src/store/open-store.ts";
import { TestHarvester } from "./support/harvest.ts";

const KILLS = Number(process.env.RS_HARVEST_KILLS ?? rounds(2, 5));
/** Milliseconds, on a machine that does much else, too. */
const LONGEST = 60_000 + KILLS * 20_000;
const CHECKER = join(import.meta.dirname, "support/checker.ts");

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rs-harvest-killed-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that checks the site, with its database open. */
async function start(data: string, address: string, ...more: readonly string[]) {
  const child = spawn(process.execPath, [CHECKER, data, address, ...more], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const errors: string[] = [];
  child.stderr.on("data", (chunk) => errors.push(String(chunk)));
  const ended = once(child, "close").then(() => Promise.reject(new Error(errors.join(""))));
  ended.catch(() => {});
  await Promise.race([once(child.stdout, "data"), ended]);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "close");
  child.kill("SIGKILL");
  await ended;
}

test(
  "killed at any moment, it tells each change once, and its database is never ruined",
  async () => {
    await using server = await SiteServer.start();
    const site = server.site("example.test");
    const changes: string[] = [];
    const publish = () => {
      const time = new Date(Date.now() - 60_000).toISOString();
      for (let count = 0; count < 5; count += 1)
        changes.push(`updated p${changes.length}/ ${time}`);
      return changeList(changes);
    };
    // Whenever it is asked, there is news.
    site
      .answer("/.well-known/resourcesync", sourceDescription(["/capabilitylist.xml"]))
      .answer("/capabilitylist.xml", capabilityList({ changelist: "changelist.xml" }))
      .answer("/changelist.xml", publish);
    const data = join(folder, "memory");
    for (let kills = 0; kills < KILLS; kills += 1) {
      const child = await start(data, site.url);
      const last = server.requests.length + Math.floor(Math.random() * 12);
      while (server.requests.length < last) {
        expect(child.exitCode).toBeNull();
        await pause(1);
      }
      await pause(Math.random() * 20);
      await kill(child);
    }
    // Whether or not a kill left time for any, there are changes.
    site.answer("/changelist.xml", publish());
    const last = await start(data, site.url, "once");
    expect(await once(last, "close")).toEqual([0, null]);

    await using transport = openTestTransport();
    await using harvester = new TestHarvester(await openSqlite(data), transport);
    const reported = await harvester.reportedChanges();
    expect(reported.map((change) => new URL(change.split(" ")[0] ?? "").pathname).sort()).toEqual(
      changes.map((change) => `/${change.split(" ")[1]}`).sort(),
    );
    await expectNumbered(harvester);
  },
  LONGEST,
);

/** Places in feeds are numbered from 1 without gaps, and each feed knows how many it has. */
async function expectNumbered({ database }: TestHarvester): Promise<void> {
  const feeds = await database.selectFrom("feed").select(["key", "entries"]).execute();
  expect(feeds).toHaveLength(2);
  for (const { key, entries } of feeds) {
    const places = await database
      .selectFrom("feed_entry")
      .select("number")
      .where("feed", "=", key)
      .orderBy("number")
      .execute();
    expect(places.map(({ number }) => number)).toEqual(
      Array.from({ length: entries }, (_, at) => at + 1),
    );
  }
}
