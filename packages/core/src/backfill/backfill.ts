import { mkdirSync } from "node:fs";
import type { Entry } from "@rs-emit/documents";
import { planFirst } from "../derive/first-publication.ts";
import { presentTime } from "../derive/publication-time.ts";
import { fetchContents } from "../git/blobs.ts";
import { folderKey, pathName } from "../git/repository.ts";
import { boundHeapGrowth } from "../heap-growth.ts";
import { fileForFolderError } from "../inventory/errors.ts";
import { servedCollections } from "../inventory/folders.ts";
import type { BackfillEnvironment } from "../model/environment.ts";
import { statIfThere } from "../model/file-system.ts";
import type { Change } from "../model/log.ts";
import type { Plan } from "../model/plan.ts";
import type { Inventory } from "../model/resources.ts";
import type { Note } from "../model/sentence.ts";
import { refuseTestAddress } from "../model/site-address.ts";
import { feedTitles } from "../model/site-title.ts";
import type { EmitOptions } from "../options/emit-options.generated.ts";
import { parseNow, parseOptions, type Settings } from "../options/settings.ts";
import { publishPlan } from "../publish-plan.ts";
import { resultOf } from "../report/report.ts";
import type { EmitResult } from "../report/result.ts";
import { withLock } from "../write/lock.ts";
import { builtCommits } from "./builds/built-commits.ts";
import {
  type PastCommit,
  readCommitLine,
  type SkippedCommit,
  withoutRepeats,
} from "./commits/commits.ts";
import { folderInCommits, foldersInCommits, openWhole } from "./commits/folder-in-commits.ts";
import { WorkFolder } from "./commits/worktree.ts";
import { committedLogs, readCommitted } from "./committed.ts";
import { confirmOnce, likelySettings, requireUnpublished, withoutProof } from "./confirmed-site.ts";
import { interruptedError } from "./errors.ts";
import { nextChanges } from "./next-changes.ts";
import { backfillNotes, NOTHING_SKIPPED } from "./notes.ts";
import { parsePast } from "./options.ts";
import type { PastOptions } from "./past-options.generated.ts";
import type { CommitReader } from "./replay/commit-states.ts";
import { ProgressFile } from "./replay/progress-file.ts";
import { type Backfill, planOf, replayLine, type Work } from "./replay/replayed-line.ts";

export interface BackfillResult extends EmitResult {
  readonly past: {
    readonly commits: number;
    /** Commits without a readable page: the build failed or made none. */
    readonly skipped: readonly SkippedCommit[];
    readonly passedOver: number;
    /** URLs of pages whose own content differs between two builds of one commit. */
    readonly unstable: readonly string[];
  };
  /** What an ordinary run would publish next; absent where the folder has no page, and in a dry run. */
  readonly next: readonly Change[] | undefined;
}

/**
 * Publishes the log of a site's whole past: what each commit published, or what it builds to today. It is a
 * first publication, written once, at the end.
 * @throws {EmitError} with a stable `code`; nothing was written unless its message says so
 */
export async function backfill(
  options: EmitOptions,
  pastOptions: PastOptions = {},
  environment: BackfillEnvironment = {},
): Promise<BackfillResult> {
  const past = parsePast(pastOptions);
  refuseTestAddress(options);
  using _ = boundHeapGrowth();
  if (options.previous === "none") throw withoutProof();
  if (statIfThere(options.folder)?.isFile()) throw fileForFolderError(options.folder);
  const repository = await openWhole(past, options.folder);
  const folder = folderInCommits(repository, past, options.folder);
  const present = presentTime({ now: parseNow(options.now) }, environment);
  const whole = await readCommitLine(repository, past, present);
  const folderOf = await foldersInCommits(repository, whole, folder, past, options);
  const line = await withoutRepeats(repository, whole, folderOf);
  const newest = line.commits.at(-1);
  if (newest === undefined) throw new RangeError("a line without commits");
  // Versions of committed pages are fetched as they are read.
  const isBuilt = past.build !== undefined;
  await fetchContents(repository, isBuilt ? [line.baseline ?? [], line.commits].flat() : [newest]);
  const work = await WorkFolder.open(repository, past.work);
  try {
    const run = { past, options, environment, repository, line, work };
    if (past.build !== undefined) {
      return await publishBuilds({
        ...run,
        reader: await readBuilds(run, past.build, newest, folder),
      });
    }
    const place = past.branch !== undefined && folder === "" ? past.branch : folder;
    return await publishCommitted(run, newest, folderOf(newest.id), place);
  } catch (error) {
    throw environment.signal?.aborted ? interruptedError() : error;
  } finally {
    work.remove();
  }
}

async function readBuilds(
  { environment, line, options, past, repository, work }: Backfill,
  command: string,
  newest: PastCommit,
  folder: string,
): Promise<CommitReader> {
  const { signal = new AbortController().signal } = environment;
  const { deadline = (milliseconds) => AbortSignal.timeout(milliseconds) } = environment;
  environment.onProgress?.({
    step: "commits",
    done: 0,
    total: line.commits.length,
    about: newest,
  });
  const project = pathName(folderKey(repository, past.project));
  const reader = await builtCommits({
    options,
    past,
    command,
    repository,
    project,
    folder,
    work,
    newest,
    deadline,
    signal,
  });
  const { settings: given, last, builder } = reader;
  // A plugin knows which folder it wrote.
  const settings =
    builder === undefined
      ? await likelySettings(given, last.folder, environment, folder)
      : { ...given, collections: servedCollections(given) };
  return { ...reader, settings };
}

async function publishCommitted(
  run: Backfill,
  newest: PastCommit,
  folder: string,
  place: string,
): Promise<BackfillResult> {
  const { line, options, past, repository, work } = run;
  const environment = confirmOnce(run.environment);
  const given = parseOptions(options);
  const site = await readCommitted(given, newest, folder, work);
  const settings = await likelySettings(given, site.folder, environment, place);
  const { hostTime } = await requireUnpublished(settings, environment);
  const present = presentTime(settings, environment, hostTime);
  environment.onProgress?.({ step: "history", done: 0, total: 0 });
  const logs = await committedLogs(settings, site, line, repository, past, present);
  environment.signal?.throwIfAborted();
  const result = await publishFirst({ settings, environment }, site.inventory, (others) => {
    const plan = planFirst(logs, site.inventory, others);
    return { plan, notes: backfillNotes(past, { ...NOTHING_SKIPPED, older: plan.undated.length }) };
  });
  return {
    ...result,
    past: { commits: line.commits.length, skipped: [], passedOver: 0, unstable: [] },
    next: settings.dryRun ? undefined : await nextChanges(settings, {}, past, environment),
  };
}

async function publishBuilds(run: Work): Promise<BackfillResult> {
  const { past, repository, reader } = run;
  const { settings, words } = reader;
  const environment = confirmOnce(run.environment);
  const { hostTime } = await requireUnpublished(settings, environment);
  const present = presentTime(settings, environment, hostTime);
  const file = await ProgressFile.open(repository, progressKey(run));
  const publishAll = async () => {
    const replayed = await replayLine(run, file, present);
    // A run that is killed while it publishes has no successor that would remove them.
    run.work.remove();
    const result = await publishFirst({ settings, environment }, reader.last.inventory, (others) =>
      planOf(run, settings, others, replayed, present),
    );
    if (!settings.dryRun) file.remove();
    const { skipped, passedOver } = replayed;
    const unstable = reader.unstable.content;
    return {
      ...result,
      past: { commits: run.line.commits.length, skipped, passedOver, unstable },
      next: settings.dryRun ? undefined : await nextChanges(settings, words, past, environment),
    };
  };
  return withLock(file.folder, publishAll, NO_WAIT);
}

interface Site {
  readonly settings: Settings;
  readonly environment: BackfillEnvironment;
}

/** These may be the pages of an old commit, so the next ordinary run writes into pages. */
async function publishFirst(
  { settings, environment }: Site,
  inventory: Inventory,
  planFor: (others: readonly Entry[]) => { readonly plan: Plan; readonly notes: readonly Note[] },
): Promise<EmitResult> {
  const { folder, dryRun } = settings;
  const publish = async () => {
    const recalled = await requireUnpublished(settings, environment);
    const { plan, notes } = planFor(recalled.others);
    const published = await publishPlan(settings, environment, plan);
    const titles = await feedTitles(settings, inventory);
    const done = { settings, environment, recalled, inventory, plan, published, titles };
    return resultOf(done, notes);
  };
  if (dryRun) return publish();
  mkdirSync(folder, { recursive: true });
  return withLock(folder, publish, environment.lockMilliseconds);
}

/** Another backfill of the same past may take hours, and publishes the same log. */
const NO_WAIT = 0;

/** Whatever decides how a commit is read: with another, its saved state would differ. */
function progressKey({ line, past, reader }: Work): unknown {
  const { site, collections, messages, ...settings } = reader.settings;
  const { include, exclude, cleanUrls, content, news, excerpts } = settings;
  const { jobs: _, work: __, stopOnError: ___, allowSkipped: ____, ...replayed } = past;
  const folders = collections.map(({ url, folder }) => [url, folder]);
  return [
    replayed,
    line.baseline?.id,
    reader.urls,
    settings.folder,
    site,
    folders,
    messages,
    include,
    exclude,
    cleanUrls,
    content,
    news,
    excerpts,
  ];
}
