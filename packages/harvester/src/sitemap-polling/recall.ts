import type { ChangeKind } from "@rs-emit/documents";
import { isOfHost, urlOf } from "@rs-emit/reader";
import type { Transaction } from "kysely";
import type { IdentifiedChange } from "../changes/identified.ts";
import type { CollectionRow } from "../store/collection.ts";
import { reportedChanges } from "../store/entry.ts";
import type { Database, Schema } from "../store/schema.ts";
import type { SourceRow } from "../store/source.ts";
import type { ComparedPages } from "./leave-out-reported.ts";
import { pageKey } from "./list-contents.ts";
import { knownPages } from "./polled-page.ts";
import { notePolling, type PollingRow, pollingOf, sourcePolling } from "./polling.ts";

/** What is stored of a source whose sitemaps are polled, and of others that poll the same site. */
export interface Polled {
  readonly polling: PollingRow | undefined;
  /** Pages in compared lists that the source's changes are about. */
  readonly pages: ComparedPages;
  /** The collection of its compared lists. */
  readonly compared: CollectionRow | undefined;
  /** Another source that compares the same list. */
  readonly duplicate: number | undefined;
  /** Another source that has compared the lists of the site that was found. */
  readonly poller?: number | undefined;
}

/** What a check has found, as far as it matters here. */
interface PolledFacts {
  /** Its lists are to be read while it has no Change List. */
  readonly isPolled: boolean;
  /** The lists that were read. */
  readonly roots?: readonly string[] | undefined;
  readonly descriptionUrl: string | undefined;
  /** What its author reports, and was never seen. */
  readonly unseen: readonly IdentifiedChange[];
}

/** Reads it. That lists were read is noted first: a source whose lists are polled for the first time has no row yet. */
export async function recallPolling(
  transaction: Transaction<Schema>,
  source: SourceRow,
  facts: PolledFacts,
): Promise<Polled> {
  const { isPolled, roots, unseen } = facts;
  if (roots !== undefined) await notePolling(transaction, source.id);
  const polling = isPolled ? await pollingOf(transaction, source.id) : undefined;
  return {
    polling,
    pages: await pagesOf(transaction, unseen, polling),
    compared: isPolled ? await comparedCollection(transaction, source.id) : undefined,
    duplicate: await duplicateOf(transaction, source, facts, polling),
    poller: await pollerOf(transaction, source, facts, polling),
  };
}

async function pagesOf(
  transaction: Transaction<Schema>,
  unseen: readonly IdentifiedChange[],
  polling: PollingRow | undefined,
): Promise<ComparedPages> {
  if (polling?.began_at == null) return new Map();
  const { source_id, began_at, compared_at } = polling;
  const keys = new Set(unseen.map(({ url }) => pageKey(url)));
  if (keys.size === 0) return new Map();
  const listed = await knownPages(transaction, source_id, [...keys]);
  const pages = new Map(
    [...listed.keys()].map((key) => [
      key,
      { isListed: true, reportedAt: new Map<ChangeKind, number>() },
    ]),
  );
  const first = unseen.reduce((time, { datetime }) => Math.min(time, datetime), Infinity);
  if (first > (compared_at ?? 0)) return pages;
  const reported = { isCompared: true, since: Math.max(first, began_at) };
  for await (const changes of reportedChanges(transaction, source_id, reported)) {
    for (const { url, kind, taken_at } of changes) {
      const key = pageKey(url);
      if (!keys.has(key)) continue;
      const page = pages.get(key) ?? { isListed: false, reportedAt: new Map<ChangeKind, number>() };
      page.reportedAt.set(kind, taken_at);
      pages.set(key, page);
    }
  }
  return pages;
}

/** A site may be followed at several addresses of its host. */
async function duplicateOf(
  transaction: Transaction<Schema>,
  { id, address }: SourceRow,
  { roots: [root] = [] }: PolledFacts,
  polling: PollingRow | undefined,
): Promise<number | undefined> {
  if (root === undefined || polling?.began_at != null) return undefined;
  return sourceComparing(transaction, root, { id, address });
}

/** A page of the site may have been followed before the site had a Change List. */
async function pollerOf(
  transaction: Transaction<Schema>,
  { id, address, description_url }: SourceRow,
  { descriptionUrl }: PolledFacts,
  polling: PollingRow | undefined,
): Promise<number | undefined> {
  if (description_url !== null || descriptionUrl === undefined) return undefined;
  if (polling?.began_at != null || !isOfHost(address, descriptionUrl)) return undefined;
  return sourcePolling(transaction, descriptionUrl, id);
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

/** The oldest other source on a source's host that compares a list: a site may be followed at several addresses. */
async function sourceComparing(
  database: Database,
  list: string,
  { id, address: own }: Pick<SourceRow, "id" | "address">,
): Promise<number | undefined> {
  const found = await database
    .selectFrom("collection")
    .innerJoin("source", "source.id", "collection.source_id")
    .select(["source.id", "source.address"])
    .where("collection.capability_list_url", "=", list)
    .where("collection.is_compared", "=", 1)
    .where("source.id", "<>", id)
    .where("source.state", "in", ["followed", "paused"])
    .orderBy("source.id")
    .execute();
  return found.find(({ address }) => isOfHost(address, urlOf(own ?? "")))?.id;
}
