import { type Documents, formatDatetime, ListWriter, WRITE_LIMITS } from "@rs-emit/documents";
import { changeToEntry } from "../model/entries.ts";
import { CAPABILITY_LIST, GENERATOR } from "../model/layout.ts";
import type { Change } from "../model/log.ts";
import { CHANGE_LIST_PREFIXES } from "../model/own-attributes.ts";

/** What the newest notification of a collection says. */
export interface NotificationFacts {
  /** The collection's URL. */
  readonly collection: string;
  /** The publication before, UTC seconds; absent for a first one. */
  readonly previous: number | undefined;
  /** The publication, UTC seconds. */
  readonly time: number;
  /** Its log, piece by piece, the newest piece first; each in log order. */
  readonly log: AsyncIterable<readonly Change[]>;
}

/**
 * The notification of the last publication (Change Notification 1.0.1, section 3). Each begins where
 * the one before it ends. A first publication notifies of nothing: nobody has subscribed before it.
 */
export async function composeNotification(facts: NotificationFacts): Promise<Uint8Array> {
  const { collection, previous, time, log } = facts;
  const changes = previous === undefined ? [] : await changesAfter(log, previous);
  // There is no index of notifications: a follower finds by the gap that it has to look.
  const isWhole = changes.length <= WRITE_LIMITS.entries;
  const from = isWhole ? (previous ?? time) : time;
  const writer = new ListWriter(head(collection, from, time), { prefixes: CHANGE_LIST_PREFIXES });
  for (const change of isWhole ? changes : []) writer.add(changeToEntry(change));
  return writer.finish();
}

function head(
  collection: string,
  from: number,
  until: number,
): Omit<Documents["change-notification"], "entries"> {
  return {
    root: "urlset",
    comments: [GENERATOR],
    metadata: {
      capability: "change-notification",
      from: formatDatetime(from),
      until: formatDatetime(until),
    },
    links: [{ rel: "up", href: collection + CAPABILITY_LIST }],
  };
}

async function changesAfter(
  log: AsyncIterable<readonly Change[]>,
  time: number,
): Promise<readonly Change[]> {
  const newestFirst: Change[] = [];
  for await (const piece of log) {
    const newer = piece.filter(({ datetime }) => datetime > time);
    newestFirst.push(...newer.toReversed());
    if (newer.length < piece.length) break;
  }
  return newestFirst.reverse();
}
