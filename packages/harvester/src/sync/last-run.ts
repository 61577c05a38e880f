import {
  HarvestError,
  isSameHost,
  isSilence,
  keepScheme,
  keptScheme,
  readHttpDate,
} from "@rs-emit/reader";
import type { CopyState, LastRun, ReadDocument } from "./copy/copy-state.ts";
import type { CopyFolder } from "./copy/folder.ts";
import { type Gathered, isInPlace } from "./read-collection.ts";
import {
  filterOf,
  type Run,
  type SyncReport,
  type SyncRequest,
  type SyncTools,
  Tally,
} from "./run.ts";

/** Seconds after which everything is read again: Capability Lists may name other lists. */
const DAY = 86_400;

/** Seconds within which a second version of a document may have the same `Last-Modified` (RFC 9110, section 8.8.2.2). */
const SAME_TIME = 60;

/** What a run is asked for, as far as the next one must be asked for the same. */
function askedOf(request: SyncRequest): string {
  const { address, collection, include, exclude, otherHosts = false } = request;
  return JSON.stringify({ address, collection, include, exclude, otherHosts });
}

/**
 * Whether a conditional request will tell that a document has changed.
 *
 * @param now when it was read; UTC seconds
 */
function isWatchable({ validators: { etag, lastModified } }: ReadDocument, now: number): boolean {
  if (etag !== undefined) return true;
  const modified = lastModified === undefined ? undefined : readHttpDate(lastModified);
  return modified !== undefined && modified < now - SAME_TIME;
}

/** What this run leaves to the next one; `undefined` where that must read everything again. */
export function lastRunOf(
  { request, tools, source: { watched } }: Run,
  gathered: readonly Gathered[],
  notes: readonly string[],
): LastRun | undefined {
  const time = tools.now();
  const isWatched =
    gathered.every(isWatchedByLists) && watched.every((one) => isWatchable(one, time));
  if (gathered.length === 0 || !isWatched) return undefined;
  const origins = new Set(watched.map(({ url }) => new URL(url).origin));
  const robots = [...origins].flatMap((origin) => tools.robots.known(origin) ?? []);
  return { asked: askedOf(request), time, documents: watched, robots, notes };
}

/** Whether lists say of a collection what is new, and all of it: dumps do not stand in for them, nor hosts. */
function isWatchedByLists({ collection, isWhole, mark }: Gathered): boolean {
  const { resourceList, changeList, resourceDump, changeDump } = collection;
  const isOfLists =
    (resourceList !== undefined || resourceDump === undefined) &&
    (changeList !== undefined || changeDump === undefined);
  return isOfLists && (!isWhole || mark.at !== null);
}

/**
 * A short run: one conditional request for each document that tells of news. Nothing is new where none of them has
 * changed, and where the files are as the last run left them.
 *
 * @returns `undefined` where everything must be read
 * @throws {BusyError} {@link UnreachableError} where the site does not answer
 */
export async function reportUnchanged(
  request: SyncRequest,
  { documents, now }: SyncTools,
  state: CopyState,
  folder: CopyFolder,
): Promise<SyncReport | undefined> {
  const { lastRun, site } = state;
  if (lastRun === undefined || site === undefined || lastRun.asked !== askedOf(request)) return;
  const age = now() - lastRun.time;
  if (age < 0 || age >= DAY) return;
  if (request.repair === true || (request.delete === true && state.keptCount > 0)) return;
  // The first is the Source Description.
  const transport = keepScheme(documents, keptScheme(request.address, lastRun.documents[0]?.url));
  for (const one of lastRun.documents) if (!(await isUnchanged(transport, one))) return;
  const { include, exclude } = request;
  if (!isInPlace(state.present(), filterOf(site, include, exclude), folder)) return;
  const { counts, problems } = new Tally();
  counts.unchanged = state.presentCount;
  counts.kept = state.keptCount;
  return { site, counts, isInSync: true, problems: problems.list, notes: lastRun.notes };
}

/** A 304 of another host does not count: a source that redirects there would have it speak for itself. */
async function isUnchanged(
  documents: SyncTools["documents"],
  { url, base, validators: { etag, lastModified } }: ReadDocument,
): Promise<boolean> {
  try {
    const answer = await documents.get(url, { etag, lastModified });
    if (answer.status === "unchanged") return isSameHost(answer.url, base);
    await answer.discard();
    return false;
  } catch (error) {
    if (isSilence(error) || !(error instanceof HarvestError)) throw error;
    return false;
  }
}
