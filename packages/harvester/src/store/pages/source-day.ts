import type { Selectable } from "kysely";
import { insertMany, isAmongIds, replacing } from "../dialects.ts";
import type { Database, SourceDayTable } from "../schema.ts";

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

/** Counts new entries of a source by the days of their times. The caller has locked the source's feed. */
export async function addToDays(
  database: Database,
  source_id: number,
  added: readonly PlacedEntry[],
): Promise<void> {
  if (added.length === 0) return;
  const byDay = Map.groupBy(added, ({ time }) => dayOf(time));
  const rows = await database
    .selectFrom("source_day")
    .selectAll()
    .where("source_id", "=", source_id)
    .where(isAmongIds(database, "day", [...byDay.keys()]))
    .execute();
  const known = new Map(rows.map((row) => [row.day, row]));
  const values = [...byDay].map(([day, entries]) => {
    const before = known.get(day);
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
  await insertMany(database, "source_day", values, replacing(values, ["source_id", "day"]));
}

function dayOf(time: number): number {
  return Math.floor(time / DAY);
}
