import type { StatedChange } from "../model.ts";
import { type ChangeRules, changeOf } from "./change.ts";
import { UnreadableError } from "./errors.ts";
import type { ReadingLimits } from "./limits.ts";
import { excessOf, type OpenDocument } from "./open-document.ts";
import { OutlineBuilder } from "./outline.ts";
import type { ListReading, Outline } from "./reading.ts";
import { timeOf } from "./time.ts";

/** A Change List that was read to its end. */
export interface ReadList extends ListReading {
  /** The list without its entries. */
  readonly outline: Outline;
  /** Since when the list itself says that it will not grow any more. */
  readonly until: number | undefined;
  readonly entries: number;
  /** Entries that are no changes. */
  readonly ignored: number;
}

/**
 * Reads a Change List to its end (ResourceSync 1.1, section 12.1).
 *
 * @throws {UnreadableError} where it stops making sense, or has too many entries: nothing of it counts then
 */
export async function readChangeList(
  opened: OpenDocument,
  rules: Omit<ChangeRules, "base">,
  limits: Pick<ReadingLimits, "entries">,
): Promise<ReadList> {
  const changes: StatedChange[] = [];
  let entries = 0;
  const here = { ...rules, base: opened.base };
  for await (const batch of opened.batches()) {
    entries += batch.length;
    const excess = excessOf(entries, limits.entries, "has", "entries");
    if (excess !== undefined) throw new UnreadableError(opened.url, excess);
    for (const entry of batch) {
      const change = changeOf(entry, here);
      if (change !== undefined) changes.push(change);
    }
  }
  const outline = new OutlineBuilder(opened.base).build(opened.head);
  return {
    url: opened.url,
    from: timeOf(outline.metadata.from),
    until: timeOf(outline.metadata.until),
    changes,
    outline,
    entries,
    ignored: entries - changes.length,
  };
}
