import { mkdirSync } from "node:fs";
import { urlKey } from "@rs-emit/documents";
import { excludedDigests, type Plan } from "../derive/plan.ts";
import { presentTime } from "../derive/publication-time.ts";
import { emit, publishPlan } from "../emit.ts";
import { ShallowCloneError } from "../git/errors.ts";
import { folderKey, openRepository, pathName, type Repository } from "../git/repository.ts";
import { EmptySiteError, NoFolderError } from "../inventory/errors.ts";
import { spelledOnDisk } from "../inventory/folders.ts";
import type { Builder, Environment } from "../model/environment.ts";
import { OptionError } from "../model/errors.ts";
import { statIfThere } from "../model/file-system.ts";
import type { Change } from "../model/log.ts";
import { type EmitOptions, parseOptions, type Settings } from "../model/options.ts";
import { ON_DEMAND } from "../model/resources.ts";
import { mention, sentence } from "../model/wording.ts";
import { recallFrom } from "../recall/previous.ts";
import type { Recalled } from "../recall/publication.ts";
import { resultOf } from "../report/report.ts";
import type { EmitResult } from "../report/result.ts";
import { withLock } from "../write/lock.ts";
import { builtCommits } from "./builds.ts";
import { type CommitReader, type Outcome, readCommits } from "./commit-states.ts";
import { type CommitLine, type PastCommit, readCommitLine, withoutRepeats } from "./commits.ts";
import { committedFolder } from "./committed.ts";
import { AlreadyPublishedError, InterruptedError, NoLineError, NoPastError } from "./errors.ts";
import { backfillNotes } from "./notes.ts";
import { type Past, type PastOptions, parsePast } from "./options.ts";
import {
  type BackfillProgress,
  ProgressFile,
  type SavedProgress,
  type SkippedCommit,
} from "./progress-file.ts";
import { Replay } from "./replay.ts";
import { WorkFolder } from "./worktree.ts";

/** What surrounds a backfill and is no option. */
export interface BackfillEnvironment extends Environment {
  /** Ends the run: what is done is kept for the next one, and nothing else is left behind. */
  readonly signal?: AbortSignal;
}

/** Everything a backfill has to say. */
export interface BackfillResult extends EmitResult {
  readonly past: {
    /** How many commits were looked at. */
    readonly commits: number;
    /** Commits of which nothing could be told: builds that failed, or made no page. */
    readonly skipped: readonly SkippedCommit[];
    /** Commits from before the build was set up. */
    readonly passedOver: number;
    /** Pages whose own content differs between two builds of one commit: URLs. */
    readonly unstable: readonly string[];
  };
  /** What the next ordinary run would report of the folder as it stands; absent where it has no page. */
  readonly next: readonly Change[] | undefined;
}

/**
 * Publishes the log of a site's whole past: what each commit published, or what it builds to today. It is
 * a first publication, written once, at the end.
 *
 * @throws {EmitError} with a stable `code`; nothing was written unless its message says so
 */
export async function backfill(
  options: EmitOptions,
  pastOptions: PastOptions = {},
  environment: BackfillEnvironment = {},
): Promise<BackfillResult> {
  const past = parsePast(pastOptions);
  if (options.previous === "none") throw withoutProof();
  if (statIfThere(options.folder)?.isFile()) throw new NoFolderError(options.folder, true);
  const repository = await openWhole(past, options.folder);
  const folder = folderInCommits(repository, past, options.folder);
  const line = await withoutRepeats(
    repository,
    await readCommitLine(repository, past),
    past.build === undefined ? folder : "",
  );
  const work = await WorkFolder.open(repository, past.work);
  try {
    const run = { past, options, environment, repository, line, work };
    const reader = await readerOf({ ...run, folder });
    return await publishLine({ ...run, reader });
  } catch (error) {
    throw environment.signal?.aborted ? new InterruptedError() : error;
  } finally {
    await work.remove();
  }
}

/**
 * @throws {NoPastError} when there is no repository
 * @throws {ShallowCloneError} when the beginning of the history is missing */
async function openWhole(past: Past, folder: string): Promise<Repository> {
  const place = past.build === undefined && past.branch === undefined ? folder : past.project;
  const repository = await openRepository(place);
  if (repository === undefined) {
    throw new NoPastError(
      `${place} is in no git repository.`,
      "Run this in the repository that holds the site, or name a folder of it.",
    );
  }
  if (repository.boundary.size > 0) throw new ShallowCloneError(repository.root);
  return repository;
}

/** The folder of the pages below the root of each commit. */
function folderInCommits(repository: Repository, past: Past, folder: string): string {
  if (past.folder !== undefined) return past.folder;
  if (past.branch !== undefined && past.build === undefined) return "";
  const path = pathName(folderKey(repository, folder));
  if (path !== ".." && !path.startsWith("../")) return path;
  throw new NoLineError(
    "folder",
    `${folder} is not in the repository ${repository.root}, so no commit holds it.`,
    sentence`Name the folder of the pages in the commits with the option ${mention("folder")}.`,
  );
}

/** Everything a backfill works with. */
interface Work {
  readonly past: Past;
  readonly options: EmitOptions;
  readonly environment: BackfillEnvironment;
  readonly repository: Repository;
  readonly line: CommitLine;
  readonly work: WorkFolder;
  readonly reader: CommitReader;
}

async function readerOf(
  run: Omit<Work, "reader"> & { readonly folder: string },
): Promise<CommitReader> {
  const { environment, folder, line, options, past, repository, work } = run;
  const newest = line.commits.at(-1);
  if (newest === undefined) throw new RangeError("a line without commits");
  if (past.build === undefined) return committedFolder(parseOptions(options), folder, work, newest);
  const { signal = new AbortController().signal } = environment;
  environment.onProgress?.({
    step: "commits",
    done: 0,
    total: line.commits.length,
    about: newest,
  });
  const project = pathName(folderKey(repository, past.project));
  const command = past.build;
  return builtCommits({
    options,
    past,
    command,
    repository,
    project,
    folder,
    work,
    newest,
    signal,
  });
}

async function publishLine(run: Work): Promise<BackfillResult> {
  const { past, repository, reader } = run;
  const { folder } = reader.settings;
  const settings = {
    ...reader.settings,
    collections: spelledOnDisk(folder, reader.settings.collections),
  };
  const environment = confirmOnce(run.environment);
  const present = presentOf(settings, environment, await requireUnpublished(settings, environment));
  const file = await ProgressFile.open(repository, keyOf(past, settings));
  const tellAll = async () => {
    const told = await replayLine(run, file, present);
    const publish = async () => {
      const recalled = await requireUnpublished(settings, environment);
      const plan = planOf(run, settings, recalled, told, present);
      const documents = await publishPlan(settings, environment, plan);
      return resultOf(settings, environment, recalled, reader.last.inventory, plan, documents);
    };
    if (!settings.dryRun) mkdirSync(folder, { recursive: true });
    const result = settings.dryRun
      ? await publish()
      : await withLock(folder, publish, environment.lockMilliseconds);
    if (!settings.dryRun) file.remove();
    const { skipped, passedOver } = told;
    const unstable = unstablePages(reader);
    return {
      ...result,
      past: { commits: run.line.commits.length, skipped, passedOver, unstable },
      next: settings.dryRun ? undefined : await nextChanges(run, environment),
    };
  };
  return withLock(file.folder, tellAll, NO_WAIT);
}

/** Another backfill of the same past may take hours, and publishes it. */
const NO_WAIT = 0;

/** While git checks out a commit of a committed folder, the one before is read. */
const CHECKOUTS = 2;

/** What a run has told, from the first commit to the newest. */
interface ReplayedLine {
  readonly replay: Replay;
  readonly skipped: readonly SkippedCommit[];
  readonly passedOver: number;
}

async function replayLine(run: Work, file: ProgressFile, present: number): Promise<ReplayedLine> {
  const { environment, line, reader, past, work } = run;
  const { baseline, commits } = line;
  const older = commits.slice(0, -1);
  const saved = file.read();
  let done = older.findIndex(({ id }) => id === saved?.commit) + 1;
  const from: SavedProgress | undefined = done > 0 ? saved : undefined;
  const replay = new Replay(
    { ...reader.settings, unstable: reader.unstable, present },
    from?.replay,
  );
  const skipped = [...(from?.skipped ?? [])];
  let passedOver = from?.passedOver ?? 0;
  let latest: BackfillProgress | undefined;
  const report = () => {
    const { time, subject } = commits[done] ?? reader.last.commit;
    const about = { time, subject };
    environment.onProgress?.({ step: "commits", done, total: commits.length, about });
  };
  const record = (commit: PastCommit, outcome: Outcome) => {
    if (outcome.kind === "passed-over") passedOver += 1;
    else if (outcome.kind === "skipped") skipped.push(skippedCommit(commit, outcome.reason));
    else if (commit === baseline) replay.begin(outcome);
    else replay.take(outcome);
    if (commit === baseline) return;
    done += 1;
    latest = { commit: commit.id, replay, skipped, passedOver };
    file.saveSometimes(latest);
    report();
  };
  report();
  const { signal = new AbortController().signal } = environment;
  const first = from === undefined && baseline !== undefined ? [baseline] : [];
  const todo = [...first, ...older.slice(done)];
  const jobs = past.build === undefined ? CHECKOUTS : past.jobs;
  try {
    await readCommits(todo, { reader, replay, work, jobs, signal, record });
  } finally {
    if (latest !== undefined) file.save(latest);
  }
  replay.take(reader.last);
  return { replay, skipped, passedOver };
}

function skippedCommit({ id, time, subject }: PastCommit, reason: string): SkippedCommit {
  return { commit: id, time, subject, reason };
}

function planOf(
  { past, reader }: Work,
  settings: Settings,
  { others }: Recalled,
  { replay, skipped, passedOver }: ReplayedLine,
  present: number,
): Plan {
  const { inventory, commit } = reader.last;
  const time = Math.max(replay.time, Math.min(commit.time, present));
  const collections = settings.collections.map((collection) => ({
    collection,
    configured: true,
    published: undefined,
    derived: replay.derived(collection.url),
    time,
    previous: undefined,
    since: time,
    changed: true,
    excluded: excludedDigests(inventory, collection.url),
  }));
  const undated = collections
    .flatMap(({ derived }) => derived.snapshot)
    .filter(({ lastmod, content }) => lastmod === undefined && content !== ON_DEMAND)
    .map(({ url }) => url);
  const unstable = unstablePages(reader);
  const notes = backfillNotes(past, { undated: undated.length, skipped, passedOver, unstable });
  // The next run writes into the pages: here they may be those of an old commit.
  const pages = [] as const;
  return { first: true, time, collections, others, published: undefined, undated, pages, notes };
}

/**
 * The proof of any first publication: nothing was published before.
 *
 * @throws {AlreadyPublishedError} for good: followers would hear everything twice
 */
async function requireUnpublished(settings: Settings, environment: Environment): Promise<Recalled> {
  if (settings.previous.kind === "none") throw withoutProof();
  environment.onProgress?.({ step: "recall", done: 0, total: 0 });
  const recalled = await recallFrom(settings, environment);
  if (recalled.kind !== "published") return recalled;
  throw new AlreadyPublishedError(recalled.publication.base, recalled.publication.folder);
}

function withoutProof(): OptionError {
  const allowed =
    "auto, output, site or a folder, since a backfill needs proof that nothing was published";
  return new OptionError("previous", "none", allowed);
}

/** The proof is given twice, before the work and after it; the author is asked once. */
function confirmOnce(environment: BackfillEnvironment): BackfillEnvironment {
  const { confirmFirst } = environment;
  if (confirmFirst === undefined) return environment;
  let confirmed = false;
  return {
    ...environment,
    confirmFirst: async (why) => {
      confirmed ||= await confirmFirst(why);
      return confirmed;
    },
  };
}

function presentOf({ now }: Settings, { clock }: Environment, { hostTime }: Recalled): number {
  return presentTime({ clock: clock?.() ?? Math.floor(Date.now() / 1000), now, hostTime });
}

/** Everything that decides what is told of a commit. */
function keyOf(past: Past, { site, collections, messages, ...settings }: Settings): unknown {
  const { include, exclude, cleanUrls, content, minor } = settings;
  const { jobs: _, work: __, stopOnError: ___, ...told } = past;
  const folders = collections.map(({ url, folder }) => [url, folder]);
  return [
    told,
    settings.folder,
    site,
    folders,
    messages,
    include,
    exclude,
    cleanUrls,
    content,
    minor,
  ];
}

/** URLs of pages that two builds of the newest commit make differently. */
function unstablePages({ last, unstable }: CommitReader): readonly string[] {
  const urls = last.inventory.resources.map(({ url }) => url);
  return urls.filter((url) => unstable.content.has(urlKey(url)));
}

/** What an ordinary run would report of the folder as it stands. */
async function nextChanges(
  { reader: { words, settings }, past }: Work,
  environment: Environment,
): Promise<readonly Change[] | undefined> {
  const { annotate, onDemand = [] } = words;
  const builder: Builder = {
    project: past.project,
    sourceFiles: () => [],
    onDemand,
    annotate,
  };
  const { folder, site, include, exclude, content, cleanUrls, minor } = settings;
  const collections = settings.collections.map(({ folder }) => folder);
  const pages = { folder, url: site, collections, cleanUrls, minor };
  const globs = { include: [...include], exclude: [...exclude], content: [...content] };
  const dry = { dryRun: true, allowMassDelete: true };
  try {
    const result = await emit(
      { ...pages, ...globs, ...dry, previous: "output", history: "files" },
      { ...environment, builder },
    );
    return result.collections.flatMap(({ changes }) => changes);
  } catch (error) {
    if (error instanceof EmptySiteError) return undefined;
    throw error;
  }
}
