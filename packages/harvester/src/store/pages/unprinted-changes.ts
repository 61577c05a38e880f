import { type ChangeKind, formatDatetime } from "@rs-emit/documents";
import { horizonOf } from "../committed-entries.ts";
import { isAmongIds } from "../dialects.ts";
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

/** What `--json` has not printed yet. */
export interface Unprinted {
  /** By source, in the order of the logs. */
  readonly changes: ReadonlyMap<number, readonly ReportedChange[]>;
  /** The last entry that it can have come from. */
  readonly until: number;
}

/** The changes in the entries of some sources since they were printed. */
export async function unprinted(
  database: Database,
  sources: readonly number[],
): Promise<Unprinted> {
  const until = await horizonOf(database);
  const rows = await database
    .selectFrom("source")
    .innerJoin("collection", "collection.source_id", "source.id")
    .innerJoin("entry", "entry.collection_id", "collection.id")
    .innerJoin("change", "change.entry_id", "entry.id")
    .select(["collection.source_id", "collection.url as collection", "change.url"])
    .select(["change.kind", "change.datetime", "change.is_minor"])
    .where(isAmongIds(database, "source.id", sources))
    .whereRef("entry.id", ">", "source.printed_entry")
    .where("entry.id", "<=", until)
    .orderBy("change.datetime")
    .orderBy("change.id")
    .execute();
  const changes = new Map<number, ReportedChange[]>();
  for (const { source_id, collection, url, kind, datetime, is_minor } of rows) {
    const of = changes.get(source_id) ?? [];
    const minor = is_minor === 1 ? ({ minor: true } as const) : {};
    of.push({ url, change: kind, datetime: formatDatetime(datetime), collection, ...minor });
    changes.set(source_id, of);
  }
  return { changes, until };
}

export async function notePrinted(
  database: Database,
  sources: readonly number[],
  until: number,
): Promise<void> {
  await database
    .updateTable("source")
    .set({ printed_entry: until })
    .where(isAmongIds(database, "id", sources))
    .execute();
}
