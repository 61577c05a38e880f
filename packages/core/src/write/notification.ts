import {
  type ChangeEntry,
  formatDatetime,
  ListWriter,
  type WriteLimits,
  type WriteOptions,
} from "@rs-emit/documents";
import { CAPABILITY_LIST, GENERATOR } from "../model/layout.ts";
import type { Change, ChangeInterval } from "../model/log.ts";
import { CHANGE_LIST_PREFIXES, changeToEntry } from "../model/log-attributes.ts";
import type { PublishedChanges } from "../recall/published-changes.ts";
import { publicationAttributes } from "./change-lists.ts";
import { untold } from "./notified.ts";

interface NotificationFacts {
  readonly collection: string;
  readonly interval: ChangeInterval;
  /** Newest first; read only as far as needed. */
  readonly log: AsyncIterable<Change>;
  readonly limits?: Partial<WriteLimits> | undefined;
}

/**
 * Newest first (Change Notification 1.0.1, section 3). Each is full except the oldest. Without changes there is
 * none: no sitemap is empty.
 */
export async function* composeNotifications(facts: NotificationFacts): AsyncGenerator<Uint8Array> {
  const { collection, interval, log, limits } = facts;
  const of = { collection, publication: interval.until };
  let writer: NotificationWriter | undefined;
  for await (const change of log) {
    if (change.datetime <= interval.from) break;
    const entry = changeToEntry(change);
    if (writer?.prepend(entry)) continue;
    if (writer !== undefined) yield writer.finish(change.datetime);
    const until = writer === undefined ? interval.until : change.datetime;
    writer = new NotificationWriter(of, until, limits);
    writer.prepend(entry);
  }
  if (writer !== undefined) yield writer.finish(interval.from);
}

interface TopicFacts extends Omit<NotificationFacts, "interval" | "log"> {
  readonly told: ChangeInterval;
  readonly time: number;
  readonly previous: number | undefined;
  readonly log: () => AsyncIterable<Change>;
}

/**
 * The document at the topic's URL: the newest changes that nobody was told of, else those that were told last.
 * `notify` sends the others.
 */
export async function composeTopic(facts: TopicFacts): Promise<Uint8Array | undefined> {
  const { told, time, log, ...of } = facts;
  const last = { from: told.from, until: Math.min(told.until, time) };
  for (const interval of [untold(told, facts), last]) {
    for await (const bytes of composeNotifications({ ...of, interval, log: log() })) return bytes;
  }
  return undefined;
}

/**
 * The notifications of a collection, in the order of sending; none without changes. The last is the document at
 * the topic's URL.
 * @throws {EmitError} `DAMAGED_DOCUMENT` `MISSING_DOCUMENT` `NO_LOG`
 */
export async function publishedNotifications(
  published: PublishedChanges,
  collection: string,
  interval: ChangeInterval,
  limits?: Partial<WriteLimits>,
): Promise<readonly Uint8Array[]> {
  const log = published.read([collection], interval.from);
  const newestFirst: Uint8Array[] = [];
  for await (const bytes of composeNotifications({ collection, interval, log, limits })) {
    newestFirst.push(bytes);
  }
  return newestFirst.reverse();
}

interface NotificationOf {
  readonly collection: string;
  readonly publication: number;
}

/** Takes entries newest first, and writes them oldest first. */
class NotificationWriter {
  readonly #of: NotificationOf;
  readonly #until: number;
  readonly #options: WriteOptions;
  readonly #newestFirst: ChangeEntry[] = [];
  /** Measures when the document is full: the size does not depend on the order. */
  readonly #measure: ListWriter;

  constructor(of: NotificationOf, until: number, limits: Partial<WriteLimits> = {}) {
    this.#of = of;
    this.#until = until;
    this.#options = { ...limits, prefixes: CHANGE_LIST_PREFIXES };
    this.#measure = this.#begin(until);
  }

  /** @returns `false` where it would exceed a limit */
  prepend(entry: ChangeEntry): boolean {
    const fits = this.#measure.add(entry);
    this.#measure.take();
    if (fits) this.#newestFirst.push(entry);
    return fits;
  }

  finish(from: number): Uint8Array {
    const writer = this.#begin(from);
    for (const entry of this.#newestFirst.toReversed()) writer.add(entry);
    return writer.finish();
  }

  #begin(from: number): ListWriter {
    return new ListWriter(
      {
        root: "urlset",
        comments: [GENERATOR],
        metadata: {
          capability: "change-notification",
          from: formatDatetime(from),
          until: formatDatetime(this.#until),
          foreign: publicationAttributes(this.#of.publication),
        },
        links: [{ rel: "up", href: this.#of.collection + CAPABILITY_LIST }],
      },
      this.#options,
    );
  }
}
