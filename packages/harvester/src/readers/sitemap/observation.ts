import { isDeepStrictEqual } from "node:util";
import type { HarvestError, Transport } from "@rs-emit/reader";
import { readTitles } from "@rs-emit/reader/discover/page-titles";
import type { Transaction } from "kysely";
import type { Observation, Observed } from "../../check/reader.ts";
import type { CollectionState } from "../../store/check/collection.ts";
import { reportedChanges } from "../../store/check/entry.ts";
import { descriptionIn } from "../../store/feed-names.ts";
import { inParts } from "../../store/in-parts.ts";
import type { Database, Schema } from "../../store/schema.ts";
import type { SourceRow } from "../../store/source.ts";
import { type Basis, type Comparison, compareLists, type ListsReading } from "./compare-lists.ts";
import type { AuthorChange, KnownPage } from "./compare-page.ts";
import { countUndated, forgetPages, keepPages } from "./known-pages.ts";
import { pageKey } from "./list-contents.ts";
import { notesOnPolling, SEEN_BY_COMPARING } from "./notices.ts";
import {
  type Compared,
  keepLists,
  keepPolling,
  type PollingRow,
  pollingOf,
} from "./polling-row.ts";
import { sourceComparing } from "./same-site.ts";

/**
 * A reading of a site's lists of pages. It is compared before anything is stored, so that the database is locked for the
 * writing alone. A person may confirm meanwhile that pages are gone, or a hub may deliver what the author reports: then it is
 * compared again.
 */
export class ListsObservation implements Observation {
  readonly #reading: ListsReading;
  #comparison: Comparison;
  /** By the addresses of pages. */
  #titles: ReadonlyMap<string, string> = new Map();
  /** What the site is called, where that was asked now. */
  #siteTitle: string | undefined;

  private constructor(reading: ListsReading, comparison: Comparison) {
    this.#reading = reading;
    this.#comparison = comparison;
  }

  /** @param now UTC seconds */
  static async of(
    database: Database,
    source: SourceRow,
    reading: ListsReading,
    known: Compared,
    now: number,
  ): Promise<ListsObservation> {
    const basis = await basisOf(database, known);
    return new ListsObservation(reading, await compareLists(database, source, reading, basis, now));
  }

  /** Asks some of the pages that are told what they are called, and the home page what the site is. */
  async readTitles(transport: Transport, asksHome: boolean): Promise<void> {
    const { row, changes } = this.#comparison;
    const asked = (urls: readonly string[]) =>
      readTitles(
        transport,
        urls.map((url) => ({ key: url, url })),
      );
    if (asksHome) this.#siteTitle = (await asked([row.url])).get(row.url);
    this.#titles = await asked(
      changes.flatMap(({ kind, url }) => (kind === "deleted" ? [] : [url])),
    );
  }

  [Symbol.dispose](): void {
    this.#reading.pages[Symbol.dispose]();
  }

  get problem(): HarvestError | undefined {
    return this.#reading.problem;
  }

  async duplicateOf(database: Database, source: SourceRow): Promise<number | undefined> {
    const [root] = this.#reading.roots;
    if (root === undefined || this.#comparison.basis.polling !== undefined) return undefined;
    return sourceComparing(database, root, source);
  }

  async keep(transaction: Transaction<Schema>, source: SourceRow, now: number): Promise<Observed> {
    const { id } = source;
    const { collection } = this.#comparison.basis;
    const { pages, knownLists, lists } = this.#reading;
    const polling = await pollingOf(transaction, id);
    const basis = await basisOf(transaction, { polling, collection });
    if (!isDeepStrictEqual(basis, this.#comparison.basis)) {
      this.#comparison = await compareLists(transaction, source, this.#reading, basis, now);
    }
    const { row, changes, announcement, hasMore, ...compared } = this.#comparison;
    const ids = await keepLists(transaction, id, knownLists, compared.lists);
    const placed = (page: KnownPage) => ({ ...page, list: ids.get(page.list) ?? page.list });
    for (const some of inParts(pages.kept())) await keepPages(transaction, id, some.map(placed));
    for (const some of inParts(pages.forgotten())) await forgetPages(transaction, id, some);
    const isRead = lists.some(({ state }) => state === "read");
    const undated = isRead ? await countUndated(transaction, id) : compared.polling.undated;
    const after = { ...compared.polling, undated };
    await keepPolling(transaction, polling, after);
    return {
      before: collection,
      row: this.#siteTitle === undefined ? row : titledRow(row, this.#siteTitle),
      title: this.#siteTitle,
      changes: changes.map((change) => {
        const title = this.#titles.get(change.url);
        return title === undefined ? change : { ...change, title };
      }),
      note: SEEN_BY_COMPARING,
      announcement,
      notes: notesOnPolling(polling, after),
      awaitsConfirmation: after.awaits_confirmation === 1,
      isUnchanged: !isRead,
      hasMore,
    };
  }
}

function titledRow(row: CollectionState, title: string): CollectionState {
  return { ...row, description: JSON.stringify({ ...descriptionIn(row.description), title }) };
}

async function basisOf(database: Database, known: Compared): Promise<Basis> {
  const { polling, collection } = known;
  const isBack = polling !== undefined && collection?.is_listed === 0;
  return { ...known, author: isBack ? await reportedByAuthor(database, polling) : new Map() };
}

/** What the author of a site that had a Change List has reported since its lists were compared, by the keys of pages. */
async function reportedByAuthor(
  database: Database,
  { source_id, compared_at }: PollingRow,
): Promise<ReadonlyMap<string, AuthorChange>> {
  const last = new Map<string, AuthorChange>();
  const reported = { isCompared: false, since: compared_at ?? 0 };
  for await (const changes of reportedChanges(database, source_id, reported)) {
    for (const { url, kind, taken_at: at } of changes) last.set(pageKey(url), { kind, at });
  }
  return last;
}
