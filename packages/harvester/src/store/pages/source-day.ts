import type { Selectable } from "kysely";
import type { Addition } from "../dialects.ts";
import type { SourceDayTable } from "../schema.ts";

const DAY = 86_400;

/** Entries of a source that the first page shows of a day. */
const SHOWN = 3;

/** An entry's place in its source's feed, and its time. */
export interface PlacedEntry {
  readonly number: number;
  /** UTC seconds. */
  readonly time: number;
}

type SourceDay = Selectable<SourceDayTable>;

/** The shown entries of a day, the newest first. */
export function newestOf({ newest }: Pick<SourceDay, "newest">): readonly PlacedEntry[] {
  return JSON.parse(newest);
}

/** What `addedToDays` reads. */
export const DAY_COLUMNS = ["day", "entries", "newest"] as const;

/**
 * Counts new entries of a source by the days of their times. The caller has locked the source's feed.
 *
 * @param known a JSON array of the rows of these days
 */
export function addedToDays(
  source_id: number,
  added: readonly PlacedEntry[],
  known: string,
): Addition {
  const found: readonly Pick<SourceDay, (typeof DAY_COLUMNS)[number]>[] = JSON.parse(known);
  const byDay = new Map(found.map((one) => [one.day, one]));
  const rows = [...Map.groupBy(added, ({ time }) => dayOf(time))].map(([day, entries]) => {
    const before = byDay.get(day);
    const newest = [...(before === undefined ? [] : newestOf(before)), ...entries]
      .map(({ number, time }) => ({ number, time }))
      .sort((one, other) => other.time - one.time || other.number - one.number)
      .slice(0, SHOWN);
    return {
      source_id,
      day,
      entries: (before?.entries ?? 0) + entries.length,
      last: entries.at(-1)?.number ?? 0,
      newest: JSON.stringify(newest),
      time: newest[0]?.time ?? 0,
    };
  });
  return { table: "source_day", rows, conflict: ["source_id", "day"] };
}

/** The day of a time, as `source_day` counts days. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY);
}
