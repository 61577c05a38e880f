import { sql } from "kysely";
import { DEFAULT_SETTINGS } from "../../packages/harvester/dist/check/harvester.js";
import { startWorker } from "../../packages/harvester/dist/serve/worker/worker.js";
import { takeDueHosts } from "../../packages/harvester/dist/store/host-leases.js";
import { openPostgres, openSqlite } from "../../packages/harvester/dist/store/open-store.js";

/**
 * How hosts are taken from very many, with checks that take no time.
 *
 * - `take N`: N hosts are due; prints the milliseconds of a taking, the median of twenty
 * - `fair N M`: N sources are due, each on a host of its own, and M more on one; prints the seconds that
 *   1,000 checks of the others take
 */
const [, , place = "", mode = "", first = "0", second = "0"] = process.argv;

const NOW = 1_790_812_800;
const store = place.startsWith("postgres:") ? await openPostgres(place) : await openSqlite(place);
const { database } = store;
console.log(
  mode === "take" ? await take(Number(first)) : await fair(Number(first), Number(second)),
);
await store.close();

async function take(hosts: number): Promise<number> {
  await sql`${numbers(hosts)} INSERT INTO host (name, due_at) SELECT 'h' || n, ${NOW} - n FROM number`.execute(
    database,
  );
  await sql`ANALYZE`.execute(database);
  const times: number[] = [];
  for (let at = 0; at < 20; at += 1) {
    const began = performance.now();
    const { hosts } = await takeDueHosts(database, {
      token: `t${at}`,
      now: NOW,
      most: 256,
      isNew: false,
    });
    times.push(performance.now() - began);
    if (hosts.length !== 256) throw new Error("too few hosts were taken");
  }
  return times.sort((one, other) => one - other)[10] ?? Number.NaN;
}

async function fair(alone: number, together: number): Promise<number> {
  const host = sql`CASE WHEN n > ${alone} THEN 'many.test' ELSE 'h' || n || '.test' END`;
  await sql`${numbers(alone + together)} INSERT INTO source (host, followed_at, next_check, last_check)
    SELECT ${host}, 0, ${NOW} - n % 1000, 1 FROM number`.execute(database);
  await sql`INSERT INTO host (name, due_at) SELECT host, min(next_check) FROM source GROUP BY host`.execute(
    database,
  );
  await sql`ANALYZE`.execute(database);
  let checked = 0;
  const stop = new AbortController();
  const worker = startWorker({
    concurrency: 64,
    harvester: {
      database,
      transport: { get: () => Promise.reject(new Error("nobody is asked")) },
      settings: DEFAULT_SETTINGS,
      now: () => NOW,
      random: Math.random,
    },
    signal: stop.signal,
    report: (problem) => console.error(problem),
    ask: async (_, { host }) => {
      // A host takes its time.
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (host !== "many.test") checked += 1;
      return {
        descriptionUrl: undefined,
        reading: undefined,
        error: undefined,
        remembered: new Map(),
        busy: new Map(),
      };
    },
  });
  const warm = alone / 20;
  await until(() => checked >= warm);
  const [began, before] = [performance.now(), checked];
  await until(() => checked >= 3 * warm);
  const seconds = (performance.now() - began) / (checked - before);
  stop.abort();
  await worker.stopped;
  return seconds;
}

async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await new Promise((resolve) => setTimeout(resolve, 10));
}

function numbers(most: number) {
  return sql`WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${sql.lit(most)})`;
}
