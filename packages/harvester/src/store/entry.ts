import { type EntryExtract, quotesToAttribute } from "@rs-emit/feeds";
import { sql } from "kysely";
import type { StatedChange } from "../model.ts";
import { inParts, insertion, insertMany, pairs, rows as rowsOf } from "./portable.ts";
import type { Database, ShownIn } from "./schema.ts";

/** A change that an entry is to report. */
export interface NewChange extends StatedChange {
  /** What it reports, whichever collection does. */
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
  readonly joint: EntryExtract<NewChange>;
}

/** An entry of a collection. */
type OwnedEntry = NewEntry & { readonly collectionId: number };

/** Returns ids in order. An entry never grows: a repeated name starts another part. */
export async function addEntries(
  database: Database,
  entries: readonly OwnedEntry[],
  takenAt: number,
): Promise<readonly number[]> {
  if (entries.length === 0) return [];
  const parts = await lastParts(database, entries);
  const values = entries.map(({ collectionId, name, time, own, joint, note }) => ({
    collection_id: collectionId,
    name,
    part: (parts.get(`${collectionId} ${name}`) ?? 0) + 1,
    time,
    taken_at: takenAt,
    counts: JSON.stringify(own.counts),
    joint_counts: joint === own ? null : JSON.stringify(joint.counts),
    note: note ?? null,
  }));
  const { rows } = await sql<{ id: number; collection_id: number; name: string }>`
    ${insertion(database, "entry", values)} ORDER BY time, name
    RETURNING id, collection_id, name`.execute(database);
  const ids = new Map(rows.map(({ id, collection_id, name }) => [`${collection_id} ${name}`, id]));
  const added = entries.map(
    ({ collectionId, name }) => ids.get(`${collectionId} ${name}`) ?? Number.NaN,
  );
  await addChanges(database, entries, added);
  return added;
}

/** By collection and name. */
async function lastParts(
  database: Database,
  entries: readonly OwnedEntry[],
): Promise<ReadonlyMap<string, number>> {
  const named = entries.map(({ collectionId, name }) => [collectionId, name] as const);
  const { rows } = await sql<{ collection_id: number; name: string; part: number }>`
    SELECT collection_id, name, max(part) AS part FROM entry
    WHERE (collection_id, name) IN ${pairs(database, named)} GROUP BY collection_id, name`.execute(
    database,
  );
  return new Map(rows.map(({ collection_id, name, part }) => [`${collection_id} ${name}`, part]));
}

/** Those of some events that entries of their sources report, each as `source event`. */
export async function reportedEvents(
  database: Database,
  events: readonly { readonly source_id: number; readonly event: string }[],
): Promise<Set<string>> {
  const reported = new Set<string>();
  for (const some of inParts(events)) {
    const given = rowsOf(database, "given", { source_id: "integer", event: "text" }, some);
    const { rows } = await sql<{ source_id: number; event: string }>`
      SELECT given.source_id, given.event FROM ${given}
        JOIN change ON change.event = given.event JOIN entry ON entry.id = change.entry_id
        JOIN collection ON collection.id = entry.collection_id
          AND collection.source_id = given.source_id`.execute(database);
    for (const { source_id, event } of rows) reported.add(`${source_id} ${event}`);
  }
  return reported;
}

/** Changes in one answer of the database. */
const CHANGES_AT_ONCE = 5_000;

/** A change that an author reported. */
interface ReportedChange {
  readonly url: string;
  readonly kind: StatedChange["kind"];
  /** When it was taken into an entry: UTC seconds. */
  readonly taken_at: number;
}

/**
 * The changes that a source's author reported, the oldest first. Those seen by comparing lists are left out.
 *
 * @param since when they were taken at the earliest, UTC seconds
 */
export async function* authorChanges(
  database: Database,
  source: number,
  since: number,
): AsyncGenerator<readonly ReportedChange[]> {
  for (let last = 0; ; ) {
    const { rows } = await sql<ReportedChange & { id: number }>`
      SELECT change.id, change.url, change.kind, entry.taken_at FROM collection
        JOIN entry ON entry.collection_id = collection.id JOIN change ON change.entry_id = entry.id
      WHERE collection.source_id = ${source} AND collection.is_compared = 0
        AND entry.taken_at >= ${since} AND change.id > ${last}
      ORDER BY change.id LIMIT ${CHANGES_AT_ONCE}`.execute(database);
    yield rows;
    last = rows.at(-1)?.id ?? 0;
    if (rows.length < CHANGES_AT_ONCE) return;
  }
}

const CHANGE = {
  entry_id: "integer",
  url: "text",
  kind: "text",
  datetime: "number",
  lastmod: "number",
  title: "text",
  words: "text",
  archived: "text",
  moved: "text",
  quotes: "text",
  is_minor: "integer",
  event: "text",
  shown_in: "text",
} as const;

async function addChanges(
  database: Database,
  entries: readonly NewEntry[],
  ids: readonly number[],
): Promise<void> {
  const values = entries.flatMap((entry, at) =>
    entry.changes.map((change) => ({
      entry_id: ids[at] ?? Number.NaN,
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
    })),
  );
  await insertMany(database, "change", CHANGE, values);
}

function shownIn({ own, joint }: NewEntry, change: NewChange): ShownIn | null {
  if (own.shown.has(change)) return joint.shown.has(change) ? "both" : "own";
  return joint.shown.has(change) ? "joint" : null;
}
