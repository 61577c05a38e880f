import type { Transaction } from "kysely";
import { identifiedIn } from "../changes/identified.ts";
import { selectNew } from "../changes/select-new.ts";
import type { StatedChange } from "../model.ts";
import { type CollectionRow, updateCollections } from "../store/collection.ts";
import { appendToFeeds } from "../store/feed.ts";
import {
  NOWHERE,
  rememberResources,
  rememberSeen,
  resourcesOf,
  seenBefore,
} from "../store/memory.ts";
import { askForPings } from "../store/ping.ts";
import type { Schema } from "../store/schema.ts";
import type { Harvester } from "./harvester.ts";
import { FeedWriter } from "./tell.ts";

/**
 * Keeps changes of a collection that were pushed and stand in no list that was read. One that is read in a
 * list later is a repeat, and one that was read before is a repeat here.
 *
 * The caller holds the source, so that no check of it records at the same time.
 *
 * @returns how many of them entries tell now
 */
export async function recordPushed(
  transaction: Transaction<Schema>,
  harvester: Harvester,
  row: CollectionRow,
  changes: readonly StatedChange[],
): Promise<number> {
  const stated = identifiedIn({ url: "", from: undefined, changes }, row.url);
  if (stated.length === 0) return 0;
  const { id } = row;
  const seen = await seenBefore(
    transaction,
    stated.map(({ identity }) => [id, identity] as const),
  );
  const resources = await resourcesOf(
    transaction,
    stated.map(({ resource }) => [id, resource] as const),
  );
  const selection = selectNew(stated, undefined, {
    seen: seen.get(id) ?? new Map(),
    vanished: [],
    newest: row.newest ?? undefined,
    knownFrom: row.known_from,
    resources: resources.get(id) ?? new Map(),
  });
  await rememberSeen(
    transaction,
    selection.unseen.map(({ identity, datetime }) => ({
      collection_id: id,
      identity,
      document_id: NOWHERE,
      datetime,
    })),
  );
  await rememberResources(
    transaction,
    [...selection.resources].map(([key, state]) => ({ collection_id: id, key, ...state })),
  );
  await updateCollections(transaction, [{ ...row, newest: selection.newest ?? null }], []);
  const writer = new FeedWriter(transaction, harvester);
  const [told = 0] = await writer.tell([{ row, changes: selection.changes }]);
  if (harvester.settings.hasHub) await askForPings(transaction, writer.news, harvester.now());
  await appendToFeeds(transaction, writer.news, harvester.now());
  return told;
}
