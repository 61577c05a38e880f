import { count, plural } from "@rs-emit/documents";
import { discover } from "../discover/discover.ts";
import type { Transport } from "../http/answer.ts";
import { siteHost } from "../read/place.ts";
import { audit } from "./audit.ts";
import { compare } from "./compare.ts";
import { CopyDatabase } from "./copy-database.ts";
import { COPY_TABLES, CopyState } from "./copy-state.ts";
import { CopyError, MassDeleteError, UnclearError } from "./errors.ts";
import { type Filter, filterOf } from "./filter.ts";
import { CopyFolder } from "./folder.ts";
import { type Gathered, gather } from "./gather.ts";
import { type SyncReport, Tally } from "./report.ts";
import { Source } from "./source.ts";
import { unpackAll } from "./unpack.ts";
import { Update, type UpdateRequest } from "./update.ts";
import { WorkingSet } from "./working-set.ts";

/** What a copy is made of, and how. */
export interface SyncRequest {
  /** Any address of the site. */
  readonly address: string;
  /** Where the copy is. */
  readonly folder: string;
  /** Compare everything by hash, and write nothing. */
  readonly audit?: boolean | undefined;
  /** List what would be done, and write nothing. */
  readonly dryRun?: boolean | undefined;
  /** Delete files of resources that are gone. */
  readonly delete?: boolean | undefined;
  readonly allowMassDelete?: boolean | undefined;
  /** Collections that are copied, by URL or name; all where there is none. */
  readonly collection: readonly string[];
  /** Globs on paths of URLs. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly otherHosts?: boolean | undefined;
  /** Packages of dumps are used where the source has some. */
  readonly dump: boolean;
}

/** What a sync works with. */
export interface SyncTools {
  /** Asks for documents. */
  readonly documents: Transport;
  /** Asks for resources, byte for byte; a few of a host at a time. */
  readonly files: Transport;
  /** UTC seconds. */
  readonly now: () => number;
  /** Shows how far it is. */
  readonly progress: { start(resources: number, doing: string): void; advance(): void };
  readonly onChange: UpdateRequest["onChange"];
}

/**
 * Makes a copy of a site, or brings it up to date (ResourceSync 1.1, section 5.2): baseline, increment or audit.
 *
 * The mark of a collection, up to which its changes are in place, moves when all of them are. A run that was ended
 * at any moment is repeated by the next one, which finds what is in place.
 *
 * @throws {HarvestError} where the site cannot be read, or the folder cannot hold its copy: what is copied is as it was
 */
export async function sync(request: SyncRequest, tools: SyncTools): Promise<SyncReport> {
  using folder = new CopyFolder(request.folder);
  using database = openDatabase(folder, request);
  const state = new CopyState(database);
  if (isWriting(request)) await settle(state, folder);
  const descriptionUrl = await discover(tools.documents, request.address);
  const source = await Source.open(tools.documents, descriptionUrl, request);
  claim(state, source.site, request);
  const working = new WorkingSet(database);
  const filter = filterOf(source.site, request.include, request.exclude);
  const copy: Copy = { source, state, working, folder, filter, tally: new Tally() };
  const gathered = await gatherAll(copy, request, tools);
  const end = request.audit ? reportAudit : bringUpToDate;
  // Awaited, since the database is closed when this function returns.
  return await end(copy, gathered, request, tools);
}

/** A copy, and what it is made from. */
interface Copy {
  readonly source: Source;
  readonly state: CopyState;
  readonly working: WorkingSet;
  readonly folder: CopyFolder;
  readonly filter: Filter;
  readonly tally: Tally;
}

function isWriting({ audit: isAudit, dryRun }: SyncRequest): boolean {
  return !isAudit && !dryRun;
}

async function gatherAll(
  copy: Copy,
  { collection: names, dump: useDumps, audit: isAudit = false }: SyncRequest,
  { files, now }: SyncTools,
): Promise<readonly Gathered[]> {
  const { source, state, working, folder, filter, tally } = copy;
  const fetched = (bytes: number) => {
    tally.counts.bytes += bytes;
  };
  const how = { state, working, filter, useDumps, isAudit, now: now() };
  const gathered: Gathered[] = [];
  for (const collection of source.chosen(names)) {
    gathered.push(await gather(collection, { ...how, tools: { source, files, folder, fetched } }));
  }
  if (names.length === 0 && gathered.length > 0) {
    for (const url of lostCollections(copy)) working.wantGone(url);
    if (gathered.every(({ isCompared }) => isCompared)) working.wantStraysGone();
  }
  return gathered;
}

/** Collections that the site had, and does not name any more. */
function lostCollections({ state, source }: Copy): readonly string[] {
  const named = new Set(source.collections.map(({ url }) => url));
  return state.collections.filter((url) => !named.has(url));
}

async function reportAudit(
  copy: Copy,
  gathered: readonly Gathered[],
  request: SyncRequest,
  { progress }: SyncTools,
): Promise<SyncReport> {
  const { state, working, folder } = copy;
  const { site } = copy.source;
  progress.start(working.wantedCount, "Comparing files");
  const { counts, problems, notes } = await audit({ state, working, folder }, progress.advance);
  const isInSync = isAllKnown(gathered) && problems.count === 0;
  const allNotes = [...notesOnAll(copy, gathered, request), ...notes];
  return { site, counts, isInSync, problems: problems.list, notes: allNotes };
}

async function bringUpToDate(
  copy: Copy,
  gathered: readonly Gathered[],
  request: SyncRequest,
  { files, onChange, progress }: SyncTools,
): Promise<SyncReport> {
  const { source, state, working, folder, filter, tally } = copy;
  const { site } = source;
  const { dryRun: isDryRun = false } = request;
  const notes = notesOnAll(copy, gathered, request);
  requireFewDeletions(copy, gathered, request);
  const host = siteHost(site);
  const mayAsk = (url: string) => request.otherHosts === true || siteHost(url) === host;
  const { advance } = progress;
  const how = { state, working, folder, site, isDryRun, files, onChange, advance, mayAsk };
  const update = new Update(how, tally);
  try {
    compare({ state, working, folder, isDryRun }, tally);
    progress.start(working.neededCount, "Fetching files");
    if (request.dump && !isDryRun) {
      notes.push(...(await unpackAll(gathered, { working, update })));
    }
    await update.fetchAll();
    // Hosts may have said that more is gone.
    requireFewDeletions(copy, gathered, request);
    await update.deleteGone((url) => request.delete === true && filter.includes(url));
  } catch (error) {
    throw writingError(request.folder, error);
  }
  for (const url of working.unclear()) tally.fail(url, new UnclearError(url));
  const { counts, problems } = tally;
  counts.unchanged += working.untouchedCount;
  const isInSync = isAllKnown(gathered) && counts.failed === 0;
  if (!isDryRun) finish(copy, isInSync ? gathered : []);
  return { site, counts, isInSync, problems: problems.list, notes };
}

/** @throws {CopyError} where the folder is no copy and must be one, or cannot be one */
function openDatabase(folder: CopyFolder, request: SyncRequest): CopyDatabase {
  if (request.audit && !folder.isCopy) throw noCopy(request);
  if (isWriting(request)) folder.prepare();
  const isNone = request.dryRun && !folder.isCopy;
  const readOnly = !isWriting(request) && !isNone;
  return new CopyDatabase(isNone ? ":memory:" : folder.state, COPY_TABLES, { readOnly });
}

/** @throws {CopyError} where the folder is the copy of another site, or of none when one is needed */
function claim(state: CopyState, site: string, request: SyncRequest): void {
  const known = state.site;
  if (known === undefined && request.audit) throw noCopy(request);
  if (known === undefined && isWriting(request)) state.site = site;
  if (known !== undefined && known !== site) {
    throw new CopyError(
      `${request.folder} is a copy of ${known}. Give the copy of ${site} another folder.`,
    );
  }
}

function noCopy({ folder }: SyncRequest): CopyError {
  return new CopyError(`${folder} holds no copy of a site yet: there is nothing to compare.`);
}

/** Finds out what a run that was ended has written, of what it was about to, and clears the rest. */
async function settle(state: CopyState, folder: CopyFolder): Promise<void> {
  folder.clearIncoming();
  for (const pending of state.pending()) {
    const actual = await folder.hashOf(pending.file);
    if (actual !== undefined && actual === pending.hash) state.settle(pending.key);
    else state.revert(pending);
  }
  state.commit();
}

/** A full disk, for example, is no fault of the program. */
function writingError(folder: string, error: unknown): unknown {
  const isOfSystem = error instanceof Error && "syscall" in error;
  if (!isOfSystem) return error;
  return new CopyError(
    `${folder} cannot be written (${error.message}). What is in place stays; sync again to go on.`,
    { cause: error },
  );
}

/** Notes what is in place; moves the marks of collections that are in place whole. */
function finish(copy: Copy, gathered: readonly Gathered[]): void {
  const { state, working } = copy;
  state.settleAll();
  for (const url of lostCollections(copy)) state.forgetMark(url);
  working.noteMembers();
  for (const { collection, mark } of gathered) state.moveMark(collection.url, mark);
  state.commit();
}

/** @throws {MassDeleteError} where more than half is gone, everything is, or all that a collection had */
function requireFewDeletions(
  copy: Copy,
  gathered: readonly Gathered[],
  { delete: isDeleting, allowMassDelete }: SyncRequest,
): void {
  const { state, working } = copy;
  const { goneCount } = working;
  if (!isDeleting || allowMassDelete || goneCount === 0) return;
  const { files } = state;
  const emptied = gathered.filter(({ isEmpty }) => isEmpty).map(({ collection }) => collection.url);
  const isMass =
    (goneCount > 5 && goneCount > files / 2) ||
    goneCount === files ||
    [...emptied, ...lostCollections(copy)].some((url) => working.goneCountOf(url) > 0);
  if (isMass) throw new MassDeleteError(goneCount, files);
}

/** Whether the site says of every collection what is in it, and has any. */
function isAllKnown(gathered: readonly Gathered[]): boolean {
  return gathered.length > 0 && gathered.every(({ isKnown }) => isKnown);
}

function notesOnAll(
  { source: { site }, working: { wantedCount } }: Copy,
  gathered: readonly Gathered[],
  { include }: SyncRequest,
): string[] {
  if (gathered.length === 0) {
    return [`The Source Description of ${site} names no collection: nothing is copied.`];
  }
  const isAllOut = gathered.every((one) => one.isCompared) && wantedCount === 0;
  const isUnmatched = isAllOut && include.length > 0;
  return [
    ...gathered.flatMap(notesOn),
    ...(isUnmatched ? [`Nothing on the site matches --include ${include.join(" ")}.`] : []),
  ];
}

function notesOn({ collection: { url }, isKnown, isWhole, foreign }: Gathered): string[] {
  const notes: string[] = [];
  if (!isKnown) {
    notes.push(`${url} has no Resource List and no Change List: nothing of it is copied.`);
  } else if (!isWhole) {
    notes.push(
      `${url} has no Resource List: only resources that its Change Lists name are copied.`,
    );
  }
  if (foreign > 0) {
    notes.push(
      `${url}: ${count(foreign, "entry", "entries")} of other hosts ${plural(foreign, "was", "were")} left out ` +
        "(--other-hosts).",
    );
  }
  return notes;
}
