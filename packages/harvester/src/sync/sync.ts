import { count, isMassDelete, plural } from "@rs-emit/documents";
import { discover, type HarvestError, keepScheme, plainNotice } from "@rs-emit/reader";
import { audit, keepDamaged } from "./audit.ts";
import { compare } from "./compare.ts";
import { CopyDatabase } from "./copy/copy-database.ts";
import { COPY_TABLES, CopyState } from "./copy/copy-state.ts";
import { CopyFolder } from "./copy/folder.ts";
import { WorkingSet } from "./copy/working-set.ts";
import { copyError, massDeleteError, unclearError } from "./errors.ts";
import { lastRunOf, reportUnchanged } from "./last-run.ts";
import { type Gathered, gather } from "./read-collection.ts";
import {
  filterOf,
  isDry,
  type Run,
  type SyncReport,
  type SyncRequest,
  type SyncTools,
  Tally,
} from "./run.ts";
import { Source } from "./site/source.ts";
import { Update } from "./update.ts";
import { unpackAll } from "./use-dump.ts";

/**
 * Makes a copy of a site, or brings it up to date (ResourceSync 1.1, section 5.2): baseline, increment or audit.
 *
 * The mark of a collection, up to which its changes are in place, moves when all of them are. A run that was ended
 * at any moment is repeated by the next one, which finds what is in place.
 *
 * @throws {HarvestError} where the site cannot be read, or the folder cannot hold its copy: what is copied is as it was
 */
export async function sync(request: SyncRequest, given: SyncTools): Promise<SyncReport> {
  using folder = new CopyFolder(request.folder);
  using database = openCopyDatabase(folder, request);
  const state = new CopyState(database);
  if (isWriting(request)) {
    await settle(state, folder);
    given.robots.learn(state.lastRun?.robots ?? []);
    const unchanged = await reportUnchanged(request, given, state, folder);
    if (unchanged !== undefined) return unchanged;
    state.lastRun = undefined;
    state.commit();
  }
  const descriptionUrl = await discover(given.documents, request.address);
  const tools = keepingScheme(given, descriptionUrl);
  const source = await Source.open(tools.documents, descriptionUrl, request);
  claimFolder(state, source.site, request);
  const run: Run = {
    ...{ request, tools, source, state, folder },
    working: new WorkingSet(database),
    filter: filterOf(source.site, request.include, request.exclude),
    tally: new Tally(),
  };
  const gathered = await gatherAll(run);
  // Awaited, since the database is closed when this function returns.
  return await (request.audit ? reportAudit(run, gathered) : bringUpToDate(run, gathered));
}

function keepingScheme(tools: SyncTools, descriptionUrl: string): SyncTools {
  const documents = keepScheme(tools.documents, descriptionUrl);
  return { ...tools, documents, files: keepScheme(tools.files, descriptionUrl) };
}

function isWriting({ audit: isAudit, dryRun }: SyncRequest): boolean {
  return !isAudit && !dryRun;
}

async function gatherAll(run: Run): Promise<readonly Gathered[]> {
  const { source, working, request, tally } = run;
  const { collection: names } = request;
  const gathered: Gathered[] = [];
  for (const collection of source.chosen(names)) gathered.push(await gather(collection, run));
  const [first] = gathered.flatMap(({ problem }) => problem ?? []);
  const isNothing = gathered.every(({ problem, isCompared }) => problem && !isCompared);
  if (first !== undefined && isNothing) throw first;
  for (const { collection, problem } of gathered) {
    if (problem !== undefined) tally.problems.add(collection.url, problem);
  }
  if (names.length === 0 && gathered.length > 0) {
    for (const url of lostCollections(run)) working.wantGone(url);
    const isAll = gathered.every(({ isCompared, problem }) => isCompared && !problem);
    if (isAll) working.wantStraysGone();
  }
  return gathered;
}

/** Collections that the site does not name any more. Where a Capability List is broken, it may be about any of them. */
function lostCollections({ state, source }: Run): readonly string[] {
  if (source.collections.some(({ problem }) => problem !== undefined)) return [];
  const named = new Set(source.collections.map(({ url }) => url));
  return state.collections.filter((url) => !named.has(url));
}

async function reportAudit(run: Run, gathered: readonly Gathered[]): Promise<SyncReport> {
  const { site } = run.source;
  run.tools.progress.start(run.working.wantedCount, "Comparing files");
  const { counts, problems, notes } = await audit(run);
  const isInSync = isAllKnown(gathered) && problems.count === 0;
  return {
    ...{ site, counts, isInSync, problems: problems.list },
    notes: [...notesOnAll(run, gathered), ...notes],
  };
}

async function bringUpToDate(run: Run, gathered: readonly Gathered[]): Promise<SyncReport> {
  const { request, tools, source, working, filter, tally } = run;
  const notes = notesOnAll(run, gathered);
  requireFewDeletions(run, gathered);
  const update = new Update(run);
  try {
    if (request.repair) notes.push(...(await keepDamaged(run)));
    compare(run);
    tools.progress.start(working.neededCount, "Fetching files");
    if (request.dump && !isDry(run)) notes.push(...(await unpackAll(gathered, working, update)));
    await update.fetchAll();
    notes.push(...update.notes);
    // Hosts may have said that more is gone.
    requireFewDeletions(run, gathered);
    await update.deleteGone((url) => request.delete === true && filter.includes(url));
  } catch (error) {
    throw writingError(request.folder, error);
  }
  for (const url of working.unclear()) tally.fail(url, unclearError(url));
  const { counts, problems } = tally;
  counts.unchanged += working.untouchedCount;
  const isInSync = isAllKnown(gathered) && counts.failed === 0;
  if (!isDry(run)) finish(run, counts.failed === 0 ? gathered : [], isInSync);
  return { site: source.site, counts, isInSync, problems: problems.list, notes };
}

/** @throws {HarvestError} where the folder is no copy and must be one, or cannot be one */
function openCopyDatabase(folder: CopyFolder, request: SyncRequest): CopyDatabase {
  if (request.audit && !folder.isCopy) throw noCopy(request);
  if (isWriting(request)) folder.prepare();
  const isNone = request.dryRun && !folder.isCopy;
  const readOnly = !isWriting(request) && !isNone;
  return new CopyDatabase(isNone ? ":memory:" : folder.state, COPY_TABLES, { readOnly });
}

/** @throws {HarvestError} where the folder is the copy of another site, or of none when one is needed */
function claimFolder(state: CopyState, site: string, request: SyncRequest): void {
  const known = state.site;
  if (known === undefined && request.audit) throw noCopy(request);
  if (known === undefined && isWriting(request)) state.site = site;
  if (known !== undefined && known !== site) {
    throw copyError(
      `${request.folder} is a copy of ${known}.`,
      `Give the copy of ${site} another folder.`,
    );
  }
}

function noCopy({ folder }: SyncRequest): HarvestError {
  return copyError(
    `${folder} holds no copy of a site yet: there is nothing to compare.`,
    "Make one without --audit first.",
  );
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
  return copyError(
    `${folder} cannot be written (${error.message}).`,
    "What is in place stays; sync again to go on.",
    error,
  );
}

/** Notes what is in place; moves the marks of collections that are in place whole. */
function finish(run: Run, gathered: readonly Gathered[], isInSync: boolean): void {
  const { state, working } = run;
  state.settleAll();
  for (const url of lostCollections(run)) state.forgetMark(url);
  working.noteMembers();
  for (const one of gathered) if (isSound(one)) state.moveMark(one.collection.url, one.mark);
  state.lastRun = isInSync ? lastRunOf(run, gathered, gathered.flatMap(notesOnSource)) : undefined;
  state.commit();
}

/** @throws {HarvestError} where more than half is gone, everything is, or all that a collection had */
function requireFewDeletions(run: Run, gathered: readonly Gathered[]): void {
  const { state, working, request } = run;
  const { goneCount } = working;
  if (!request.delete || request.allowMassDelete || goneCount === 0) return;
  const { files } = state;
  const emptied = gathered.filter(({ isEmpty }) => isEmpty).map(({ collection }) => collection.url);
  const isMass =
    isMassDelete(goneCount, files) ||
    goneCount === files ||
    [...emptied, ...lostCollections(run)].some((url) => working.goneCountOf(url) > 0);
  if (isMass) throw massDeleteError(goneCount, files);
}

/** Whether the site says of every collection what is in it, and has any. */
function isAllKnown(gathered: readonly Gathered[]): boolean {
  return gathered.length > 0 && gathered.every(isSound);
}

/** Whether the site says of a collection what is in it. */
function isSound({ isKnown, problem }: Gathered): boolean {
  return isKnown && problem === undefined;
}

function notesOnAll(
  { source: { site }, working: { wantedCount }, request: { address, include } }: Run,
  gathered: readonly Gathered[],
): string[] {
  if (gathered.length === 0) {
    return [`The Source Description of ${site} names no collection: nothing is copied.`];
  }
  const isAllOut = gathered.every((one) => one.isCompared) && wantedCount === 0;
  const isUnmatched = isAllOut && include.length > 0;
  return [
    ...[plainNotice(address, site) ?? []].flat(),
    ...gathered.flatMap(notesOnSource),
    ...(isUnmatched ? [`Nothing on the site matches --include ${include.join(" ")}.`] : []),
  ];
}

function notesOnSource(gathered: Gathered): string[] {
  const { collection, isKnown, isWhole, isCompared, foreign, problem } = gathered;
  const { url } = collection;
  const notes: string[] = [];
  if (problem !== undefined) {
    const left = isCompared
      ? "what its Resource List names is copied, its changes are not known, and nothing is deleted."
      : "it cannot be read, and its files are left as they are.";
    notes.push(`${url} is not in sync: ${left}`);
  } else if (!isKnown) {
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
