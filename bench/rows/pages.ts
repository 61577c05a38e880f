import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { followSources } from "../inputs/followed-sources.ts";
import { MemoryLimit } from "../inputs/memory-limit.ts";
import { Server } from "../inputs/server.ts";
import { SimulatedService } from "../inputs/simulated-service.ts";
import { type Line, percentile } from "../line.ts";
import { INPUTS, sized } from "../places.ts";

/** Checks a second: one in so many has a change. */
const CHECKS = 100;
const CHANGED = 2;
const SECONDS = sized(60);
/** MiB: what the service may use. */
const MEMORY = 512;
const PAGES = ["", "feeds/all.atom", "sources/7", "feeds/sources/9.atom", "sources"];

/** How long pages take while a service checks a hundred sources a second. */
export async function pages(): Promise<readonly Line[]> {
  await using host = await Server.start("serve-sources", "1");
  const folder = join(INPUTS, "pages");
  followSources(folder, host.port, CHECKS * SECONDS);
  await fetch(`http://127.0.0.1:${host.port}/?changed=${CHANGED}`, { method: "POST" });
  const begin = Date.now() / 1000 + 2;
  await spread(folder, begin);
  using limit = MemoryLimit.of(MEMORY);
  await using service = await SimulatedService.start(folder, Date.now() / 1000, limit);
  const waits: number[] = [];
  for (let now = 0; now < begin + SECONDS; now = Date.now() / 1000) {
    service.tell(now);
    const wait = await service.wait(PAGES[waits.length % PAGES.length] ?? "");
    if (now > begin) waits.push(wait);
    await pause(20);
  }
  const rate = (await service.checks()) / SECONDS;
  return [
    {
      what: `99 of 100 pages and feeds, of ${waits.length}, beside ${Math.round(rate)} checks a second, took at most`,
      unit: "ms",
      ours: [percentile(waits, 0.99)],
      aim: { of: "figure", most: 100 },
    },
  ];
}

/** From a time on, so many sources are due each second. */
async function spread(folder: string, begin: number): Promise<void> {
  const { openSqlite } = await import("../../packages/harvester/dist/store/store.js");
  const { database, close } = await openSqlite(folder);
  await sql`UPDATE source SET interval = 86400, next_check = ${begin} + id / ${sql.lit(CHECKS)}.0`.execute(
    database,
  );
  await sql`UPDATE host SET due_at = (SELECT next_check FROM source WHERE source.host = host.name)`.execute(
    database,
  );
  await close();
}
