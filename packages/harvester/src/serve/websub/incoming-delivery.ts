import { createHmac, timingSafeEqual } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { DocumentError, openDocument, secondsOf } from "@rs-emit/documents";
import { AHEAD, Authority, type ListedChange, type ListReading } from "@rs-emit/reader";
import { type ChangeRules, changeOf } from "@rs-emit/reader/read/change";
import { hasPublications } from "@rs-emit/reader/read/read-change-list";
import { recordPushed } from "../../check/check.ts";
import { CRASHED, putOff } from "../../check/crashed-or-slow.ts";
import type { Harvester } from "../../check/harvester.ts";
import { Effort, LONGEST_EFFORT } from "../../check/processor-time.ts";
import { inTransaction } from "../../store/dialects.ts";
import { pollSoon } from "../../store/following/next-check.ts";
import type { Database } from "../../store/schema.ts";
import { lockSource, noteChange } from "../../store/source.ts";
import { collectionOf, findWanted, keepCoveredUntil } from "./subscription-table.ts";

/** A delivery of a hub (WebSub, section 7). */
export interface SentDelivery {
  /** Of the subscription, from the callback's URL. */
  readonly token: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** The header `X-Hub-Signature`. */
  readonly signature: string | undefined;
}

export type Delivered =
  /** The subscription has ended. */
  | { readonly kind: "unwanted" }
  /** It is not signed with the subscription's secret. */
  | { readonly kind: "ignored" }
  | {
      readonly kind: "taken";
      readonly source: number;
      /** New changes. */
      readonly reported: number;
      /** Notifications are missing, or this one is invalid: the source will be checked. */
      readonly hasGap: boolean;
    };

/**
 * Takes a notification (WebSub, section 7; Change Notification 1.0.1, section 4.3). Its changes have the same
 * identity as those in lists: each is reported once, pushed or read. One that takes too long counts as a check that does.
 */
export async function takeDelivery(
  harvester: Harvester,
  { token, body, signature }: SentDelivery,
): Promise<Delivered> {
  const { database, settings } = harvester;
  const wanted = await findWanted(database, token);
  if (wanted === undefined) return { kind: "unwanted" };
  if (!isSigned(body, signature, wanted.secret)) {
    if (signature === undefined) await lookSoon(harvester, wanted.source_id);
    return { kind: "ignored" };
  }
  const site = new Authority([wanted.description_url], settings.allowOtherHosts);
  const effort = new Effort(harvester.processorTime);
  const rules = {
    base: wanted.topic,
    hosts: site.hostsOf(wanted.url),
    useLastmod: settings.useLastmod,
    now: harvester.now(),
  };
  // A source that kept others from their turn is read by its next check, alone.
  const notification =
    wanted.problem_code === CRASHED
      ? undefined
      : await readNotification(effort.ofReading(inPieces(body, harvester.signal)), rules);
  return record(harvester, wanted, notification, effort);
}

/** Bytes that are read before others in the thread have their turn. */
const PIECE = 65_536;

async function* inPieces(body: Uint8Array, signal: AbortSignal | undefined) {
  for (let at = 0; at < body.length; at += PIECE) {
    await setImmediate();
    signal?.throwIfAborted();
    yield body.subarray(at, at + PIECE);
  }
}

export async function isWanted(database: Database, token: string): Promise<boolean> {
  return (await findWanted(database, token)) !== undefined;
}

/** In one transaction, which locks the source against checks. */
async function record(
  harvester: Harvester,
  { id, source_id: sourceId }: { readonly id: number; readonly source_id: number },
  notification: Notification | undefined,
  effort: Effort,
): Promise<Delivered> {
  const { database, now } = harvester;
  return inTransaction(database, async (transaction) => {
    const source = await lockSource(transaction, sourceId);
    const collection = await collectionOf(transaction, id);
    // The source may have been unfollowed a moment ago.
    if (source === undefined || collection === undefined) return { kind: "unwanted" };
    const { covered_until, ...row } = collection;
    const chain = chainOf(notification, covered_until ?? source.last_success, now());
    await keepCoveredUntil(transaction, id, chain.coveredUntil);
    if (chain.hasGap) await pollSoon(transaction, source, now());
    const reported =
      notification === undefined
        ? 0
        : await effort.of(() => recordPushed(transaction, harvester, row, notification));
    if (reported > 0) await noteChange(transaction, sourceId, now());
    if (effort.seconds > LONGEST_EFFORT) await putOff(transaction, source, now());
    return { kind: "taken", source: sourceId, reported, hasGap: chain.hasGap };
  });
}

/** An unsigned delivery is not believed, but a check may be worth while. */
async function lookSoon({ database, now }: Harvester, sourceId: number): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const source = await lockSource(transaction, sourceId);
    if (source !== undefined) await pollSoon(transaction, source, now());
  });
}

/**
 * Whether notifications are missing before this one: they cover consecutive intervals (Change Notification
 * 1.0.1, section 3). Times are UTC seconds.
 * @param notification `undefined` for an invalid one
 * @param coveredUntil the end of what is covered
 */
function chainOf(
  notification: Notification | undefined,
  coveredUntil: number | null,
  now: number,
): { readonly hasGap: boolean; readonly coveredUntil: number | null } {
  const { from, until } = notification ?? {};
  const hasGap =
    from === undefined || until === undefined || coveredUntil === null || from > coveredUntil;
  if (until === undefined) return { hasGap, coveredUntil };
  // The check will find what is missing, so the chain goes on from here. Late ones do not turn it back.
  const covered = Math.min(until, now + AHEAD);
  return { hasGap, coveredUntil: Math.max(covered, coveredUntil ?? covered) };
}

const SIGNATURE = /^(sha1|sha256|sha384|sha512)=([0-9a-f]+)$/i;

/** WebSub, section 7.1. */
function isSigned(body: Uint8Array, signature: string | undefined, secret: string): boolean {
  const [, method, digest] = SIGNATURE.exec(signature?.trim() ?? "") ?? [];
  if (method === undefined || digest === undefined) return false;
  const right = createHmac(method.toLowerCase(), secret).update(body).digest();
  const given = Buffer.from(digest, "hex");
  return given.length === right.length && timingSafeEqual(given, right);
}

/** It covers all changes of an interval, in UTC seconds. */
export interface Notification extends Omit<ListReading, "url"> {
  readonly from: number | undefined;
  readonly until: number | undefined;
}

/** Bytes. More must come in several (Change Notification 1.0.1, section 3). */
export const NOTIFICATION_BYTES = 10_000_000;
const NOTIFICATION_ENTRIES = 50_000;

/** Change Notification 1.0.1, section 3. `undefined` if it is none, or cannot be read to its end. */
async function readNotification(
  bytes: AsyncIterable<Uint8Array>,
  rules: ChangeRules,
): Promise<Notification | undefined> {
  try {
    const document = await openDocument(bytes, {
      bytes: NOTIFICATION_BYTES,
      entries: NOTIFICATION_ENTRIES,
    });
    if (document.kind !== "change-notification") {
      await document.close();
      return undefined;
    }
    const changes: ListedChange[] = [];
    for await (const entry of document) {
      const change = changeOf(entry, rules);
      if (typeof change !== "string") changes.push(change);
    }
    const { metadata } = document.head;
    return {
      from: secondsOf(metadata.from),
      until: secondsOf(metadata.until),
      hasPublications: hasPublications(metadata),
      changes,
    };
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}
