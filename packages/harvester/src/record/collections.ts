import type { Kysely } from "kysely";
import type { Harvester } from "../check/harvester.ts";
import type { Lease } from "../check/lease.ts";
import type { Description } from "../model.ts";
import type { Descriptions } from "../read/description/descriptions.ts";
import type { CollectionReading, Reading } from "../read/reading.ts";
import type { Schema } from "../store/schema.ts";
import { recordCollection } from "./collection.ts";
import { forgetUnnamed, rememberDocuments } from "./documents.ts";
import { storedLists } from "./lists.ts";
import { keepListed, rekeyCollections, unlist } from "./named.ts";
import { type Addition, appendEntries } from "./places.ts";

/** Collections that a notice names; the others it counts. */
const NAMED = 3;

/** What came of a check, for the source as a whole. */
interface News {
  readonly told: number;
  /** The URLs of collections whose past was rewritten. */
  readonly rewritten: readonly string[];
  readonly description: Description | undefined;
  readonly time: number;
}

/**
 * Takes what is new in a source's collections, and keeps it with the documents that told it.
 *
 * @returns how many changes entries tell now
 */
export async function recordCollections(
  database: Kysely<Schema>,
  { now, settings }: Harvester,
  { source }: Lease,
  reading: Reading,
  descriptions: Descriptions,
): Promise<number> {
  const { documents } = descriptions;
  const time = now();
  const all = [...reading.documents, ...documents];
  const ids = await rememberDocuments(database, source.id, all, time);
  const closed = new Map(reading.documents.map(({ url, isClosed }) => [url, isClosed]));
  const telling = { mode: settings.entries, withMinor: settings.withMinor, now: time };
  const rewritten: string[] = [];
  const additions: Addition[] = [];
  let told = 0;
  await rekeyCollections(database, source.id, reading.collections);
  await unlist(database, source.id, reading);
  for (const collection of reading.collections) {
    if (collection.problem !== undefined) {
      await keepListed(database, source.id, collection);
      continue;
    }
    const lists = storedLists(collection, ids, closed);
    const record = await recordCollection(database, source.id, collection, lists, telling);
    const description = descriptions.collections.get(collection.key);
    if (description !== undefined) await describeCollection(database, record.id, description);
    if (record.isRewritten) rewritten.push(collection.url);
    told += record.told.count;
    additions.push(...record.told.additions);
  }
  // What is missing was judged: nothing needs the lists that it once stood in.
  if (reading.collections.every(isWhole)) {
    const lists = reading.collections.flatMap(({ listUrls }) => listUrls);
    await forgetUnnamed(database, source.id, [reading.descriptionUrl, ...lists]);
  }
  await keepNews(database, source.id, { told, rewritten, description: descriptions.source, time });
  await appendEntries(database, additions);
  return told;
}

/** Keeps what there is to say of the source as a whole. */
async function keepNews(
  database: Kysely<Schema>,
  sourceId: number,
  { told, rewritten, description, time }: News,
): Promise<void> {
  const news = {
    ...(told > 0 ? { last_change: time } : {}),
    ...(rewritten.length > 0 ? { notice: rewrittenNotice(rewritten, time) } : {}),
    ...(description === undefined ? {} : { description: JSON.stringify(description) }),
  };
  if (Object.keys(news).length === 0) return;
  await database.updateTable("source").set(news).where("id", "=", sourceId).execute();
}

/** Whether all of a collection was looked at. */
function isWhole({ problem, unreadLists }: CollectionReading): boolean {
  return problem === undefined && unreadLists === 0;
}

/** Keeps what a collection says of itself. */
async function describeCollection(
  database: Kysely<Schema>,
  id: number,
  description: Description,
): Promise<void> {
  await database
    .updateTable("collection")
    .set({ description: JSON.stringify(description) })
    .where("id", "=", id)
    .execute();
}

function rewrittenNotice(collections: readonly string[], now: number): string {
  const day = new Date(now * 1000).toISOString().slice(0, 10);
  const others = collections.length - NAMED;
  const rest = others > 0 ? ` and ${others} more` : "";
  const which = collections.slice(0, NAMED).join(", ") + rest;
  return (
    `On ${day} the past of ${which} had been rewritten: changes told before were no longer ` +
    "there. Only what is newer than those is told."
  );
}
