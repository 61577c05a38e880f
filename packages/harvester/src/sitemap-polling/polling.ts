import { foldersAbove, isSameHost, relativeTo, siteFolder, urlOf } from "@rs-emit/reader";
import { type Selectable, sql } from "kysely";
import { isAmongIds } from "../store/dialects.ts";
import type { Database, PollingTable } from "../store/schema.ts";
import type { PolledList } from "./read-lists.ts";

export type PollingRow = Selectable<PollingTable>;

/** `undefined` if the site's lists are not polled. */
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

/**
 * The oldest other source that compares the lists of a whole site, and has not found its Source Description yet.
 *
 * @param descriptionUrl of the site
 */
export async function sourcePolling(
  database: Database,
  descriptionUrl: string,
  source: number,
): Promise<number | undefined> {
  const found = await database
    .selectFrom("source")
    .innerJoin("polling", "polling.source_id", "source.id")
    .select(["source.id", "source.address", "polling.roots"])
    .where("source.host", "=", new URL(descriptionUrl).hostname)
    .where("source.polls_sitemap", "=", 1)
    .where("source.description_url", "is", null)
    .where("source.state", "=", "followed")
    .where("source.id", "!=", source)
    .where("polling.began_at", "is not", null)
    .orderBy("source.id")
    .execute();
  const site = siteFolder(descriptionUrl);
  return found.find(({ address, roots }) =>
    coversSite(site, urlOf(address ?? ""), JSON.parse(roots)),
  )?.id;
}

/** Whether lists are those of a site, and not of a folder in it that the address is in. */
function coversSite(site: string, address: string, roots: readonly string[]): boolean {
  const parts = foldersAbove(address).filter((folder) => relativeTo(site, folder) !== "");
  const own = roots.filter((root) => isSameHost(root, site));
  return (
    [address, ...own].every((url) => relativeTo(site, url) !== undefined) &&
    !own.some((root) => parts.some((part) => root.startsWith(part)))
  );
}

/** Notes that a site's lists were read. The first time begins its polling. */
export async function notePolling(database: Database, source: number): Promise<void> {
  await database
    .insertInto("polling")
    .values({ source_id: source, roots: "[]" })
    .onConflict((conflict) => conflict.column("source_id").doNothing())
    .execute();
}

/** Stores the result of a comparison. */
export async function updatePolling(
  database: Database,
  source: number,
  change: Partial<Omit<PollingRow, "source_id">>,
): Promise<void> {
  await database.updateTable("polling").set(change).where("source_id", "=", source).execute();
}

/** A person confirmed that the pages that are missing now are gone. */
export async function confirmGone(database: Database, source: number, now: number): Promise<void> {
  await updatePolling(database, source, {
    confirmed_at: now,
    awaits_confirmation: 0,
    pages_before: null,
  });
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

/** Adds the lists that are new. Returns their ids by the numbers that they have had. */
export async function addLists(
  database: Database,
  source: number,
  lists: readonly PolledList[],
): Promise<ReadonlyMap<number, number>> {
  const ids = new Map<number, number>();
  for (const { id: number, url } of lists) {
    if (number >= 0) continue;
    const { id } = await database
      .insertInto("polled_list")
      .values({ source_id: source, url })
      .returning("id")
      .executeTakeFirstOrThrow();
    ids.set(number, id);
  }
  return ids;
}

/** Stores the lists of a site after a reading, and deletes those that it has no more. */
export async function keepLists(
  database: Database,
  source: number,
  lists: readonly PolledList[],
): Promise<void> {
  for (const { id, validators, hash, stamp, parts, pages, dates, ...list } of lists) {
    await database
      .updateTable("polled_list")
      .set({
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
      })
      .where("id", "=", id)
      .execute();
  }
  const ids = lists.map(({ id }) => id);
  await database
    .deleteFrom("polled_list")
    .where("source_id", "=", source)
    .where(sql<boolean>`NOT (${isAmongIds(database, "id", ids)})`)
    .execute();
}
