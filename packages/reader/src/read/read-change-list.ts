import { EMIT, type Entry, foreignValue, type Metadata, secondsOf } from "@rs-emit/documents";
import type { ListedChange } from "../model.ts";
import { AHEAD, type ChangeRules, changeOf, readDate } from "./change.ts";
import { unreadableError } from "./errors.ts";
import { excessOf, type OpenDocument, summaryOf } from "./open-document.ts";
import type { ReadingLimits } from "./reading-limits.ts";
import {
  type DocumentSummary,
  IGNORED,
  type Ignored,
  type IgnoredCounts,
  type ListReading,
} from "./reading-result.ts";

interface ReadList extends ListReading {
  readonly summary: DocumentSummary;
  readonly until: number | undefined;
  readonly entries: number;
  readonly ignored: IgnoredCounts;
}

/**
 * Reads a list (ResourceSync 1.1, section 12.1). Gives one up that has more entries than there is room for.
 * @param room entries that this check may still take
 * @throws {HarvestError} nothing counts then
 */
export async function readChangeList(
  opened: OpenDocument,
  rules: Omit<ChangeRules, "base">,
  limits: Pick<ReadingLimits, "entries">,
  room: number,
): Promise<ReadList | undefined> {
  const changes: ListedChange[] = [];
  const ignored: Partial<Record<Ignored, number>> = {};
  let reportableAt = Number.POSITIVE_INFINITY;
  let entries = 0;
  const here = { ...rules, base: opened.base };
  for await (const batch of opened.batches()) {
    entries += batch.length;
    const excess = excessOf(entries, limits.entries, "has", "entries");
    if (excess !== undefined) throw unreadableError(opened.url, excess);
    if (entries > room) return undefined;
    for (const entry of batch) {
      const change = changeOf(entry, here);
      if (typeof change !== "string") changes.push(change);
      else {
        ignored[change] = (ignored[change] ?? 0) + 1;
        if (change === "future") reportableAt = Math.min(reportableAt, reportableTime(entry));
      }
    }
  }
  const head = summaryOf(opened.head, opened.base);
  const summary = Number.isFinite(reportableAt) ? { ...head, reportableAt } : head;
  return {
    url: opened.url,
    until: secondsOf(summary.metadata.until),
    changes,
    hasPublications: hasPublications(opened.head.metadata),
    summary,
    entries,
    ignored,
  };
}

/**
 * Whether changes of one datetime are one publication, as in the lists that rs-emit writes; entries that
 * it adopted were written by another program.
 */
export function hasPublications(metadata: Metadata): boolean {
  const said = (name: string) => foreignValue(metadata, EMIT, name) !== undefined;
  return said("publication") && !said("adopted");
}

/** UTC seconds: from here on `changeOf` takes an entry that is dated in the future. */
function reportableTime({ metadata, lastmod }: Entry): number {
  return (readDate(metadata?.datetime ?? lastmod) ?? Number.POSITIVE_INFINITY) - AHEAD;
}

export function sumOf(one: IgnoredCounts, other: IgnoredCounts): IgnoredCounts {
  return Object.fromEntries(
    IGNORED.flatMap((reason) => {
      const count = (one[reason] ?? 0) + (other[reason] ?? 0);
      return count === 0 ? [] : [[reason, count]];
    }),
  );
}
