import { DocumentError, openDocument, secondsOf } from "@rs-emit/documents";
import type { StatedChange } from "../../model.ts";
import { type ChangeRules, changeOf } from "../../read/change.ts";

/** A Change Notification that was read whole. Times are UTC seconds. */
export interface Notification {
  /** Since when it tells of every change. */
  readonly from: number | undefined;
  /** Up to when it does. */
  readonly until: number | undefined;
  readonly changes: readonly StatedChange[];
}

/** Bytes of a notification. What is more must come in several (Change Notification 1.0.1, section 3). */
export const MOST_BYTES = 10_000_000;
const MOST_ENTRIES = 50_000;

/**
 * Reads a Change Notification (Change Notification 1.0.1, section 3); entries are taken as those of Change
 * Lists are.
 *
 * @returns `undefined` for what is none, or cannot be understood to its end
 */
export async function readNotification(
  bytes: Uint8Array,
  rules: ChangeRules,
): Promise<Notification | undefined> {
  try {
    const document = await openDocument(bytes, { bytes: MOST_BYTES, entries: MOST_ENTRIES });
    if (document.kind !== "change-notification") {
      await document.close();
      return undefined;
    }
    const changes: StatedChange[] = [];
    for await (const entry of document) {
      const change = changeOf(entry, rules);
      if (typeof change !== "string") changes.push(change);
    }
    const { from, until } = document.head.metadata;
    return { from: secondsOf(from), until: secondsOf(until), changes };
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}
