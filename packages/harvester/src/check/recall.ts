import { isOfHost } from "@rs-emit/reader";
import type { Transaction } from "kysely";
import { otherReader } from "../readers/index.ts";
import { collectionsOf } from "../store/collection.ts";
import { blockedAmong } from "../store/host.ts";
import type { Schema } from "../store/schema.ts";
import { lockLeased, type SourceRow, sourcesAt } from "../store/source.ts";
import { foundIn, placeCollections } from "./collections.ts";
import { type Check, type Facts, hasContent } from "./facts.ts";
import { type KnownCollection, recallChanges, recallReported } from "./known-changes.ts";
import type { HandOver } from "./reader.ts";
import { addressesIn, type OtherSources } from "./source-identity.ts";

/** What is stored of a source, as far as a check may change it, and of those beside it. Its row is locked. */
export interface Stored extends OtherSources {
  readonly source: SourceRow;
  /** Its collections, each with the changes that were found in it, and what is known of these; none where nothing is new. */
  readonly collections: readonly KnownCollection[];
  /** The events of these changes that entries report already. */
  readonly reported: ReadonlySet<string>;
  /** What its log takes over from another reader. */
  readonly handOver: HandOver | undefined;
}

/** What is stored of a source, where its row alone decides: a check found nothing that could be known. */
export function recallNothing(source: SourceRow, facts: Facts): Stored | undefined {
  const isAlone = facts.observation === undefined && source.polls_sitemap === 0;
  if (hasContent(facts) || !isAlone || addressesIn(source, facts).length > 0) return undefined;
  return {
    source,
    collections: [],
    reported: NONE,
    handOver: undefined,
    duplicate: undefined,
    predecessor: undefined,
    sites: new Map(),
    blocked: NONE,
  };
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
  const unseen = collections.flatMap((known) => known.unseen);
  const isAlone = facts.observation !== undefined || source.polls_sitemap === 0;
  const addresses = addressesIn(source, facts);
  const hosts = addresses.map((url) => new URL(url).hostname);
  return {
    source,
    collections,
    reported,
    handOver: isAlone ? undefined : await otherReader.handOver(transaction, source.id, unseen),
    duplicate: await facts.observation?.duplicateOf(transaction, source),
    predecessor: await predecessorOf(transaction, source, facts.descriptionUrl),
    sites: await sourcesAt(transaction, addresses),
    blocked: addresses.length === 0 ? NONE : await blockedAmong(transaction, hosts),
  };
}

const NONE: ReadonlySet<string> = new Set();

/** A page of the site may have been followed before the site had a Source Description. */
async function predecessorOf(
  transaction: Transaction<Schema>,
  source: SourceRow,
  descriptionUrl: string | undefined,
): Promise<number | undefined> {
  if (source.description_url !== null || descriptionUrl === undefined) return undefined;
  if (!isOfHost(source.address, descriptionUrl)) return undefined;
  return otherReader.sourceAt(transaction, source, descriptionUrl);
}
