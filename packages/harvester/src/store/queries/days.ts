import type { Database } from "../schema.ts";
import { entriesAt, type ListedEntry } from "./entries.ts";
import { descriptionIn, nameOf, type Places, siteOf } from "./names.ts";

export interface SourceOnDay {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly source: {
    readonly id: number;
    readonly title: string;
    readonly language: string | undefined;
    readonly host: string;
  };
  /** Newest first; not all. */
  readonly entries: readonly ListedEntry[];
  /** Entries of that day that are not in `entries`. */
  readonly more: number;
}

/** The last item of the previous page. */
export interface DayCursor {
  readonly takenAt: number;
  readonly source: number;
}

export interface LatestDays {
  readonly items: readonly SourceOnDay[];
  /** Where the next page starts; `undefined` at the end. */
  readonly before: DayCursor | undefined;
}

/** Sources per page, and entries shown of each. */
const MOST = { sources: 20, entries: 3 } as const;

export async function latestDays(
  database: Database,
  places: Places,
  before?: DayCursor,
): Promise<LatestDays> {
  const found = await database
    .selectFrom("source_day")
    .innerJoin("source", "source.id", "source_day.source_id")
    .select(["source_day.day", "source_day.entries", "source_day.last", "source_day.taken_at"])
    .select(["source.id", "source.address", "source.description_url", "source.host"])
    .select(["source.description", "source.name"])
    .where("source.state", "!=", "unfollowed")
    .$if(before !== undefined, (query) =>
      query.where((is) =>
        is(
          is.refTuple("source_day.taken_at", "source_day.source_id"),
          "<",
          is.tuple(before?.takenAt ?? 0, before?.source ?? 0),
        ),
      ),
    )
    .orderBy("source_day.taken_at", "desc")
    .orderBy("source_day.source_id", "desc")
    .limit(MOST.sources + 1)
    .execute();
  const rows = found.slice(0, MOST.sources);
  const last = found.length > MOST.sources ? rows.at(-1) : undefined;
  const entries = await entriesAt(database, rows.flatMap(shownPlaces), places);
  return {
    items: rows.map((row) => {
      const shown = shownPlaces(row).flatMap(
        ([number, feed]) => entries.get(feed)?.get(number) ?? [],
      );
      const description = descriptionIn(row.description);
      return {
        day: row.day,
        source: {
          id: row.id,
          title: row.name ?? nameOf(description, siteOf(row)),
          language: row.name === null ? description?.language : undefined,
          host: row.host,
        },
        entries: shown,
        more: row.entries - shown.length,
      };
    }),
    before: last === undefined ? undefined : { takenAt: last.taken_at, source: last.id },
  };
}

function shownPlaces(row: {
  readonly id: number;
  readonly entries: number;
  readonly last: number;
}) {
  const count = Math.min(row.entries, MOST.entries);
  const feed = `source/${row.id}` as const;
  return Array.from({ length: count }, (_, at) => [row.last - at, feed] as const);
}
