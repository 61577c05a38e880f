import { type Selectable, sql } from "kysely";
import { replacement, rows as rowsOf } from "./portable.ts";
import { idIn } from "./queries/names.ts";
import type { Database, SourceDayTable } from "./schema.ts";

const DAY = 86_400;

/** Entries of a source that the first page shows of a day. */
const SHOWN = 3;

/** An entry's place in its source's feed, and its time. */
export interface PlacedEntry {
  readonly number: number;
  /** UTC seconds. */
  readonly time: number;
}

/** A new entry of a feed. */
export interface NewPlace extends PlacedEntry {
  readonly feed: string;
  readonly id: number;
}

type SourceDay = Selectable<SourceDayTable>;

/** The shown entries of a day, the newest first. */
export function newestOf({ newest }: Pick<SourceDay, "newest">): readonly PlacedEntry[] {
  return JSON.parse(newest);
}

/** Counts new entries of sources by the days of their times. The caller has locked the sources' feeds. */
export async function addToDays(database: Database, added: readonly NewPlace[]): Promise<void> {
  if (added.length === 0) return;
  const groups = Map.groupBy(added, ({ feed, time }) => `${idIn(feed)} ${dayOf(time)}`);
  const days = [...groups.keys()].map((name) => {
    const [source_id = 0, day = 0] = name.split(" ").map(Number);
    return { name, source_id, day };
  });
  const given = rowsOf(database, "given", { source_id: "integer", day: "integer" }, days);
  const { rows } = await sql<SourceDay>`
    SELECT source_day.* FROM ${given} JOIN source_day
      ON source_day.source_id = given.source_id AND source_day.day = given.day`.execute(database);
  const known = new Map(rows.map((row) => [`${row.source_id} ${row.day}`, row]));
  const values = days.map(({ name, source_id, day }) => {
    const before = known.get(name);
    const entries = groups.get(name) ?? [];
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
  await replacement(database, "source_day", ["source_id", "day"], values).execute(database);
}

function dayOf(time: number): number {
  return Math.floor(time / DAY);
}
