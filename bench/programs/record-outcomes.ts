import { createHash, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { recordCheck } from "../../packages/harvester/dist/check/check.js";
import type { Check } from "../../packages/harvester/dist/check/facts.js";
import { DEFAULT_SETTINGS } from "../../packages/harvester/dist/check/harvester.js";
import { readFacts } from "../../packages/harvester/dist/check/read-facts.js";
import { noteBegun } from "../../packages/harvester/dist/store/check/unfinished-check.js";
import { refreshDue } from "../../packages/harvester/dist/store/host.js";
import { releaseHosts, takeDueHosts } from "../../packages/harvester/dist/store/host-leases.js";
import { openPostgres, openSqlite } from "../../packages/harvester/dist/store/open-store.js";
import { dueSources } from "../../packages/harvester/dist/store/source.js";
import { insert, rowsBefore, takeAway } from "./added-rows.ts";
import { documentOf } from "./source-documents.ts";

/**
 * Records the checks of so many sources with a change each, which were read beforehand, each by itself and some at once, as a
 * worker does. Then takes away the rows that this added, and inserts them again: in as many transactions, as many at once, with
 * a statement for each table. Prints the seconds of both.
 */
const [, , place = "", count = "2000"] = process.argv;

/** As many as there are connections to PostgreSQL; SQLite has one. */
const AT_ONCE = 8;
const store = place.startsWith("postgres:") ? await openPostgres(place) : await openSqlite(place);
const { database } = store;
let generation = 0;
const transport = {
  async get(url: string) {
    const { host, pathname } = new URL(url);
    const text = documentOf(pathname, `http://${host}/`, 20 + generation);
    if (text === undefined) throw new Error(`${url} is not there`);
    const etag = createHash("sha1").update(text).digest("base64url");
    return {
      status: "fresh" as const,
      url,
      permanentUrl: url,
      validators: { etag },
      link: undefined,
      body: Readable.from([Buffer.from(text)]),
      discard: async () => {},
    };
  },
};
const now = () => Date.now() / 1000 + generation * 3600;
const harvester = { database, transport, settings: DEFAULT_SETTINGS, now, random: Math.random };

await follow();
await checkAll();
generation += 1;
const before = await rowsBefore(database);
console.log(await checkAll());
const insertions = await takeAway(database, before, Number(count));
console.log(await atOnce(insertions, (statements) => insert(database, statements)));
await store.close();

async function follow(): Promise<void> {
  const hosts = Array.from({ length: Number(count) }, (_, at) => `s${at}.test`);
  const sources = hosts.map((host) => ({
    address: `http://${host}/`,
    description_url: `http://${host}/.well-known/resourcesync`,
    host,
    followed_at: now(),
    next_check: now(),
  }));
  for (let at = 0; at < sources.length; at += 1000) {
    await database
      .insertInto("source")
      .values(sources.slice(at, at + 1000))
      .execute();
  }
  await refreshDue(database, hosts);
}

/** @returns the seconds that recording took */
async function checkAll(): Promise<number> {
  await database.updateTable("source").set({ next_check: 0 }).execute();
  await database.updateTable("host").set({ due_at: 0 }).execute();
  const token = randomUUID();
  const most = Number(count);
  const isNew = generation === 0;
  const { hosts } = await takeDueHosts(database, { token, now: now(), most, isNew });
  const outcomes: Check[] = [];
  const due = await dueSources(database, hosts, now());
  for (const source of [...due.values()].flat()) {
    const facts = await readFacts(harvester, source, await noteBegun(database, source.id));
    outcomes.push({ source, token, facts });
  }
  const seconds = await atOnce(outcomes, async (check) => {
    const result = await recordCheck(harvester, check);
    if (result.kind !== "checked" || result.reported === 0) {
      throw new Error("a change was not told", { cause: result });
    }
  });
  await releaseHosts(
    database,
    hosts.map((host) => ({ host, token })),
  );
  return seconds;
}

/** @returns the seconds that it took to do this with all of them */
async function atOnce<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<number> {
  const left = items.values();
  const began = performance.now();
  const workInTurn = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workInTurn));
  return (performance.now() - began) / 1000;
}
