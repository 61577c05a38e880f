import type { FeedChange, Group, PageCounts } from "@rs-emit/feeds";
import { type Kysely, type Selectable, sql } from "kysely";
import type { ChangeTable, Schema } from "../schema.ts";

/** The changes of an entry. */
export interface ChangesOfEntry {
  /** In the order in which they came. */
  readonly changes: readonly FeedChange[];
  /** How many pages each group has. */
  readonly counts: PageCounts | undefined;
  /** When the last of all its changes was taken. */
  readonly takenAt: number;
}

type ChangeRow = Pick<
  Selectable<ChangeTable>,
  "url" | "kind" | "datetime" | "lastmod" | "title" | "words" | "is_minor" | "taken_at"
> & { readonly entry_id: number; readonly alike: number };

/**
 * The changes of entries, by the entries' ids. An entry may have 50,000: of each kind only the newest are
 * read, and the others counted.
 *
 * @param most how many of each kind
 */
export async function changesOf(
  database: Kysely<Schema>,
  entries: readonly number[],
  most: number,
): Promise<ReadonlyMap<number, ChangesOfEntry>> {
  if (entries.length === 0) return new Map();
  const { rows } = await sql<ChangeRow>`
    SELECT * FROM (
      SELECT entry_id, id, url, kind, datetime, lastmod, title, words, is_minor,
        row_number() OVER (PARTITION BY entry_id, kind, is_minor ORDER BY datetime DESC, id DESC) AS place,
        (count(*) OVER (PARTITION BY entry_id, kind, is_minor))::integer AS alike,
        max(taken_at) OVER (PARTITION BY entry_id) AS taken_at
      FROM change WHERE entry_id IN (${sql.join(entries)})
    ) AS ranked
    WHERE place <= ${most} ORDER BY id`.execute(database);
  const byEntry = Map.groupBy(rows, ({ entry_id }) => entry_id);
  return new Map([...byEntry].map(([entry, changes]) => [entry, toChanges(changes)]));
}

function toChanges(rows: readonly ChangeRow[]): ChangesOfEntry {
  return {
    changes: rows.map(toChange),
    counts: countsOf(rows),
    takenAt: rows[0]?.taken_at ?? 0,
  };
}

function countsOf(rows: readonly ChangeRow[]): PageCounts | undefined {
  const counts: Partial<Record<Group, number>> = {};
  const kinds = Map.groupBy(rows, ({ kind, is_minor }) => `${kind} ${is_minor}`);
  for (const [first] of kinds.values()) {
    if (first === undefined) continue;
    const group = groupOfChange(first);
    counts[group] = (counts[group] ?? 0) + first.alike;
  }
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return all > rows.length ? counts : undefined;
}

function groupOfChange({ kind, is_minor }: ChangeRow): Group {
  if (is_minor) return "minor";
  return kind === "created" ? "new" : kind;
}

function toChange(row: ChangeRow): FeedChange {
  const { url, kind, datetime, lastmod, title, words, is_minor: isMinor } = row;
  return {
    url,
    kind,
    datetime,
    ...(lastmod === null ? {} : { lastmod }),
    ...(title === null ? {} : { title }),
    ...(words === null ? {} : { words }),
    isMinor,
  };
}
