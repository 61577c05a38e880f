import { type ChangeKind, formatDatetime } from "@rs-emit/documents";
import { ids } from "../portable.ts";
import type { Database } from "../schema.ts";

/** A change that became part of a feed, for programs. */
export interface ReportedChange {
  readonly url: string;
  readonly change: ChangeKind;
  readonly datetime: string;
  /** The canonical URL of its collection. */
  readonly collection: string;
  /** Feeds show it only to those who ask for minor changes. */
  readonly minor?: true;
}

/** The id of the newest entry; 0 where there is none. */
export async function newestEntry(database: Database): Promise<number> {
  const row = await database
    .selectFrom("entry")
    .select(({ fn }) => fn.max("id").as("id"))
    .executeTakeFirst();
  return Number(row?.id ?? 0);
}

/** The changes in the entries of some sources after an entry, by source, in the order of the logs. */
export async function reportedAfter(
  database: Database,
  entry: number,
  sources: readonly number[],
): Promise<ReadonlyMap<number, readonly ReportedChange[]>> {
  const rows = await database
    .selectFrom("entry")
    .innerJoin("change", "change.entry_id", "entry.id")
    .innerJoin("collection", "collection.id", "entry.collection_id")
    .select(["collection.source_id", "collection.url as collection", "change.url"])
    .select(["change.kind", "change.datetime", "change.is_minor"])
    .where("entry.id", ">", entry)
    .where("collection.source_id", "in", ids(database, sources))
    .orderBy("change.datetime")
    .orderBy("change.id")
    .execute();
  const bySource = new Map<number, ReportedChange[]>();
  for (const { source_id, collection, url, kind, datetime, is_minor } of rows) {
    const of = bySource.get(source_id) ?? [];
    const minor = is_minor === 1 ? ({ minor: true } as const) : {};
    of.push({ url, change: kind, datetime: formatDatetime(datetime), collection, ...minor });
    bySource.set(source_id, of);
  }
  return bySource;
}
