import type { Selectable } from "kysely";
import { writeChanged } from "../../store/changed-columns.ts";
import type { CollectionRow } from "../../store/check/collection.ts";
import { isAmongIds } from "../../store/dialects.ts";
import type { Database, PollingTable } from "../../store/schema.ts";
import type { PolledList } from "./read-lists.ts";

export type PollingRow = Selectable<PollingTable>;

/** `undefined` if the site's lists were never read. */
export async function pollingOf(
  database: Database,
  source: number,
): Promise<PollingRow | undefined> {
  return database
    .selectFrom("polling")
    .selectAll()
    .where("source_id", "=", source)
    .executeTakeFirst();
}

/** What is known of a source whose lists are compared: nothing before the first time. */
export interface Compared {
  readonly polling: PollingRow | undefined;
  /** The collection that its changes belong to. */
  readonly collection: CollectionRow | undefined;
}

export async function comparedOf(database: Database, source: number): Promise<Compared> {
  return {
    polling: await pollingOf(database, source),
    collection: await comparedCollection(database, source),
  };
}

/** The collection of a source whose changes are found by comparing lists. */
export async function comparedCollection(
  database: Database,
  source: number,
): Promise<CollectionRow | undefined> {
  return database
    .selectFrom("collection")
    .selectAll()
    .where("source_id", "=", source)
    .where("is_compared", "=", 1)
    .executeTakeFirst();
}

/** Stores the result of a comparison, as far as it differs from the one before. */
export async function keepPolling(
  database: Database,
  before: PollingRow | undefined,
  after: PollingRow,
): Promise<void> {
  if (before === undefined) {
    await database.insertInto("polling").values(after).execute();
    return;
  }
  await writeChanged(database, "polling", ["source_id", after.source_id], before, after);
}

/** A person confirmed that the pages that are missing now are gone. */
export async function confirmGone(database: Database, source: number, now: number): Promise<void> {
  await database
    .updateTable("polling")
    .set({ confirmed_at: now, awaits_confirmation: 0, pages_before: null })
    .where("source_id", "=", source)
    .execute();
}

/** The lists of a site, by their addresses. */
export async function listsOf(
  database: Database,
  source: number,
): Promise<ReadonlyMap<string, PolledList>> {
  const found = await database
    .selectFrom("polled_list")
    .selectAll()
    .where("source_id", "=", source)
    .execute();
  return new Map(
    found.map(({ id, url, etag, last_modified, hash, stamp, parts, pages, ...row }) => {
      const validators = {
        ...(etag === null ? {} : { etag }),
        ...(last_modified === null ? {} : { lastModified: last_modified }),
      };
      const known = { hash: hash ?? undefined, stamp: stamp ?? undefined };
      const names: readonly string[] | undefined = parts === null ? undefined : JSON.parse(parts);
      const { dated: count, unread_dates: unread, only_date, missing_locs: missingLocs } = row;
      const dates = { count, unread, only: only_date ?? undefined };
      const strange: readonly string[] = JSON.parse(row.strange);
      const isBaseline = row.is_baseline === 1;
      const counted = { pages, strange, dates, missingLocs };
      return [url, { id, url, validators, ...known, parts: names, isBaseline, ...counted }];
    }),
  );
}

/**
 * Stores what differs in the lists of a site after a reading, and deletes those that it has no more.
 *
 * @returns the ids of new ones by the numbers that they have had
 */
export async function keepLists(
  database: Database,
  source_id: number,
  before: ReadonlyMap<string, PolledList>,
  lists: readonly PolledList[],
): Promise<ReadonlyMap<number, number>> {
  const ids = new Map<number, number>();
  const left = new Map(before);
  for (const list of lists) {
    const { id: number, url } = list;
    const known = before.get(url);
    left.delete(url);
    if (known === undefined) {
      const { id } = await database
        .insertInto("polled_list")
        .values({ source_id, url, ...listColumns(list) })
        .returning("id")
        .executeTakeFirstOrThrow();
      ids.set(number, id);
      continue;
    }
    const key = ["id", known.id] as const;
    await writeChanged(database, "polled_list", key, listColumns(known), listColumns(list));
  }
  if (left.size === 0) return ids;
  const gone = [...left.values()].map(({ id }) => id);
  await database
    .deleteFrom("polled_list")
    .where(isAmongIds(database, "id", gone))
    .execute();
  return ids;
}

function listColumns({ validators, hash, stamp, parts, pages, dates, ...list }: PolledList) {
  return {
    etag: validators.etag ?? null,
    last_modified: validators.lastModified ?? null,
    hash: hash ?? null,
    stamp: stamp ?? null,
    parts: parts === undefined ? null : JSON.stringify(parts),
    is_baseline: Number(list.isBaseline),
    pages,
    strange: JSON.stringify(list.strange),
    missing_locs: list.missingLocs,
    dated: dates.count,
    unread_dates: dates.unread,
    only_date: dates.only ?? null,
  };
}
