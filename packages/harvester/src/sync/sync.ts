import { discover } from "../discover/discover.ts";
import type { Transport } from "../http/answer.ts";
import { siteHost } from "../read/place.ts";
import { audit } from "./audit.ts";
import { CopyError, MassDeleteError } from "./errors.ts";
import { filterOf } from "./filter.ts";
import { CopyFolder } from "./folder.ts";
import { type Gathered, gather } from "./gather.ts";
import type { SyncReport } from "./report.ts";
import { Source } from "./source.ts";
import { CopyState } from "./state.ts";
import { unpackAll } from "./unpack.ts";
import { Update, type UpdateRequest } from "./update.ts";

/** What a copy is made of, and how. */
export interface SyncRequest {
  /** Any address of the site. */
  readonly address: string;
  /** Where the copy is. */
  readonly folder: string;
  /** Compare everything by hash, and write nothing. */
  readonly audit: boolean;
  /** Say what would be done, and write nothing. */
  readonly dryRun: boolean;
  /** Delete files of resources that are gone. */
  readonly delete: boolean;
  readonly allowMassDelete: boolean;
  /** Collections that are copied, by URL or name; all where there is none. */
  readonly collections: readonly string[];
  /** Globs on paths of URLs. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly otherHosts: boolean;
  /** Packages of dumps are used where the source has some. */
  readonly useDumps: boolean;
}

/** What a sync works with. */
export interface SyncTools {
  /** Asks for documents. */
  readonly documents: Transport;
  /** Asks for resources, byte for byte; a few of a host at a time. */
  readonly files: Transport;
  /** UTC seconds. */
  readonly now: () => number;
  /** Shown how far it is. */
  readonly progress: { start(resources: number): void; advance(): void };
  readonly tell: UpdateRequest["tell"];
}

/**
 * Makes a copy of a site, or brings it up to date (ResourceSync 1.1, section 5.2): baseline, increment or audit.
 *
 * The mark of a collection, up to which its changes are in place, moves when all of them are. A run that was ended
 * at any moment is repeated by the next one, which finds what is in place.
 *
 * @throws {HarvestError} where the site cannot be read, or the folder cannot hold its copy: nothing was changed then
 */
export async function sync(request: SyncRequest, tools: SyncTools): Promise<SyncReport> {
  const descriptionUrl = await discover(tools.documents, request.address);
  const source = await Source.open(tools.documents, descriptionUrl, request);
  const folder = new CopyFolder(request.folder);
  using state = openState(folder, source.site, request);
  const filter = filterOf(source.site, request.include, request.exclude);
  const isWriting = !request.audit && !request.dryRun;
  if (isWriting) await settle(state, folder);
  const gathered: Gathered[] = [];
  await state.fill(async () => {
    for (const collection of source.chosen(request.collections)) {
      const how = { state, filter, isWhole: request.audit, now: tools.now() };
      gathered.push(await gather(source, collection, how));
    }
  });
  const notes = gathered.flatMap(notesOn);
  const { site } = source;
  tools.progress.start(state.wantedCount);
  if (request.audit) {
    const { counts, problems } = await audit(state, folder, tools.progress.advance);
    return { site, counts, isInSync: problems.count === 0, problems: problems.list, notes };
  }
  if (request.delete && !request.allowMassDelete) requireFewDeletions(state);
  const host = siteHost(site);
  const update = new Update({
    ...{ state, folder, site, isDryRun: request.dryRun },
    ...{ files: tools.files, advance: tools.progress.advance, tell: tools.tell },
    mayAsk: (url) => request.otherHosts || siteHost(url) === host,
  });
  try {
    if (request.useDumps && isWriting)
      notes.push(...(await unpackAll(source, gathered, { update, folder, files: tools.files })));
    await update.fetchAll();
    await update.deleteGone((url) => request.delete && filter.includes(url));
  } catch (error) {
    throw writingError(request.folder, error);
  }
  const { counts, problems } = update;
  counts.unchanged += state.untouchedCount;
  const isInSync = counts.failed === 0;
  if (isWriting) finish(state, isInSync ? gathered : []);
  return { site, counts, isInSync, problems: problems.list, notes };
}

/** @throws {CopyError} where the folder is the copy of another site, or none and must be one */
function openState(
  folder: CopyFolder,
  site: string,
  { audit: isAudit, dryRun, folder: path }: SyncRequest,
): CopyState {
  if (isAudit && !folder.isCopy) {
    throw new CopyError(`${path} holds no copy of a site yet: there is nothing to compare.`);
  }
  if (!isAudit && !dryRun) folder.prepare();
  const state = new CopyState(dryRun && !folder.isCopy ? ":memory:" : folder.state);
  const known = state.site;
  if (known === undefined) state.site = site;
  else if (known !== site) {
    state[Symbol.dispose]();
    throw new CopyError(`${path} is a copy of ${known}. Give the copy of ${site} another folder.`);
  }
  return state;
}

/** Finds out what a run that was ended has written, of what it was about to. */
async function settle(state: CopyState, folder: CopyFolder): Promise<void> {
  for (const { key, file, hash, before } of state.pending()) {
    const actual = await folder.hashOf(file);
    if (hash !== null && actual === hash) state.settle(key);
    else if (hash !== null && before !== null) state.revert(key);
    else state.forget(key);
  }
}

/** A disk that is full, say, is no fault of the program. */
function writingError(folder: string, error: unknown): unknown {
  const isOfSystem = error instanceof Error && "syscall" in error;
  if (!isOfSystem) return error;
  return new CopyError(
    `${folder} cannot be written (${error.message}). What is in place stays; sync again to go on.`,
    { cause: error },
  );
}

/** Notes what is in place; moves the marks of collections that are in place whole. */
function finish(state: CopyState, gathered: readonly Gathered[]): void {
  state.settleAll();
  state.noteMembers();
  for (const { collection, mark } of gathered) state.move(collection.url, mark);
}

/** @throws {MassDeleteError} */
function requireFewDeletions(state: CopyState): void {
  const { goneCount, files } = state;
  if (goneCount > 5 && goneCount > files / 2) throw new MassDeleteError(goneCount, files);
}

function notesOn({ collection, ignored, by }: Gathered): string[] {
  const { url, resourceList } = collection;
  const notes: string[] = [];
  if (by.length === 0)
    notes.push(`${url} has no Resource List and no Change List: nothing of it is copied.`);
  else if (resourceList === undefined) {
    notes.push(
      `${url} has no Resource List: only resources that its Change Lists name are copied.`,
    );
  }
  if (ignored.foreign > 0) {
    notes.push(`${url}: ${ignored.foreign} entries of other hosts were left out (--other-hosts).`);
  }
  if (ignored.unclear > 0) {
    notes.push(`${url}: ${ignored.unclear} entries of Change Lists have no time or no kind.`);
  }
  return notes;
}
