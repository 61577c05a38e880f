import { descriptionIn, nameOf, type Places, siteOf } from "../../../store/feed-names.ts";
import { sourcesWith } from "../../../store/following/label.ts";
import { entriesAt, type ListedEntry } from "../../../store/pages/entries.ts";
import { newestOf } from "../../../store/pages/source-day.ts";
import type { Database } from "../../../store/schema.ts";

export interface SourceOnDay {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly source: {
    readonly id: number;
    readonly title: string;
    readonly language: string | undefined;
    readonly host: string;
    /** Its own title, where it is called otherwise here. */
    readonly ownTitle: string;
  };
  /** Newest first; not all. */
  readonly entries: readonly ListedEntry[];
  /** Entries of that day that are not in `entries`. */
  readonly more: number;
  /** The last place that an entry of that day has in the source's feed. */
  readonly last: number;
}

/** The last item of the previous page. */
export interface DayCursor {
  readonly time: number;
  readonly source: number;
}

export interface LatestDays {
  readonly items: readonly SourceOnDay[];
  /** Where the next page starts; `undefined` at the end. */
  readonly before: DayCursor | undefined;
}

/** Sources per page. */
const MOST = 20;

/** What of the days is shown. */
interface DayRange {
  readonly before?: DayCursor | undefined;
  /** Of the sources with this label alone. */
  readonly label?: string | undefined;
}

/** By the times of entries, the newest first: what a page shows is in the order that it shows. */
export async function latestDays(
  database: Database,
  places: Places,
  { before, label }: DayRange,
): Promise<LatestDays> {
  const found = await database
    .selectFrom("source_day")
    .innerJoin("source", "source.id", "source_day.source_id")
    .select(["source_day.day", "source_day.entries", "source_day.last"])
    .select(["source_day.newest", "source_day.time"])
    .select(["source.id", "source.address", "source.description_url", "source.host"])
    .select(["source.description", "source.name"])
    .where("source.state", "!=", "unfollowed")
    .$if(label !== undefined, (query) =>
      query.where("source.id", "in", sourcesWith(database, label ?? "")),
    )
    .$if(before !== undefined, (query) =>
      query.where((is) =>
        is(
          is.refTuple("source_day.time", "source_day.source_id"),
          "<",
          is.tuple(before?.time ?? 0, before?.source ?? 0),
        ),
      ),
    )
    .orderBy("source_day.time", "desc")
    .orderBy("source_day.source_id", "desc")
    .limit(MOST + 1)
    .execute();
  const rows = found.slice(0, MOST);
  const last = found.length > MOST ? rows.at(-1) : undefined;
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
          ownTitle: nameOf(description, siteOf(row)),
          language: row.name === null ? description?.language : undefined,
          host: row.host,
        },
        entries: shown,
        more: row.entries - shown.length,
        last: row.last,
      };
    }),
    before: last === undefined ? undefined : { time: last.time, source: last.id },
  };
}

function shownPlaces(row: { readonly id: number; readonly newest: string }) {
  const feed = `source/${row.id}` as const;
  return newestOf(row).map(({ number }) => [number, feed] as const);
}
