import { sql } from "kysely";
import { createApp } from "../../packages/harvester/dist/serve/web/app.js";
import { createMetrics } from "../../packages/harvester/dist/serve/web/monitoring.js";
import { openPostgres, openSqlite } from "../../packages/harvester/dist/store/open-store.js";

/**
 * Fills a database with one source of very many changes, unless it is there, and asks for pages. Prints the
 * seconds of the median answer of each as JSON. `fill` only fills.
 */
const [, , place = "", publications = "500", mode = ""] = process.argv;
const CHANGES = 2_000;
const SHOWN = 20;
const TIMES = 21;
const START = 1_750_000_000;

const store = place.startsWith("postgres:") ? await openPostgres(place) : await openSqlite(place);
const { database } = store;
const filled = await database.selectFrom("source").select("id").executeTakeFirst();
if (filled === undefined) await fill(Number(publications));
if (mode !== "fill") console.log(JSON.stringify(await measure()));
await store.close();

async function fill(count: number): Promise<void> {
  const numbers = (most: number) =>
    sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${sql.lit(most)})`;
  await sql`INSERT INTO source (address, host, description_url, site_key, followed_at, last_check, last_success)
    VALUES ('https://large.test/', 'large.test', 'https://large.test/.well-known/resourcesync',
      '//large.test/.well-known/resourcesync', ${START}, ${START}, ${START})`.execute(database);
  await sql`INSERT INTO collection (source_id, key, url, first_url, base_url, capability_list_url, known_from, has_changes,
      is_whole, is_listed)
    VALUES (1, '', 'https://large.test/', 'https://large.test/', 'https://large.test/', 'https://large.test/capabilitylist.xml', 0,
      1, 1, 1)`.execute(database);
  const counts = JSON.stringify({ updated: CHANGES });
  await sql`INSERT INTO entry (collection_id, name, part, time, taken_at, counts)
    ${numbers(count)} SELECT 1, 'p' || i, 1, ${START} + i * 3600, ${START} + i * 3600, ${counts} FROM n`.execute(
    database,
  );
  await sql`INSERT INTO change (entry_id, url, kind, datetime, title, words, is_minor, event, shown_in)
    ${numbers(CHANGES)} SELECT entry.id, 'https://large.test/' || entry.id || '/' || i, 'updated', entry.time,
      'Page ' || i, 'What the author says of it', 0, 'event' || entry.id || '/' || i,
      CASE WHEN i <= ${sql.lit(SHOWN)} THEN 'both' END
    FROM entry CROSS JOIN n ORDER BY entry.id, i`.execute(database);
  await sql`INSERT INTO seen (collection_id, identity, resource, kind, datetime)
    SELECT 1, 'identity' || id, 'resource' || id, kind, datetime FROM change`.execute(database);
  for (const feed of ["collection/1", "source/1"]) {
    await sql`INSERT INTO feed (key, entries, updated, version)
      VALUES (${feed}, ${count}, ${START + count * 3600}, ${count})`.execute(database);
    await sql`INSERT INTO feed_entry (feed, number, entry_id)
      SELECT CAST(${feed} AS text), id, id FROM entry`.execute(database);
  }
  await sql`INSERT INTO source_day (source_id, day, entries, last, newest, time)
    SELECT 1, CAST(floor(time / 86400) AS integer), count(*), max(id),
      '[{"number":' || max(id) || '},{"number":' || (max(id) - 1) || '},{"number":' || (max(id) - 2) || '}]',
      max(time) FROM entry
    GROUP BY CAST(floor(time / 86400) AS integer)`.execute(database);
  await sql`ANALYZE`.execute(database);
}

async function measure(): Promise<Record<string, number>> {
  const now = () => START + Number(publications) * 3600;
  const settings = {
    access: { kind: "local" as const },
    publicUrl: undefined,
    trustProxy: false,
    hub: undefined,
    pollSitemaps: false,
    contact: "mailto:keeper@example.org",
  };
  const report = (problem: unknown) => console.error(problem);
  const dependencies = {
    database,
    isInPlace: () => true,
    writing: database,
    settings,
    now,
    report,
  };
  const app = createApp(dependencies, { metrics: createMetrics(database, now) });
  const ask = (path: string, headers: Record<string, string> = {}) =>
    app.request(`http://localhost${path}`, { headers });
  const feed = await ask("/feeds/all.atom");
  const known = { "if-none-match": feed.headers.get("etag") ?? "" };
  const entry = `/entries/${publications}?after=${(Number(publications) - 1) * CHANGES + 1_000}`;
  const asked = {
    home: () => ask("/"),
    source: () => ask("/sources/1"),
    entry: () => ask(entry),
    feed: () => ask("/feeds/sources/1.atom"),
    all: () => ask("/feeds/all.atom"),
    archive: () => ask("/feeds/all/archive/3.atom"),
    unchanged: () => ask("/feeds/all.atom", known),
  };
  const medians: Record<string, number> = {};
  for (const [name, request] of Object.entries(asked)) {
    const seconds: number[] = [];
    for (let time = 0; time < TIMES; time += 1) {
      const began = performance.now();
      const answer = await request();
      const bytes = (await answer.text()).length;
      seconds.push((performance.now() - began) / 1000);
      const expected = name === "unchanged" ? 304 : 200;
      if (answer.status !== expected || (expected === 200 && bytes < 2_000)) {
        throw new Error(`${name} was answered with ${answer.status} and ${bytes} bytes`);
      }
    }
    medians[name] = seconds.toSorted((one, other) => one - other)[Math.floor(TIMES / 2)] ?? 0;
  }
  return medians;
}
