import { limitError } from "../errors.ts";
import { WRITE_LIMITS } from "../limits.ts";
import type { AnyDocument, Entry } from "../model.ts";
import type { WriteOptions } from "./checked-document.ts";
import { ListWriter } from "./list-writer.ts";

/**
 * Writes a document of bounded size, such as a Source Description or an index: it is whole in memory, and
 * nothing splits it.
 * @throws {DocumentError} `INVALID_VALUE` `MISSING_VALUE` where something cannot be written, `LIMIT` beyond a
 * limit
 * @param kept entries that another program wrote, which stay as they were read
 */
export function writeBounded(
  document: AnyDocument,
  options: WriteOptions = {},
  kept: readonly Entry[] = [],
): string {
  const limits = { ...WRITE_LIMITS, ...options };
  const writer = new ListWriter(document, options);
  const ours = document.entries.every((entry) => writer.add(entry));
  if (!ours || !kept.every((entry) => writer.keep(entry))) {
    const limit = writer.entries >= limits.entries ? "entries" : "bytes";
    throw limitError(limit, limits[limit], "Split it behind an index.");
  }
  return Buffer.from(writer.finish()).toString();
}
