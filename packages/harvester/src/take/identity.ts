import { createHash } from "node:crypto";
import type { StatedChange } from "../model.ts";
import type { ListReading } from "../read/reading.ts";
import { relativeUrl } from "./url.ts";

/** A change, and what tells it from all others of its collection. */
export interface IdentifiedChange extends StatedChange {
  /** 16 bytes, written as a UUID. */
  readonly identity: string;
  /** The resource's, of the same form. */
  readonly resource: string;
  /** The list it stands in. */
  readonly list: string;
}

/**
 * The changes of a list with their identities: URL within the collection, instant, kind, and the count
 * among equals in the list (design, "The harvester").
 */
export function identify(list: ListReading, collection: string): IdentifiedChange[] {
  const counts = new Map<string, number>();
  return list.changes.map((change) => {
    const url = relativeUrl(change.url, collection);
    const event = JSON.stringify([url, change.datetime, change.kind]);
    const count = (counts.get(event) ?? 0) + 1;
    counts.set(event, count);
    return {
      ...change,
      identity: digest(`${count} ${event}`),
      resource: digest(url),
      list: list.url,
    };
  });
}

/** 16 bytes of a text's SHA-256, as databases write a UUID. */
export function digest(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
