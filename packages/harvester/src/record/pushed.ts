import type { Kysely } from "kysely";
import { identifiedIn } from "../changes/identified.ts";
import { selectNew } from "../changes/select-new.ts";
import type { StatedChange } from "../model.ts";
import type { Schema } from "../store/schema.ts";
import { remember, resourcesOf, seenBefore } from "./memory.ts";
import { appendEntries } from "./places.ts";
import { type CollectionRow, type Telling, tell } from "./tell.ts";

/**
 * Keeps changes of a collection that were pushed and stand in no list that was read. One that is read in a
 * list later is a repeat, and one that was read before is a repeat here.
 *
 * The caller holds the source, so that no check of it records at the same time.
 *
 * @returns how many of them entries tell now
 */
export async function recordPushed(
  database: Kysely<Schema>,
  collection: CollectionRow,
  changes: readonly StatedChange[],
  telling: Telling,
): Promise<number> {
  const { id, url, newest, known_from: knownFrom } = collection;
  const stated = identifiedIn({ url: "", from: undefined, changes }, url);
  if (stated.length === 0) return 0;
  const taken = selectNew(stated, undefined, {
    seen: await seenBefore(database, id, stated),
    vanished: [],
    newest: newest ?? undefined,
    knownFrom,
    resources: await resourcesOf(database, id, stated),
  });
  await remember(database, id, taken, () => undefined);
  await database
    .updateTable("collection")
    .set({ newest: taken.newest ?? null })
    .where("id", "=", id)
    .execute();
  const { count, additions } = await tell(database, collection, taken.changes, telling);
  await appendEntries(database, additions);
  return count;
}
