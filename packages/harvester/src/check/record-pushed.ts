import type { Transaction } from "kysely";
import { identifiedIn } from "../changes/select-new.ts";
import type { ListReading } from "../read/reading.ts";
import { type CollectionRow, updateCollections } from "../store/collection.ts";
import { appendToFeeds } from "../store/feed.ts";
import { askForPings } from "../store/ping.ts";
import type { Schema } from "../store/schema.ts";
import { newestOf } from "./collection-work.ts";
import { FeedWriter } from "./feed-writer.ts";
import type { Harvester } from "./harvester.ts";
import { selectAndRemember } from "./selection.ts";

/**
 * Records pushed changes that are in no list yet; the list repeats them later. The caller locks the
 * source. Returns how many are in new entries.
 */
export async function recordPushed(
  transaction: Transaction<Schema>,
  harvester: Harvester,
  row: CollectionRow,
  notification: Omit<ListReading, "url">,
): Promise<number> {
  const stated = identifiedIn({ ...notification, url: "" }, row.base_url);
  if (stated.length === 0) return 0;
  const nowhere = { lists: new Map(), dropped: [], isComplete: false };
  const pushed = { row, stated, ...nowhere };
  const [selected] = await selectAndRemember(transaction, [pushed], harvester.now());
  if (selected === undefined) return 0;
  const { selection } = selected;
  await updateCollections(transaction, [{ ...row, newest: newestOf(row, selection) }], []);
  const writer = new FeedWriter(transaction, harvester);
  const told = await writer.write([{ row, changes: selection.changes }]);
  if (harvester.settings.hasHub) await askForPings(transaction, writer.news, harvester.now());
  await appendToFeeds(transaction, writer.news, harvester.now());
  return told.get(row.id) ?? 0;
}
