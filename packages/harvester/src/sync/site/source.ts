import { type DocumentKind, EMIT, type Entry, foreignValue, secondsOf } from "@rs-emit/documents";
import {
  Authority,
  HarvestError,
  isSilence,
  listedDigest,
  siteFolder,
  siteHost,
  type Transport,
  unreadableError,
} from "@rs-emit/reader";
import { capabilitiesOf } from "@rs-emit/reader/read/collection";
import { DocumentCache } from "@rs-emit/reader/read/document-cache";
import { referencesIn } from "@rs-emit/reader/read/named-lists";
import { OpenDocument, summaryOf } from "@rs-emit/reader/read/open-document";
import { Budget, READING_LIMITS } from "@rs-emit/reader/read/reading-limits";
import type { DocumentSummary } from "@rs-emit/reader/read/reading-result";
import { readContents, TOP } from "@rs-emit/reader/read/source-descriptions";
import type { ReadDocument } from "../copy/copy-state.ts";
import { noSuchCollectionError } from "../errors.ts";

/** A set of resources with lists of its own (one Capability List). */
export interface SourceCollection {
  readonly url: string;
  /** The same, relative to the site's where it is below that. */
  readonly name: string;
  mayHold(url: string): boolean;
  readonly resourceList: string | undefined;
  readonly changeList: string | undefined;
  readonly resourceDump: string | undefined;
  readonly changeDump: string | undefined;
  /** Why its Capability List cannot be read. */
  readonly problem: HarvestError | undefined;
}

export interface ListHead {
  /** When the snapshot was begun, in UTC seconds. */
  readonly at: number | undefined;
  /** Since when changes are listed, in UTC seconds. */
  readonly from: number | undefined;
  /** Up to when; `undefined` while more may come. */
  readonly until: number | undefined;
}

/** Takes the entries of a list, some at a time, in order. */
export type TakeList = (
  entries: AsyncIterable<readonly Entry[]>,
  base: string,
  head: ListHead,
) => Promise<void>;

/** A site as a Destination reads it: its collections, then the entries of their lists. */
export class Source {
  /** Ends with a slash. */
  readonly site: string;
  readonly collections: readonly SourceCollection[];
  readonly #documents: DocumentCache;
  readonly #authority: Authority;
  readonly #watched = new Map<string, ReadDocument>();
  /** Change List Indexes that state the hash of the Resource List: it does not change without them. */
  readonly #snapshots = new Set<string>();

  private constructor(
    site: string,
    collections: readonly SourceCollection[],
    documents: DocumentCache,
    authority: Authority,
  ) {
    this.site = site;
    this.collections = collections;
    this.#documents = documents;
    this.#authority = authority;
  }

  /**
   * Reads a Source Description, and every Capability List that it leads to.
   *
   * @param descriptionUrl of the Source Description, of an index of some, or of a Capability List
   * @throws {HarvestError} where a Source Description cannot be read: what it names would seem to be gone
   */
  static async open(
    transport: Transport,
    descriptionUrl: string,
    { otherHosts = false }: { readonly otherHosts?: boolean | undefined },
  ): Promise<Source> {
    // A copy is complete or it is none: nothing but the end of the lists ends the reading.
    const limits = { ...READING_LIMITS, seconds: Number.POSITIVE_INFINITY };
    const budget = new Budget(limits, () => 0);
    // What an entry without address stands for would seem to be gone.
    const documents = new DocumentCache(transport, new Map(), budget, { isStrict: true });
    const top = await documents.summary(descriptionUrl, TOP);
    const site = new Authority([descriptionUrl, top.base], otherHosts);
    const contents = await readContents(documents, site, descriptionUrl, top);
    const collections: SourceCollection[] = [];
    for (const listed of contents.collections) {
      const read = await orProblem(async () => {
        site.require(listed.capabilityListUrl);
        return documents.summary(listed.capabilityListUrl, ["capability-list"]);
      });
      const problem = read instanceof HarvestError ? read : undefined;
      const summary = read instanceof HarvestError ? undefined : read.summary;
      const url = site.collectionUrl(listed, summary);
      const find = (capability: string) =>
        summary?.entries.find(({ metadata }) => metadata?.capability === capability)?.loc;
      const hosts = site.hostsOf(url);
      collections.push({
        url,
        name: site.keyOf(url),
        mayHold: (resource) => otherHosts || hosts.has(siteHost(resource)),
        resourceList: find("resourcelist"),
        changeList: summary && capabilitiesOf(summary, listed).changeListUrl,
        resourceDump: find("resourcedump"),
        changeDump: find("changedump"),
        problem,
      });
    }
    const source = new Source(siteFolder(descriptionUrl), collections, documents, site);
    const validators = top.document?.validators ?? {};
    source.#watched.set(descriptionUrl, { url: descriptionUrl, base: top.base, validators });
    return source;
  }

  /**
   * The collections that are asked for, by URL or name; all of them where none is.
   *
   * @throws {HarvestError}
   */
  chosen(names: readonly string[]): readonly SourceCollection[] {
    if (names.length === 0) return this.collections;
    return names.map((name) => {
      const slash = (text: string) => text.replace(/^\/|\/$/g, "");
      const found = this.collections.find(
        (one) => one.url === name || slash(one.name) === slash(name),
      );
      if (found !== undefined) return found;
      throw noSuchCollectionError(
        name,
        this.collections.map(({ url }) => url),
      );
    });
  }

  /** When a Resource List or Resource Dump was made: its `at`, in UTC seconds. */
  async dateOf(url: string): Promise<number | undefined> {
    const opened = await this.#open(url, [...KINDS.resources, ...KINDS.dumps]);
    this.#watch(opened);
    await opened.close();
    return secondsOf(opened.head.metadata.at);
  }

  /**
   * Reads a list, or the lists of an index; the entries of a dump are packages.
   *
   * @param since what ends before this is left out, of changes; UTC seconds
   * @throws {HarvestError} where any of it is broken: nothing of it counts then
   */
  async read(
    url: string,
    kind: keyof typeof KINDS,
    since: number | undefined,
    take: TakeList,
  ): Promise<ListHead> {
    return this.#read(url, { kinds: KINDS[kind], since }, take);
  }

  /**
   * Documents that were read, some of which change whenever there is something new: the Source Description, lists at the top,
   * and open Change Lists whose index does not state their hash.
   */
  get watched(): readonly ReadDocument[] {
    const covered = new Set(
      this.collections.flatMap(({ changeList = "", resourceList }) =>
        this.#snapshots.has(changeList) ? (resourceList ?? []) : [],
      ),
    );
    return [...this.#watched.values()].filter(({ url }) => !covered.has(url));
  }

  /** @throws {HarvestError} for a document or package that may not be read */
  require(url: string): void {
    this.#authority.require(url);
  }

  async #read(
    url: string,
    wanted: { readonly kinds: readonly DocumentKind[]; readonly since: number | undefined },
    take: TakeList,
    place: Place = TOP_LEVEL,
  ): Promise<ListHead> {
    const { limits } = this.#documents;
    if (place.depth > limits.depth) {
      throw unreadableError(url, "is a list below too many indexes");
    }
    const opened = await this.#open(url, wanted.kinds, place.hash);
    if (place.isWatched) this.#watch(opened);
    if (opened.head.root === "urlset") {
      const summary = summaryOf(opened.head, opened.base);
      const own = headOf(summary);
      const { from = place.from, until = place.until } = own;
      // Of a list in parts, the index says when it was begun.
      const at = place.depth === 0 ? own.at : place.at;
      await take(opened.batches(), opened.base, { at, from, until });
      opened.remember(summary, false);
      return { at, from, until };
    }
    const { summary } = await this.#documents.finishSummary(opened);
    const references = referencesIn(summary, { depth: place.depth, isSettled: false });
    const froms = references.map(({ from }) => from);
    const head = headOf(summary);
    const { at } = place.depth === 0 ? head : place;
    for (const [number, reference] of references.entries()) {
      const isOld = wanted.since !== undefined && (reference.until ?? Infinity) < wanted.since;
      if (isOld) continue;
      const hash = summary.entries[number]?.metadata?.hash;
      const { from, until } = reference;
      const isWatched = wanted.kinds === KINDS.changes && hash === undefined && until === undefined;
      const below = { depth: place.depth + 1, hash, isWatched, at, from, until };
      const part = await this.#read(reference.url, wanted, take, below);
      froms[number] ??= part.from;
    }
    return { ...head, from: head.from ?? froms[0] };
  }

  #watch({ url, base, validators, head: { metadata } }: OpenDocument): void {
    this.#watched.set(url, { url, base, validators });
    if (foreignValue(metadata, EMIT, "snapshot") !== undefined) this.#snapshots.add(url);
  }

  async #open(url: string, kinds: readonly DocumentKind[], hash?: string): Promise<OpenDocument> {
    this.#authority.require(url);
    const opened = await this.#documents.open(url, listedDigest(hash));
    if (!(opened instanceof OpenDocument)) throw unreadableError(url, "was never read");
    await opened.expect(kinds);
    return opened;
  }
}

/**
 * What is read, or why it cannot be: one document that is broken stops no other.
 *
 * @throws {BusyError} {@link UnreachableError} where the host does not answer: it is asked for nothing more
 */
export async function orProblem<Value>(read: () => Promise<Value>): Promise<Value | HarvestError> {
  try {
    return await read();
  } catch (error) {
    if (isSilence(error) || !(error instanceof HarvestError)) throw error;
    return error;
  }
}

const KINDS = {
  resources: ["resource-list", "resource-list-index"],
  changes: ["change-list", "change-list-index"],
  dumps: ["resource-dump", "resource-dump-index", "change-dump", "change-dump-index"],
} as const satisfies Record<string, readonly DocumentKind[]>;

/** Where a list was found: how many indexes are above it, and what the nearest one says about it. */
interface Place extends ListHead {
  readonly depth: number;
  readonly hash: string | undefined;
  readonly isWatched: boolean;
}

const TOP_LEVEL: Place = {
  depth: 0,
  isWatched: true,
  ...{ hash: undefined, at: undefined, from: undefined, until: undefined },
};

function headOf({ metadata: { at, from, until } }: DocumentSummary): ListHead {
  return { at: secondsOf(at), from: secondsOf(from), until: secondsOf(until) };
}
