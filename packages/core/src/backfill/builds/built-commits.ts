import { readdirSync, realpathSync, rmSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { runGit } from "../../git/process.ts";
import type { Repository } from "../../git/repository.ts";
import { isWritten } from "../../history/source-links.ts";
import type { Annotation, Builder } from "../../model/environment.ts";
import { EmitError, isEmitError } from "../../model/errors.ts";
import { isFolder, pathBelow, statIfThere } from "../../model/file-system.ts";
import type { Known } from "../../model/publication.ts";
import { refuseTestAddress } from "../../model/site-address.ts";
import type { EmitOptions } from "../../options/emit-options.generated.ts";
import { parseOptions, type Settings } from "../../options/settings.ts";
import type { PastCommit } from "../commits/commits.ts";
import {
  carry,
  inWorkFolder,
  linkModules,
  type WorkFolder,
  type Worktree,
} from "../commits/worktree.ts";
import { buildFailedError, failedBuildError, requireMachine, stoppedError } from "../errors.ts";
import type { PastSettings } from "../options.ts";
import {
  type BuilderWords,
  type CommitOutcome,
  type CommitReader,
  inventoryOf,
  unstablePages,
} from "../replay/commit-states.ts";
import type { CommitState } from "../replay/replay.ts";
import { buildEnvironment, type CommandFailure, runCommand, setUpRule } from "./build-command.ts";
import { type HandedOver, readHandOver, type UrlRule, urlRuleOf } from "./handed-over.ts";

export interface BuildRequest {
  readonly options: EmitOptions;
  readonly past: PastSettings;
  readonly command: string;
  readonly repository: Repository;
  readonly project: string;
  readonly folder: string;
  readonly work: WorkFolder;
  readonly newest: PastCommit;
  readonly deadline: (milliseconds: number) => AbortSignal;
  readonly signal: AbortSignal;
}

/**
 * The newest commit is built first, and twice: its URL rule and unstable pages apply to all commits.
 * @throws {EmitError} `BUILD_FAILED`
 */
export async function builtCommits(request: BuildRequest): Promise<CommitReader> {
  const { command, newest, past, work, signal } = request;
  const build = await builderOf(request);
  try {
    const worktree = work.borrow();
    const handed = await build(worktree, newest, signal);
    const settings = settingsFor(request.options, handed);
    const rule = handed === undefined ? undefined : urlRuleOf(handed, settings.site);
    const isSetUp = setUpRule(command, join(worktree.path, request.project));
    const common = { request, settings, rule, newest: handed };
    const last = await stateOf(common, worktree, newest, handed, () => undefined);
    const second = work.borrow();
    const again = await build(second, newest, signal);
    const repeated = await stateOf(common, second, newest, again, () => undefined);
    work.giveBack(second);
    return {
      settings,
      unstable: unstablePages(last.inventory, repeated.inventory),
      last,
      words: builderWordsOf(handed, common),
      urls: rule === undefined ? [] : ["x.html", "x/index.html"].map(rule),
      builder: builderIn(join(worktree.path, request.project), handed, common),
      async read(tree, commit, known, ended): Promise<CommitOutcome> {
        try {
          await tree.checkOutAfresh(commit.id);
          if (!isSetUp(join(tree.path, request.project))) {
            return await asCommitted(common, tree, commit, known);
          }
          const handed = await build(tree, commit, ended);
          return { kind: "taken", ...(await stateOf(common, tree, commit, handed, known)) };
        } catch (error) {
          // Another commit may have failed meanwhile, which ends this build.
          ended.throwIfAborted();
          if (!(error instanceof EmitError)) throw error;
          requireMachine(error, commit, past);
          const reason = whyFailed(error);
          if (past.stopOnError) throw stoppedError(commit, reason, past);
          return { kind: "skipped", reason };
        }
      },
    };
  } catch (error) {
    if (!isEmitError(error, "BUILD_FAILED", ...WITHOUT_PAGE)) throw error;
    const where = isWithoutPage(error) ? ` in ${request.folder || "the repository"}` : "";
    throw buildFailedError(newest, whyFailed(error) + where, past);
  }
}

type ForCommit<Result> = (
  worktree: Worktree,
  commit: PastCommit,
  signal: AbortSignal,
) => Promise<Result | undefined>;
type TryBuild = ForCommit<CommandFailure>;
type RunBuild = ForCommit<HandedOver>;

async function builderOf(request: BuildRequest): Promise<RunBuild> {
  const { command, deadline, past, project, repository } = request;
  const { root } = repository;
  const folders = past.install === undefined ? await foldersWithModules(repository) : [];
  const tryOnce: TryBuild = async (worktree, commit, signal) => {
    const { mailbox, path } = worktree;
    await worktree.checkOutAfresh(commit.id);
    const place = join(path, project);
    if (!isFolder(place)) throw failedBuildError(`There is no folder ${project}.`);
    inWorkFolder(path, () => {
      carry(join(root, project), place, past.carry);
      linkModules(root, path, folders);
      rmSync(mailbox, { recursive: true, force: true });
    });
    for (const one of past.install === undefined ? [command] : [past.install, command]) {
      const failure = await runCommand(one, {
        folder: place,
        environment: buildEnvironment(path, commit.time, mailbox),
        timeoutMilliseconds: past.timeoutMilliseconds,
        deadline,
        signal,
      });
      if (failure !== undefined) return failure;
    }
    return undefined;
  };
  return async (worktree, commit, signal) => {
    const first = await tryOnce(worktree, commit, signal);
    // A lack of memory, other work or a sleep of the machine may have ended it: no fault of the commit.
    const failure = first?.wasEnded ? await tryOnce(worktree, commit, signal) : first;
    if (failure !== undefined) throw failedBuildError(failure.reason);
    return readHandOver(worktree.mailbox);
  };
}

async function foldersWithModules({ root, head = "HEAD" }: Repository): Promise<readonly string[]> {
  const list = await runGit(root, ["ls-tree", "-r", "-d", "-z", "--name-only", head]);
  return ["", ...list.split("\0").filter((folder) => isFolder(join(root, folder, "node_modules")))];
}

interface Common {
  readonly request: BuildRequest;
  readonly settings: Settings;
  readonly rule: UrlRule | undefined;
  readonly newest: HandedOver | undefined;
}

async function stateOf(
  common: Common,
  { path }: Worktree,
  commit: PastCommit,
  handed: HandedOver | undefined,
  known: Known,
): Promise<CommitState> {
  const folder = outputOf(path, common.request.folder, handed);
  requireWithin(path, folder);
  const inventory = await inventoryOf(
    common.settings,
    folder,
    known,
    builderWordsOf(handed, common),
  );
  const knowsOnDemand = (handed ?? common.newest)?.onDemand === undefined || handed !== undefined;
  return { folder, inventory, commit, knowsOnDemand };
}

/** A commit older than the build's set-up may contain the published folder itself. */
async function asCommitted(
  common: Common,
  worktree: Worktree,
  commit: PastCommit,
  known: Known,
): Promise<CommitOutcome> {
  try {
    return { kind: "taken", ...(await stateOf(common, worktree, commit, undefined, known)) };
  } catch (error) {
    if (isEmitError(error, ...WITHOUT_PAGE)) {
      const project = join(worktree.path, common.request.project);
      // The project may have been elsewhere.
      const place = isFolder(project) ? project : worktree.path;
      return { kind: "passed-over", mayHavePages: holdsSources(place) };
    }
    throw error;
  }
}

/** Repositories often begin with only such files. */
const ABOUT_THE_PROJECT = /(?:^|\/)(?:readme|licen[cs]e|changelog|contributing|todo)[^/]*$/i;

function holdsSources(project: string): boolean {
  const files = readdirSync(project, { recursive: true, encoding: "utf8" });
  return files.some((file) => isWritten(file) && !ABOUT_THE_PROJECT.test(file));
}

/** A builder may have written elsewhere in older commits. */
function outputOf(worktree: string, folder: string, handed: HandedOver | undefined): string {
  const path = handed === undefined ? ".." : relative(worktree, handed.folder);
  return path.startsWith("..") || isAbsolute(path) ? join(worktree, folder) : join(worktree, path);
}

/** Another build would write over pages that are still read. */
function requireWithin(worktree: string, folder: string): void {
  if (statIfThere(folder)?.isFile()) throw failedBuildError("it made no page");
  if (!isFolder(folder) || !pathBelow(worktree, realpathSync(folder)).startsWith("..")) return;
  throw failedBuildError(`it wrote its pages into ${realpathSync(folder)}, outside the checkout`);
}

function settingsFor(options: EmitOptions, handed: HandedOver | undefined): Settings {
  const { dryRun: _, now: __, ...ofPlugin } = handed?.options ?? {};
  const settings = parseOptions({ ...ofPlugin, ...options });
  refuseTestAddress(settings);
  return settings;
}

/** Another URL rule of the host would make every page seem to move. */
function builderWordsOf(handed: HandedOver | undefined, { rule, newest }: Common): BuilderWords {
  if (newest === undefined && handed === undefined) return {};
  const annotate = (file: string): Annotation | undefined => {
    const own = handed?.pages.get(file);
    const today = newest?.pages.get(file);
    const url = rule?.(file) ?? today?.url ?? own?.url;
    const { excluded, stale } = { ...(handed === undefined ? today : own) };
    return {
      url,
      excluded,
      stale: handed === undefined ? undefined : stale,
    };
  };
  const { onDemand = [], unlisted = [] } = handed ?? {};
  return { annotate, onDemand, unlisted };
}

function builderIn(
  project: string,
  handed: HandedOver | undefined,
  common: Common,
): Builder | undefined {
  const sources = handed?.sources;
  if (sources === undefined) return undefined;
  const sourceFiles = (page: string) => sources.get(page) ?? [];
  return { ...builderWordsOf(handed, common), project, sourceFiles };
}

const WITHOUT_PAGE = ["EMPTY_SITE", "NO_FOLDER"];

function isWithoutPage({ code }: EmitError): boolean {
  return WITHOUT_PAGE.includes(code);
}

function whyFailed(error: EmitError): string {
  return isWithoutPage(error) ? "it made no page" : error.problem;
}
