import { readFileSync } from "node:fs";
import {
  EMIT,
  foreignValue,
  ListWriter,
  parseDatetime,
  readDocumentSync,
  type WriteLimits,
} from "@rs-emit/documents";
import { CHANGE_LIST_PREFIXES } from "../model/vocabulary.ts";
import { changeListHead } from "./head.ts";

/** A list keeps its entries, though a longer base may take it past the limits it was written to. */
const NO_LIMITS: WriteLimits = {
  entries: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
};

/**
 * A Change List of a site that has moved: the base is rewritten everywhere, nothing else.
 *
 * @param collection the collection's URL, where it stands now
 */
export function moveList(file: string, collection: string, from: string, to: string): Uint8Array {
  const { metadata, entries } = readDocumentSync(readFileSync(file));
  const publication = seconds(foreignValue(metadata, EMIT, "publication") ?? metadata.from);
  const head = changeListHead(collection, seconds(metadata.from), publication);
  const writer = new ListWriter(head, { ...NO_LIMITS, prefixes: CHANGE_LIST_PREFIXES });
  for (const entry of entries) {
    writer.add({ ...entry, loc: to + entry.loc.slice(from.length) });
  }
  return writer.finish(metadata.until === undefined ? {} : { until: metadata.until });
}

function seconds(datetime: string | undefined): number {
  return datetime === undefined ? 0 : parseDatetime(datetime).seconds;
}
