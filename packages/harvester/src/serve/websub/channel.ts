import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { NotificationChannel } from "../../read/reading.ts";
import type { Schema } from "../../store/schema.ts";

/**
 * Keeps where a collection's changes are pushed from. A channel that is new will be subscribed to; one that
 * the collection has no longer will be unsubscribed from (Change Notification 1.0.1, section 5).
 *
 * @param now UTC seconds
 */
export async function keepChannel(
  database: Kysely<Schema>,
  collectionId: number,
  channel: NotificationChannel | undefined,
  now: number,
): Promise<void> {
  const known = await database
    .selectFrom("subscription")
    .select(["topic", "hub"])
    .where("collection_id", "=", collectionId)
    .executeTakeFirst();
  if (known?.topic === channel?.topic && known?.hub === channel?.hub) return;
  await database
    .updateTable("subscription")
    .set({ collection_id: null })
    .where("collection_id", "=", collectionId)
    .execute();
  if (channel === undefined) return;
  const { topic, hub } = channel;
  await database
    .insertInto("subscription")
    .values({
      collection_id: collectionId,
      topic,
      hub,
      token: randomBytes(24).toString("base64url"),
      // WebSub, section 5.1: less than 200 bytes.
      secret: randomBytes(32).toString("hex"),
      state: "wanted",
      due_at: now,
    })
    .execute();
}
