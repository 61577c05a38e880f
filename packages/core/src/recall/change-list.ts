import type { Entry } from "@rs-emit/documents";
import { type Digest, digestBytes } from "../model/digest.ts";
import { entryToChange } from "../model/entries.ts";
import type { Change, ChangeListReference } from "../model/types.ts";
import { DamagedDocumentError } from "./errors.ts";
import type { Place } from "./place.ts";
import { guard, optionalTime, ownValue, parseOurs, requiredTime } from "./read.ts";

/** A Change List that was looked at: parsed unless it is just as the index says. */
export interface FoundList {
  readonly reference: ChangeListReference;
  readonly entries?: readonly Change[];
  readonly publication?: number;
  /** Parses an open list that was not: only a run that continues it needs its entries. */
  readonly parse?: () => Promise<ParsedList>;
}

/** A Change List that was parsed. */
export type ParsedList = Required<Omit<FoundList, "parse">>;

/**
 * Parses a Change List of ours.
 *
 * @param digest what the store said of its bytes
 * @throws {DamagedDocumentError}
 */
export async function parseList(place: Place, name: string, digest: Digest): Promise<ParsedList> {
  const { store } = place;
  const document = place.path(name);
  const bytes = await store.bytes(document);
  if (bytes === undefined || digestBytes(bytes).hash !== digest.hash) {
    throw new DamagedDocumentError(document, store.place, "it changes while it is read.");
  }
  const parsed = parseOurs(store, document, bytes, ["change-list"]);
  const from = requiredTime(store, document, "from", parsed.metadata.from);
  const until = optionalTime(store, document, "until", parsed.metadata.until);
  const entries = parsed.entries.map((entry) => readChange(place, document, entry));
  let last = from;
  for (const { datetime, url } of entries) {
    if (datetime < last || datetime > (until ?? Number.POSITIVE_INFINITY)) {
      throw new DamagedDocumentError(document, store.place, `the entry ${url} is out of order.`);
    }
    last = datetime;
  }
  return {
    reference: { name, from, ...(until === undefined ? {} : { until }), ...digest },
    entries,
    publication: requiredTime(store, document, "publication", ownValue(parsed, "publication")),
  };
}

function readChange(place: Place, document: string, entry: Entry): Change {
  const change = guard(place.store, document, () => entryToChange(entry));
  if (change === undefined) {
    const why = `the entry ${entry.loc} has no change or no datetime.`;
    throw new DamagedDocumentError(document, place.store.place, why);
  }
  return { ...change, url: place.rebase(document, change.url) };
}
