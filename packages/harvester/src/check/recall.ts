import type { Transaction } from "kysely";
import { type Polled, recallPolling } from "../sitemap-polling/index.ts";
import { collectionsOf } from "../store/collection.ts";
import { blockedAmong } from "../store/host.ts";
import type { Schema } from "../store/schema.ts";
import { lockLeased, type SourceRow, sourcesAt } from "../store/source.ts";
import { foundIn, placeCollections } from "./collections.ts";
import { type Check, hasContent } from "./facts.ts";
import { type KnownCollection, recallChanges, recallReported } from "./known-changes.ts";
import { addressesIn, type OtherSources } from "./source-identity.ts";

/** What is stored of a source, as far as a check may change it, and of those beside it. Its row is locked. */
export interface Stored extends OtherSources, Polled {
  readonly source: SourceRow;
  /** Its collections, each with the changes that were found in it, and what is known of these; none where nothing is new. */
  readonly collections: readonly KnownCollection[];
  /** The events of these changes that entries report already. */
  readonly reported: ReadonlySet<string>;
}

/**
 * Locks the source of a check, and reads all that decides what becomes of its facts.
 *
 * @param now UTC seconds
 * @returns `undefined` if another worker has the source now, or it is not followed any more
 */
export async function recall(
  transaction: Transaction<Schema>,
  { source: before, token, facts }: Check,
  now: number,
): Promise<Stored | undefined> {
  const source = await lockLeased(transaction, before, token);
  if (source === undefined) return undefined;
  const isRead = hasContent(facts);
  const known = isRead ? await collectionsOf(transaction, source.id) : [];
  const named = facts.reading?.collections ?? [];
  const collections: KnownCollection[] = [];
  for (const placed of isRead ? placeCollections(source.id, named, known, now) : []) {
    const found = foundIn(placed, facts.remembered, now);
    collections.push(await recallChanges(transaction, found, now));
  }
  // Of a source without any collection nothing was reported.
  const reported = known.length === 0 ? NONE : await recallReported(transaction, collections);
  const addresses = addressesIn(source, facts);
  const hosts = addresses.map((url) => new URL(url).hostname);
  return {
    source,
    collections,
    reported,
    ...(await recallPolling(transaction, source, {
      isPolled: before.polls_sitemap === 1,
      roots: facts.lists?.roots,
      descriptionUrl: facts.descriptionUrl,
      unseen: collections.flatMap(({ unseen }) => unseen),
    })),
    sites: await sourcesAt(transaction, addresses),
    blocked: addresses.length === 0 ? NONE : await blockedAmong(transaction, hosts),
  };
}

const NONE: ReadonlySet<string> = new Set();
