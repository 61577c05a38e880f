import { type Documents, formatDatetime, ListWriter, WRITE_LIMITS } from "@rs-emit/documents";
import { changeToEntry } from "../model/entries.ts";
import { CAPABILITY_LIST, GENERATOR } from "../model/layout.ts";
import type { Change } from "../model/log.ts";
import { CHANGE_LIST_PREFIXES } from "../model/own-attributes.ts";
import { publicationAttributes } from "./change-lists.ts";

export interface NotificationFacts {
  readonly collection: string;
  readonly previous: number | undefined;
  readonly time: number;
  /** In pieces, newest first, each in log order. */
  readonly log: AsyncIterable<readonly Change[]>;
}

/**
 * Change Notification 1.0.1, section 3. Each begins where the previous one ends. A first
 * publication has no subscribers and notifies of nothing.
 */
export async function composeNotification(facts: NotificationFacts): Promise<Uint8Array> {
  const { collection, previous, time, log } = facts;
  const changes = previous === undefined ? [] : await changesAfter(log, previous);
  // Without an index of notifications, the gap tells followers to read the Change Lists.
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
      foreign: publicationAttributes(until),
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
