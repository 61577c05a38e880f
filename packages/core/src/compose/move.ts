import { readFileSync } from "node:fs";
import { ListWriter, parseDatetime, readDocumentSync, type WriteLimits } from "@rs-emit/documents";
import { changeListHead } from "../append/head.ts";
import { foreignValue } from "../entries.ts";
import { CHANGE_LIST_PREFIXES, EMIT } from "../vocabulary.ts";

/** A Change List of a site that has moved: the base is rewritten everywhere, nothing else. */
export function moveList(
  file: string,
  site: {
    /** The collection's URL, where it stands now. */
    readonly collection: string;
    readonly from: string;
    readonly to: string;
    readonly limits: Partial<WriteLimits>;
  },
): Uint8Array {
  const { metadata, entries } = readDocumentSync(readFileSync(file));
  const publication = seconds(foreignValue(metadata, EMIT, "publication") ?? metadata.from);
  const head = changeListHead(site.collection, seconds(metadata.from), publication);
  const writer = new ListWriter(head, { ...site.limits, prefixes: CHANGE_LIST_PREFIXES });
  for (const entry of entries) {
    writer.add({ ...entry, loc: site.to + entry.loc.slice(site.from.length) });
  }
  return writer.finish(metadata.until === undefined ? {} : { until: metadata.until });
}

function seconds(datetime: string | undefined): number {
  return datetime === undefined ? 0 : parseDatetime(datetime).seconds;
}
