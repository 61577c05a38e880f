import { atomFeed } from "@rs-emit/feeds";
import { sql } from "kysely";
import { openPostgres, openSqlite } from "../../packages/harvester/dist/store/open-store.js";
import {
  feedDocument,
  feedState,
} from "../../packages/harvester/dist/store/pages/feed-documents.js";

/**
 * Writes the feed of a source of so many changes, fifty in each entry. Prints the milliseconds that it took,
 * the median of twenty; with `state`, those of finding out that nothing is new.
 */
const [, , place = "", changes = "1000000", what = "document"] = process.argv;

const PER_ENTRY = 50;
const PLACES = {
  document: (feed: string) => `https://harvester.test/feeds/${feed}.atom`,
  everything: { id: "tag:harvester.test,2026:all", page: "https://harvester.test/" },
};
const store = place.startsWith("postgres:") ? await openPostgres(place) : await openSqlite(place);
const { database } = store;
const known = await database.selectFrom("source").select("id").executeTakeFirst();
if (known === undefined) await fill(Number(changes) / PER_ENTRY);
const times: number[] = [];
for (let at = 0; at < 20; at += 1) {
  const began = performance.now();
  if (what === "state") await feedState(database, "source/1");
  else {
    const feed = await feedDocument(database, { feed: "source/1" }, PLACES);
    if (feed === undefined || atomFeed(feed).length < 10_000) throw new Error("it has no entries");
  }
  times.push(performance.now() - began);
}
console.log(times.sort((one, other) => one - other)[10]);
await store.close();

async function fill(entries: number): Promise<void> {
  const site = "https://example.test/";
  const counts = JSON.stringify({ created: 0, updated: PER_ENTRY, deleted: 0 });
  await sql`INSERT INTO source (address, host, description_url, followed_at) VALUES (${site}, 'example.test', ${site}, 0)`.execute(
    database,
  );
  await sql`INSERT INTO collection (source_id, key, url, first_url, base_url, capability_list_url, known_from, is_whole, is_listed)
    VALUES (1, '', ${site}, ${site}, ${site}, ${site}, 0, 1, 1)`.execute(database);
  await sql`${numbers(entries)} INSERT INTO entry (collection_id, name, part, time, taken_at, counts)
    SELECT 1, '2026-10-01T00:00:00Z/' || n, 1, 1790000000 + n, 1790000000 + n, ${counts} FROM number`.execute(
    database,
  );
  await sql`${numbers(entries * PER_ENTRY)} INSERT INTO change (entry_id, url, kind, datetime, title, is_minor, event, shown_in)
    SELECT 1 + (n - 1) / ${sql.lit(PER_ENTRY)}, ${site} || n, 'updated', 1790000000 + n, 'A page that changed', 0, 'event' || n,
      CASE WHEN n % ${sql.lit(PER_ENTRY)} < 20 THEN 'both' END FROM number`.execute(database);
  await sql`INSERT INTO feed (key, entries, updated, version) VALUES ('source/1', ${entries}, 1790000000, 7)`.execute(
    database,
  );
  await sql`${numbers(entries)} INSERT INTO feed_entry (feed, number, entry_id) SELECT 'source/1', n, n FROM number`.execute(
    database,
  );
  await sql`ANALYZE`.execute(database);
}

function numbers(most: number) {
  return sql`WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${sql.lit(most)})`;
}
