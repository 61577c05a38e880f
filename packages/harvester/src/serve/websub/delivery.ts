import { type Kysely, sql } from "kysely";
import type { Harvester } from "../../check/harvester.ts";
import { Authority } from "../../read/authority.ts";
import { recordPushed } from "../../record/pushed.ts";
import type { Schema } from "../../store/schema.ts";
import { chainOf } from "./chain.ts";
import { type Notification, readNotification } from "./notification.ts";
import { isSigned } from "./signature.ts";

/** What came of a delivery. */
export type Delivered =
  /** Nobody here wants it any more. */
  | { readonly kind: "unwanted" }
  /** It is not signed with the subscription's secret. */
  | { readonly kind: "ignored" }
  | {
      readonly kind: "taken";
      readonly source: number;
      /** Changes that entries tell now. */
      readonly told: number;
      /** Notifications are missing, or this one makes no sense: the source will be polled. */
      readonly hasGap: boolean;
    };

/**
 * Takes a notification that a hub delivers (WebSub, section 7; Change Notification 1.0.1, section 4.3). Its
 * changes are known by the same identity as those in lists: however often and in whatever order they come,
 * pushed or read, each is told once.
 *
 * @param token the part of the callback's URL that names the subscription
 * @param signature the header `X-Hub-Signature`
 */
export async function takeDelivery(
  harvester: Harvester,
  token: string,
  body: Uint8Array,
  signature: string | undefined,
): Promise<Delivered> {
  const { database, settings } = harvester;
  const wanted = await findWanted(database, token);
  if (wanted === undefined) return { kind: "unwanted" };
  if (!isSigned(body, signature, wanted.secret)) return { kind: "ignored" };
  const authority = new Authority([wanted.description_url], settings.allowOtherHosts);
  const notification = await readNotification(body, {
    base: wanted.topic,
    hosts: authority.hostsOf(wanted.url),
    useLastmod: settings.useLastmod,
  });
  return record(harvester, wanted.id, wanted.source_id, notification);
}

/** Whether deliveries are wanted of a subscription. */
export async function isWanted(database: Kysely<Schema>, token: string): Promise<boolean> {
  return (await findWanted(database, token)) !== undefined;
}

async function findWanted(database: Kysely<Schema>, token: string) {
  return database
    .selectFrom("subscription")
    .innerJoin("collection", "collection.id", "subscription.collection_id")
    .innerJoin("source", "source.id", "collection.source_id")
    .select(["subscription.id", "subscription.topic", "subscription.secret"])
    .select(["collection.source_id", "collection.url"])
    .select("source.description_url")
    .$narrowType<{ description_url: string }>()
    .where("source.description_url", "is not", null)
    .where("subscription.token", "=", token)
    .where("subscription.state", "in", ["asked", "active"])
    .where("source.state", "=", "followed")
    .executeTakeFirst();
}

/** All of it counts, or nothing does. Checks of the source that want to record something wait meanwhile. */
async function record(
  { database, settings, now }: Harvester,
  subscriptionId: number,
  sourceId: number,
  notification: Notification | undefined,
): Promise<Delivered> {
  return database.transaction().execute(async (transaction) => {
    const source = await transaction
      .selectFrom("source")
      .select("last_success")
      .where("id", "=", sourceId)
      .forUpdate()
      .executeTakeFirst();
    const collection = await transaction
      .selectFrom("subscription")
      .innerJoin("collection", "collection.id", "subscription.collection_id")
      .selectAll("collection")
      .select("subscription.told_until")
      .where("subscription.id", "=", subscriptionId)
      .executeTakeFirst();
    // The source may have been left a moment ago.
    if (source === undefined || collection === undefined) return { kind: "unwanted" };
    const chain = chainOf(notification, collection.told_until ?? source.last_success, now());
    const telling = { mode: settings.entries, withMinor: settings.withMinor, now: now() };
    const changes = notification?.changes ?? [];
    const told = await recordPushed(transaction, collection, changes, telling);
    await transaction
      .updateTable("subscription")
      .set({ told_until: chain.toldUntil, has_gap: sql`has_gap OR ${chain.hasGap}` })
      .where("id", "=", subscriptionId)
      .execute();
    if (told > 0) {
      const news = transaction.updateTable("source").set({ last_change: now() });
      await news.where("id", "=", sourceId).execute();
    }
    return { kind: "taken", source: sourceId, told, hasGap: chain.hasGap };
  });
}
