import type { Transaction } from "kysely";
import { identifiedIn } from "../changes/select-new.ts";
import type { ListReading } from "../read/reading.ts";
import type { CollectionRow } from "../store/collection.ts";
import { appendToFeeds } from "../store/feed.ts";
import { askForPings } from "../store/ping.ts";
import type { Schema } from "../store/schema.ts";
import { countReported, decideLog } from "./decide-collections.ts";
import { foundNowhere } from "./found.ts";
import type { Harvester } from "./harvester.ts";
import { recallChanges } from "./memory.ts";
import { storeCollections } from "./store.ts";

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
  const { settings } = harvester;
  const now = harvester.now();
  const stated = identifiedIn({ ...notification, url: "" }, row.base_url);
  if (stated.length === 0) return 0;
  const [known] = await recallChanges(transaction, [foundNowhere(row, stated)], now);
  if (known === undefined) return 0;
  const decision = decideLog(known, {}, { settings, now });
  const news = await storeCollections(transaction, [decision], new Map(), now);
  if (settings.hasHub) await askForPings(transaction, news, now);
  await appendToFeeds(transaction, news, now);
  return countReported([decision]);
}
