import { isSameUrl } from "@rs-emit/documents";
import { HarvestError } from "../errors.ts";
import { isSilence } from "../http/errors.ts";
import type { Transport } from "../http/transport.ts";
import { Authority } from "./authority.ts";
import { CollectionReader, capabilitiesOf } from "./collection.ts";
import { CollectionLists, type EarlyLists, type Reader } from "./collection-lists.ts";
import { DocumentCache, type SummaryReading } from "./document-cache.ts";
import { sharedListError } from "./errors.ts";
import { rotated } from "./named-lists.ts";
import { summaryKind } from "./open-document.ts";
import { Budget, READING_LIMITS, type ReadingLimits } from "./reading-limits.ts";
import type {
  CollectionReading,
  DocumentSummary,
  ListedCollection,
  Reading,
  RememberedDocument,
} from "./reading-result.ts";
import {
  collectionsIn,
  isDescription,
  readContents,
  TOP,
  unlisted,
} from "./source-descriptions.ts";

interface ReadRequest {
  readonly descriptionUrl: string;
  readonly isQuick?: boolean;
  readonly isUnconditional?: boolean;
  readonly remembered: ReadonlyMap<string, RememberedDocument>;
  readonly options: ReadingOptions;
  /** UTC seconds. */
  readonly now: () => number;
  /** Seconds of a clock that runs, where `now` stands still. */
  readonly elapsed?: (() => number) | undefined;
  /** Checks of this source before: each begins among its lists where no recent one has. */
  readonly checks?: number;
  readonly limits?: Partial<ReadingLimits>;
}

export interface ReadingOptions {
  /** Documents may be on other hosts, and a collection may be about the host it describes. */
  readonly allowOtherHosts: boolean;
  /** Entries without `datetime` use their `lastmod`; IFCC-0001 ignores them. */
  readonly useLastmod: boolean;
}

/**
 * Reads a source, down to each change list with news (IFCC-0001, "Checking for Updates"). A
 * collection's failure becomes its `problem`. Returns `undefined` if a quick check finds nothing.
 * @throws {FetchError} for the Source Description
 */
export async function readSource(
  transport: Transport,
  request: ReadRequest,
): Promise<Reading | undefined> {
  const { descriptionUrl, remembered, options } = request;
  const limits = { ...READING_LIMITS, ...request.limits };
  const budget = new Budget(limits, request.now, request.elapsed);
  const cache = new DocumentCache(transport, remembered, budget, {
    isUnconditional: request.isUnconditional,
  });
  const now = request.now();
  const { useLastmod } = options;
  const reading = { cache, useLastmod, now, turn: turnOf(request.checks ?? 0) };
  const known = request.isQuick === true ? cache.known(descriptionUrl)?.summary : undefined;
  const short =
    known &&
    (await readQuick({ ...reading, authority: authorityOf(request, known) }, descriptionUrl));
  if (short?.isUnchanged) return undefined;
  const top = await cache.summary(descriptionUrl, TOP);
  const authority = authorityOf(request, top);
  const contents = await readContents(cache, authority, descriptionUrl, top);
  const reader = { ...reading, authority };
  const collections = contents.collections.map(
    (listed) => new CollectionReader(reader, listed, short?.early.get(listed.capabilityListUrl)),
  );
  await readInTurns(rotated(collections, reader.turn), budget);
  refuseShared(collections);
  const { interruption } = budget;
  return {
    descriptionUrl,
    movedTo: isSameUrl(top.permanentUrl, descriptionUrl) ? undefined : top.permanentUrl,
    describedBy: [...new Set(contents.describedBy)]
      .filter((url) => authority.mayName(url))
      .slice(0, limits.describedBy),
    collections: named(collections, authority),
    documents: [...contents.documents, ...collections.flatMap(({ documents }) => documents)],
    ...(interruption === undefined ? {} : { interruption }),
  };
}

/** Each collection's newest list comes before anyone's second: a long log delays no other. */
async function readInTurns(
  collections: readonly CollectionReader[],
  budget: Budget,
): Promise<void> {
  for (const collection of collections) {
    await collection.open();
    if (!budget.isSpent && collection.isReady) await collection.readNext();
  }
  for (let ready = collections; !budget.isSpent; ) {
    ready = ready.filter(({ isReady }) => isReady);
    if (ready.length === 0) return;
    for (const collection of ready) if (!budget.isSpent) await collection.readNext();
  }
}

function refuseShared(collections: readonly CollectionReader[]): void {
  const owners = new Map<string, CollectionReader>();
  for (const collection of collections) {
    for (const url of collection.listUrls) {
      const owner = owners.get(url);
      if (owner === undefined) owners.set(url, collection);
      else if (owner !== collection) collection.refuse(sharedListError(url, owner.url));
    }
  }
}

function authorityOf(
  { descriptionUrl, options }: ReadRequest,
  { base }: Pick<SummaryReading, "base">,
): Authority {
  return new Authority([descriptionUrl, base], options.allowOtherHosts);
}

/** Where collections share a URL, the later ones have their document's URL as key. */
function named(
  collections: readonly CollectionReader[],
  authority: Authority,
): CollectionReading[] {
  const taken = new Set<string>();
  return collections.map((collection) => {
    const own = authority.keyOf(collection.url);
    const key = taken.has(own) ? authority.keyOf(collection.capabilityListUrl) : own;
    taken.add(key);
    return collection.reading(key);
  });
}

/** Where a check starts among its lists: multiples of the golden ratio spread evenly. */
function turnOf(checks: number): number {
  return (checks * 0.618_033_988_749_895) % 1;
}

interface ShortReading {
  readonly isUnchanged: boolean;
  /** By the URLs of Capability Lists. */
  readonly early: ReadonlyMap<string, EarlyLists>;
}

const NOTHING: ShortReading = { isUnchanged: false, early: new Map() };

/**
 * One conditional request per remembered collection if nothing is new. Counts only if the current
 * Capability List still names these lists. A collection without a Change List leaves nothing to ask for: the documents
 * above may name its first one, or another collection. Throws if the host does not answer.
 */
async function readQuick(reader: Reader, descriptionUrl: string): Promise<ShortReading> {
  const collections = rememberedCollections(reader, descriptionUrl);
  if (collections === undefined || collections.length === 0) return NOTHING;
  const early = new Map<string, EarlyLists>();
  for (const listed of collections) {
    const lists = listsOf(reader, listed);
    if (lists === undefined) return { isUnchanged: false, early };
    try {
      await lists.lists.open();
      while (lists.lists.isReady && !reader.cache.budget.isSpent) await lists.lists.readNext();
    } catch (error) {
      if (isSilence(error) || !(error instanceof HarvestError)) throw error;
      return { isUnchanged: false, early };
    }
    const { interruption } = reader.cache.budget;
    if (interruption !== undefined) throw interruption;
    early.set(listed.capabilityListUrl, lists);
    if (!lists.lists.isAsBefore) return { isUnchanged: false, early };
  }
  return { isUnchanged: true, early };
}

function rememberedCollections(
  { cache }: Reader,
  descriptionUrl: string,
): readonly ListedCollection[] | undefined {
  const summaries: DocumentSummary[] = [];
  const urls = new Set([descriptionUrl]);
  for (const url of urls) {
    const summary = cache.known(url)?.summary;
    if (summary === undefined) return undefined;
    if (summaryKind(summary) === "capability-list") return [unlisted(url)];
    summaries.push(summary);
    if (!isDescription(summary)) for (const { loc } of summary.entries) urls.add(loc);
  }
  return collectionsIn(summaries);
}

function listsOf(reader: Reader, listed: ListedCollection): EarlyLists | undefined {
  const { cache, authority } = reader;
  const summary = cache.known(listed.capabilityListUrl)?.summary;
  if (summary === undefined) return undefined;
  const { changeListUrl } = capabilitiesOf(summary, listed);
  if (changeListUrl === undefined || cache.known(changeListUrl) === undefined) return undefined;
  const url = authority.collectionUrl(listed, summary);
  if (!authority.mayName(changeListUrl)) return undefined;
  return {
    changeListUrl,
    collectionUrl: url,
    lists: new CollectionLists(reader, changeListUrl, url),
  };
}
