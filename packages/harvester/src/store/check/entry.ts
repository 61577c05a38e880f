import { type EntryExtract, quotesToAttribute } from "@rs-emit/feeds";
import type { ListedChange } from "@rs-emit/reader";
import { sql } from "kysely";
import { holdingHorizon } from "../committed-entries.ts";
import {
  type Addition,
  compiledOnce,
  insertion,
  isAmong,
  isAmongIds,
  type ManyRows,
  toJson,
} from "../dialects.ts";
import { inParts } from "../in-parts.ts";
import type { Database, ShownIn } from "../schema.ts";

/** A change that an entry is to report. */
export interface NewChange extends ListedChange {
  /** What it reports, whichever collection of its source does. */
  readonly event: string;
}

export interface NewEntry {
  /** The group's name in the collection. */
  readonly name: string;
  /** UTC seconds. */
  readonly time: number;
  readonly changes: readonly NewChange[];
  /** The harvester's own words on it. */
  readonly note: string | undefined;
  /** What the collection's feed shows. */
  readonly own: EntryExtract<NewChange>;
  /** What feeds of several collections show. */
  readonly combined: EntryExtract<NewChange>;
}

/** Whether feeds of several collections leave an entry out: other collections have reported all that it does. */
export function isRepeat({ changes, combined }: Pick<NewEntry, "changes" | "combined">): boolean {
  return changes.length > 0 && combined.shown.size === 0;
}

/** Whether it says something of the site's feed, and is no news: the feed of everything and the first page leave it out. */
export function isAnnouncement({ changes }: Pick<NewEntry, "changes">): boolean {
  return changes.length === 0;
}

/** An entry of a collection. */
type OwnedEntry = NewEntry & { readonly collectionId: number };

type StoredEntry = OwnedEntry & { readonly id: number };

/** Returns them with ids, which grow in this order. An entry never grows: a repeated name starts another part. */
export async function addEntries(
  database: Database,
  entries: readonly OwnedEntry[],
  takenAt: number,
): Promise<readonly StoredEntry[]> {
  if (entries.length === 0) return [];
  const values = entries.map(({ collectionId, name, time, changes, own, combined, note }) => ({
    collection_id: collectionId,
    name,
    time,
    taken_at: takenAt,
    counts: JSON.stringify(own.counts),
    combined_counts: combined === own ? null : JSON.stringify(combined.counts),
    note: note ?? null,
    is_combined: Number(!isAnnouncement({ changes }) && !isRepeat({ changes, combined })),
  }));
  const { rows } = await ADD_ENTRIES(database, values);
  const ids = new Map(rows.map(({ id, collection_id, name }) => [`${collection_id} ${name}`, id]));
  return entries.map((entry) => {
    const id = ids.get(`${entry.collectionId} ${entry.name}`);
    if (id === undefined) throw new Error(`the database gave the entry ${entry.name} no id`);
    return { ...entry, id };
  });
}

const ADD_ENTRIES = compiledOnce<
  Addition["rows"],
  { readonly id: number; readonly collection_id: number; readonly name: string }
>((given, database, rows) => {
  const added = insertion(database, { table: "entry", rows }, given(toJson), { part: NEXT_PART });
  return sql`${holdingHorizon(database, added)} RETURNING id, collection_id, name`;
});

const NEXT_PART = sql`(SELECT coalesce(max(known.part), 0) + 1 FROM entry AS known
  WHERE known.collection_id = given.collection_id AND known.name = given.name)`;

/** Those of some events that entries report. */
export async function reportedEvents(
  database: Database,
  events: Iterable<string>,
): Promise<Set<string>> {
  const reported = new Set<string>();
  for (const some of inParts(events)) {
    const { rows } = await REPORTED(database, some);
    for (const { event } of rows) reported.add(event);
  }
  return reported;
}

const REPORTED = compiledOnce<readonly string[], { readonly event: string }>((given, database) => {
  const events = given((events) => events);
  return sql`SELECT DISTINCT event FROM change WHERE ${isAmong(database, "event", events)}`;
});

/** A change in an entry. */
interface ReportedChange {
  readonly url: string;
  readonly kind: ListedChange["kind"];
  /** When it was taken into an entry: UTC seconds. */
  readonly taken_at: number;
}

interface ReportedOptions {
  /** Those seen by comparing lists; else those that the author reported. */
  readonly isCompared: boolean;
  /** When they were taken at the earliest, UTC seconds. */
  readonly since: number;
}

/** The changes that a source's entries report, the oldest first. */
export async function* reportedChanges(
  database: Database,
  source: number,
  { isCompared, since }: ReportedOptions,
): AsyncGenerator<readonly ReportedChange[]> {
  const entries = await database
    .selectFrom("collection")
    .innerJoin("entry", "entry.collection_id", "collection.id")
    .innerJoin("change", "change.entry_id", "entry.id")
    .select(({ fn }) => ["entry.id", fn.countAll<number>().as("changes")])
    .where("collection.source_id", "=", source)
    .where("collection.is_compared", "=", Number(isCompared))
    .where("entry.taken_at", ">=", since)
    .groupBy("entry.id")
    .orderBy("entry.id")
    .execute();
  for (const some of inParts(entries, { sizeOf: ({ changes }) => changes })) {
    yield database
      .selectFrom("change")
      .innerJoin("entry", "entry.id", "change.entry_id")
      .select(["change.url", "change.kind", "entry.taken_at"])
      .where(
        isAmongIds(
          database,
          "change.entry_id",
          some.map(({ id }) => id),
        ),
      )
      .orderBy("change.entry_id")
      .orderBy("change.id")
      .execute();
  }
}

/** Adds what entries report. */
export function addedChanges(entries: readonly StoredEntry[]): ManyRows {
  return { table: "change", rows: changeRows(entries) };
}

function* changeRows(entries: readonly StoredEntry[]) {
  for (const entry of entries) {
    for (const change of entry.changes) {
      yield {
        entry_id: entry.id,
        url: change.url,
        kind: change.kind,
        datetime: change.datetime,
        lastmod: change.lastmod ?? null,
        title: change.title ?? null,
        words: change.words ?? null,
        archived: change.archived ?? null,
        moved: change.moved ?? null,
        quotes: change.quotes === undefined ? null : quotesToAttribute(change.quotes),
        is_minor: Number(change.isMinor),
        event: change.event,
        shown_in: shownIn(entry, change),
      };
    }
  }
}

function shownIn({ own, combined }: NewEntry, change: NewChange): ShownIn | null {
  if (own.shown.has(change)) return combined.shown.has(change) ? "both" : "own";
  return combined.shown.has(change) ? "combined" : null;
}
