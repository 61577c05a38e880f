import { type Entry, isChangeKind, secondsOf, urlKey } from "@rs-emit/documents";
import { AHEAD, type HarvestError, listedIn, resolveLoc } from "@rs-emit/reader";
import type { CopyMark, KnownFile } from "./copy/copy-state.ts";
import type { CopyFolder } from "./copy/folder.ts";
import type { Claim, Presence, Wanted, WorkingSet } from "./copy/working-set.ts";
import type { Filter, Run } from "./run.ts";
import { mirrorsIn } from "./site/mirrors.ts";
import { Dump } from "./site/read-dump.ts";
import { type ListHead, orProblem, type SourceCollection, type TakeList } from "./site/source.ts";

/** What a collection should be like, and what to remember when everything of it is in place. */
export interface Gathered {
  readonly collection: SourceCollection;
  /** Whether there is a list of resources, or of changes. */
  readonly isKnown: boolean;
  /** Whether there is a list of all resources, not only of changes. */
  readonly isWhole: boolean;
  /** Whether that was read, and not only what has changed. */
  readonly isCompared: boolean;
  /** Whether it names nothing: a list that is broken looks so, too. */
  readonly isEmpty: boolean;
  readonly dumps: readonly Dump[];
  readonly mark: CopyMark;
  readonly foreign: number;
  /** Why it is not in sync. What `isCompared` then is its baseline: what its Resource List names, and no change. */
  readonly problem: HarvestError | undefined;
}

/**
 * Reads what a collection should be like now into the working set: its Resource List where that is newer than the
 * last sync, the filter is another one, files are missing here, or the log does not reach back to it; and the changes
 * since, from its Change Lists. Where a source has dumps in place of lists, the manifests of their packages are read as such.
 *
 * Of a list that is broken nothing counts. Where it is the Resource List, nothing of the collection is wanted; where it is
 * the Change List, what the Resource List names is, if that was read, and nothing is gone.
 *
 * @throws {BusyError} {@link UnreachableError} where the site does not answer
 */
export async function gather(collection: SourceCollection, run: Run): Promise<Gathered> {
  const { state, working, filter, request } = run;
  const known = state.mark(collection.url);
  const mark = known?.filter === filter.name ? known : undefined;
  let taking = new Gathering(collection, run);
  const { snapshot, log, dumps } = listsToRead(collection, mark, run);
  let at = mark?.at ?? undefined;
  let isCompared = false;
  let through = mark?.through ?? 0;
  const compare = async () => {
    taking = new Gathering(collection, run);
    working.unwant(collection.url);
    at = (await snapshot?.read(taking.resources))?.at;
    isCompared = true;
  };
  const readChanges = () =>
    working.allOrNone(async () => {
      if (isCompared) working.wantGone(collection.url);
      return log?.read(at, taking.changesSince(at));
    });
  const isNews = async () => (await snapshot?.date()) ?? Number.POSITIVE_INFINITY;
  const isBehind = async () =>
    mark?.at == null ||
    (await isNews()) > mark.at ||
    !isInPlace(state.filesOf(collection.url), filter, run.folder);
  const problem = await orProblem(async (): Promise<undefined> => {
    if (collection.problem !== undefined) throw collection.problem;
    if (snapshot !== undefined && (request.audit || request.repair || (await isBehind())))
      await compare();
    through = Math.max(at ?? 0, through);
    const changes = await readChanges();
    const reachesBack = changes?.from !== undefined && changes.from <= through;
    if (log === undefined || reachesBack || isCompared || snapshot === undefined) return;
    await compare();
    await readChanges();
  });
  // An audit cannot say that a file is as it should be, nor that it is not, where changes are not known.
  const isLeft = problem !== undefined && (!isCompared || request.audit === true);
  if (isLeft) working.unwant(collection.url);
  return {
    collection,
    isKnown: snapshot !== undefined || log !== undefined,
    isWhole: snapshot !== undefined,
    isCompared: isCompared && !isLeft,
    isEmpty: isCompared && taking.count === 0,
    dumps: isLeft ? [] : dumps,
    mark: {
      at: at ?? null,
      through: Math.max(at ?? 0, through, taking.newest),
      filter: filter.name,
    },
    foreign: taking.foreign,
    problem,
  };
}

/** Whether files stand where sync wrote them, and are as long. Their bytes are not read. */
export function isInPlace(files: Iterable<KnownFile>, filter: Filter, folder: CopyFolder): boolean {
  for (const { url, file, length } of files) {
    const here = folder.look(file);
    const isThere = here.found === "file" && (length === null || here.length === length);
    if (!isThere && filter.includes(url)) return false;
  }
  return true;
}

/** The document that lists all resources. */
interface Snapshot {
  date(): Promise<number | undefined>;
  read(take: TakeList): Promise<ListHead>;
}

/** The document that lists changes. */
interface Log {
  /** @param since UTC seconds; `undefined` for all of it */
  read(since: number | undefined, take: TakeList): Promise<ListHead>;
}

interface Documents {
  readonly snapshot: Snapshot | undefined;
  readonly log: Log | undefined;
  readonly dumps: readonly Dump[];
}

/** A Resource Dump serves a first copy, a Change Dump a later one; each also where its list is missing. */
function listsToRead(
  { resourceList, changeList, resourceDump, changeDump }: SourceCollection,
  mark: CopyMark | undefined,
  run: Run,
): Documents {
  const { source, request } = run;
  const dumpAt = (url: string | undefined, since: number | undefined) =>
    url === undefined || !request.dump ? undefined : new Dump(run, url, since);
  const resources = dumpAt(resourceDump, undefined);
  const changes = dumpAt(changeDump, mark?.through ?? undefined);
  const dateOf = async () => source.dateOf(resourceList ?? resourceDump ?? "");
  const snapshot: Snapshot | undefined =
    resourceList !== undefined
      ? { date: dateOf, read: (take) => source.read(resourceList, "resources", undefined, take) }
      : resources && { date: dateOf, read: (take) => resources.readManifests(take) };
  const log: Log | undefined =
    changeList !== undefined
      ? { read: (since, take) => source.read(changeList, "changes", since, take) }
      : changes && { read: (_, take) => changes.readManifests(take) };
  const isFirst = mark === undefined;
  const dumps = [
    ...(changes !== undefined && (!isFirst || changeList === undefined) ? [changes] : []),
    ...(resources !== undefined && (isFirst || resourceList === undefined) ? [resources] : []),
  ];
  return { snapshot, log, dumps };
}

/** What all spellings of a URL have in common, as SQLite holds it: NUL would end a text. */
export function keyOfUrl(url: string): string {
  return urlKey(url).replaceAll("\0", "%00");
}

class Gathering {
  count = 0;
  foreign = 0;
  newest = 0;
  readonly #working: WorkingSet;
  readonly #collection: SourceCollection;
  readonly #filter: Filter;
  readonly #latest: number;
  readonly #mirrored: boolean;

  constructor(collection: SourceCollection, { working, filter, tools, request }: Run) {
    this.#mirrored = request.mirrors === true;
    this.#latest = tools.now() + AHEAD;
    this.#working = working;
    this.#collection = collection;
    this.#filter = filter;
  }

  readonly resources: TakeList = async (batches, base, { at = Number.NEGATIVE_INFINITY }) => {
    for await (const batch of batches) {
      for (const entry of batch) {
        const wanted = this.#wantedOf(entry, base, null);
        if (wanted === undefined) continue;
        this.count += 1;
        this.#want("present", { ...wanted, since: at });
      }
    }
  };

  /** @param since changes before this are in the Resource List; UTC seconds */
  changesSince(since = Number.NEGATIVE_INFINITY): TakeList {
    return async (batches, base, head) => {
      for await (const placed of inOrder(batches, head)) {
        for (const one of placed) if (one.before >= since) this.#takeChange(one, base, since);
      }
    };
  }

  #takeChange({ entry, datetime, after, before }: TimedEntry, base: string, since: number): void {
    if (datetime !== null && datetime <= this.#latest)
      this.newest = Math.max(this.newest, datetime);
    const wanted = this.#wantedOf(entry, base, datetime);
    if (wanted === undefined) return;
    const { key, hash } = wanted;
    const { url: collection } = this.#collection;
    const kind = entry.metadata?.change?.trim();
    const claim = () => this.#working.claim(collection, key);
    if (!isChangeKind(kind)) {
      const isCovered = (claim()?.since ?? Number.NEGATIVE_INFINITY) > before;
      if (!isCovered && this.#filter.includes(wanted.url))
        this.#working.misunderstand(collection, wanted);
      return;
    }
    // Of the second in which the snapshot began, the Resource List may know more.
    const knowsLess = datetime === since && hash === null && kind !== "deleted";
    if (knowsLess && isClaimed(claim()) && claim()?.hash !== null) return;
    const counts = this.#want(kind === "deleted" ? "gone" : "present", { ...wanted, since: after });
    if (counts || after >= since || !isClaimed(claim())) return;
    // It has no time, and the Resource List says something else: either may be newer.
    const isSame = kind !== "deleted" && hash !== null && hash === claim()?.hash;
    if (!isSame) this.#working.contradict(collection, key, kind === "deleted" ? kind : "updated");
  }

  #wantedOf(entry: Entry, base: string, datetime: number | null): Wanted | undefined {
    const url = resolveLoc(entry.loc, base);
    if (url === undefined || !this.#collection.mayHold(url)) {
      this.foreign += 1;
      return undefined;
    }
    const isDated = secondsOf(entry.lastmod) !== undefined;
    const lastmod = isDated ? (entry.lastmod?.trim() ?? null) : null;
    const mirrors = this.#mirrored ? mirrorsIn(entry, url, base) : [];
    return { key: keyOfUrl(url), url, ...listedIn(entry.metadata), lastmod, datetime, mirrors };
  }

  #want(presence: Presence, wanted: Wanted & { readonly since: number }): boolean {
    const isLeftOut = presence === "present" && !this.#filter.includes(wanted.url);
    return this.#working.want(this.#collection.url, isLeftOut ? "left-out" : presence, wanted);
  }
}

function isClaimed(claim: Claim | undefined): boolean {
  return claim?.presence === "present";
}

/** An entry of a Change List, and when its change happened: UTC seconds. */
interface TimedEntry {
  readonly entry: Entry;
  /** As the entry says; `null` where only its place in the list tells. */
  readonly datetime: number | null;
  /** It did not happen before this, */
  readonly after: number;
  /** nor later than this. */
  readonly before: number;
}

/** Entries that wait for a time: as many as a list may have (ResourceSync 1.1, section 7). */
const WAITING = 50_000;

/**
 * Places the entries of a Change List in time. An entry without `datetime` happened between its neighbours, since the
 * list is in the order of time (ResourceSync 1.1, section 12.1).
 */
async function* inOrder(
  batches: AsyncIterable<readonly Entry[]>,
  { from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: ListHead,
): AsyncGenerator<readonly TimedEntry[]> {
  let after = from;
  let waiting: Entry[] = [];
  const release = (before: number): TimedEntry[] => {
    const released = waiting;
    waiting = [];
    return released.map((entry) => {
      // A change is not older than the bytes that it made. In version 0.9.1, this is when it happened.
      const modified = secondsOf(entry.lastmod) ?? after;
      if (modified <= before) after = Math.max(after, modified);
      return { entry, datetime: null, after, before };
    });
  };
  for await (const batch of batches) {
    const placed: TimedEntry[] = [];
    for (const entry of batch) {
      const datetime = secondsOf(entry.metadata?.datetime);
      if (datetime === undefined) {
        waiting.push(entry);
        if (waiting.length >= WAITING) placed.push(...release(until));
        continue;
      }
      placed.push(...release(datetime < after ? until : datetime));
      placed.push({ entry, datetime, after: datetime, before: datetime });
      after = datetime;
    }
    yield placed;
  }
  yield release(until);
}
