import { mkdirSync } from "node:fs";
import { type ComparedFiles, EmitError, inCommitOrder, withLock } from "@rs-emit/core";
import { count, list } from "@rs-emit/core/words";
import { isMassDelete } from "@rs-emit/documents";
import { asReadingError, CommandError, EXIT } from "../errors.ts";
import type { NeocitiesApi, RemoteFile } from "./api.ts";
import { bytesOf, isFetchable, type LocalFile, readFolder, refuseTwins } from "./files.ts";
import { type Choices, choiceFor, type PullPlan, planPull } from "./pull-plan.ts";
import {
  bytesThere,
  compareWithSite,
  type FilePair,
  type NeocitiesSite,
  pairsOf,
} from "./site-log.ts";
import { inTheWay, Stage, writing } from "./stage.ts";

interface Pull extends NeocitiesSite {
  readonly api: NeocitiesApi;
  readonly choices: Choices;
  readonly dryRun: boolean;
}

export interface PullResult {
  readonly fetched: readonly string[];
  readonly removed: readonly string[];
  /** Edited here, and kept. */
  readonly edited: readonly string[];
  readonly unchanged: number;
  /** Only in the folder, and kept. */
  readonly surplus: readonly string[];
  /** Their pages were deleted, and the site still has the files. */
  readonly leftOver: readonly string[];
  /** On the site, with names that rs-emit never sends. */
  readonly leftOut: readonly string[];
}

/**
 * Brings the folder to the site's state, except for files edited here. Downloads everything before it changes
 * anything. Documents are replaced last, since they show what was edited.
 * @throws {CommandError} if a file cannot be fetched or written, or was edited here and on the site; the next
 * run continues
 */
export async function pull(request: Pull): Promise<PullResult> {
  writing(request.folder, () => mkdirSync(request.folder, { recursive: true }));
  try {
    return await withLock(request.folder, () => pullLocked(request));
  } catch (error) {
    throw error instanceof EmitError ? asReadingError(error) : error;
  }
}

async function pullLocked(request: Pull): Promise<PullResult> {
  const { api, folder, choices, dryRun } = request;
  const listed = await api.list();
  const remote = listed.filter(({ path }) => isFetchable(path));
  const stage = new Stage(folder);
  if (!dryRun) stage.finish();
  const local = readFolder(folder).files;
  if (stage.isCaseBlind) refuseTwins([...local, ...remote].map(({ path }) => path));
  const pairs = pairsOf(local, remote);
  const { documents, compared } = await compareWithSite(request, pairs, stage);
  const files = pairs.filter((pair) => !documents.includes(pair));
  const plan = await planPull(files, compared, (pair) => bytesOfPair(folder, stage, pair), choices);
  refuseMassRemoval(plan, local, choices);
  const taken = documentsToTake(documents, compared, plan);
  refuseInTheWay(folder, [...plan.fetched, ...plan.removed, ...taken.fetched]);
  if (!dryRun) apply(stage, plan, taken, local);
  if (isDecided(plan) || dryRun) stage.discard();
  if (!isDecided(plan)) throw undecided(request, plan);
  return {
    fetched: [...plan.fetched, ...taken.fetched].map(({ path }) => path),
    removed: [...plan.removed, ...taken.removed].map(({ path }) => path),
    edited: plan.edited,
    unchanged: plan.unchanged + documents.length - taken.fetched.length,
    surplus: plan.surplus,
    leftOver: plan.leftOver,
    leftOut: listed.filter(({ path }) => !isFetchable(path)).map(({ path }) => path),
  };
}

function bytesOfPair(folder: string, stage: Stage, pair: FilePair) {
  return {
    here: pair.here && bytesOf(folder, pair.path),
    there: pair.there && bytesThere(folder, stage, pair),
  };
}

interface FetchedFiles {
  readonly fetched: readonly RemoteFile[];
  readonly removed: readonly LocalFile[];
}

/** A folder's own documents stay until each page that was edited on both sides is decided. */
function documentsToTake(
  documents: readonly FilePair[],
  { relation }: ComparedFiles,
  plan: PullPlan,
): FetchedFiles {
  if (!isDecided(plan) || relation === "ahead") return { fetched: [], removed: [] };
  const fetched = documents.flatMap(({ here, there }) =>
    there === undefined || here?.sha1 === there.sha1 ? [] : [there],
  );
  const removed = documents.flatMap(({ here, there }) =>
    here === undefined || there !== undefined ? [] : [here],
  );
  return { fetched: fetched.sort(inCommitOrder), removed: relation === "same" ? [] : removed };
}

function apply(
  stage: Stage,
  { fetched, removed }: PullPlan,
  documents: FetchedFiles,
  local: readonly LocalFile[],
): void {
  const before = new Map(local.map(({ path, sha1 }) => [path, sha1]));
  for (const { path, sha1, updated } of fetched) {
    stage.put(path, sha1, before.get(path), updated > 0 ? updated : undefined);
  }
  for (const { path, sha1 } of removed) stage.remove(path, sha1);
  stage.putTogether([
    ...documents.fetched.map(({ path, sha1 }) => ({ path, before: before.get(path), after: sha1 })),
    ...documents.removed.map(({ path, sha1 }) => ({ path, before: sha1, after: undefined })),
  ]);
}

/** @throws {CommandError} when the site seems to have been emptied */
function refuseMassRemoval(
  { removed }: PullPlan,
  local: readonly LocalFile[],
  choices: Choices,
): void {
  if (removed.every(({ path }) => choiceFor(path, choices) === "theirs")) return;
  const pages = local.filter(({ isDocument }) => !isDocument);
  if (!isMassDelete(removed.length, pages.length)) return;
  throw new CommandError({
    code: "MASS_DELETE",
    problem:
      `${count(removed.length, "file")} of ${pages.length} would be removed here, since the site has them no ` +
      `more: ${list(
        removed.map(({ path }) => path),
        SHOWN,
      )}. Nothing was changed here.`,
    cure: "If they are meant to be gone, run again with --theirs.",
    option: "theirs",
    exitCode: EXIT.failed,
  });
}

/** @throws {CommandError} for a link or a folder, which might lead elsewhere */
function refuseInTheWay(folder: string, files: readonly { readonly path: string }[]): void {
  const found = new Set(files.flatMap(({ path }) => inTheWay(folder, path) ?? []));
  if (found.size === 0) return;
  throw new CommandError({
    code: "IN_THE_WAY",
    problem: `The site has files where the folder has a link, or a folder for a file: ${list([...found], SHOWN)}. Nothing was changed here.`,
    cure: "Rename it or move it away, then run again.",
    exitCode: EXIT.failed,
  });
}

function isDecided({ both, unlogged }: PullPlan): boolean {
  return both.length + unlogged.length === 0;
}

function undecided(
  { dryRun, url, folder }: Pull,
  { both, unlogged, fetched }: PullPlan,
): CommandError {
  const named = (what: string, paths: readonly string[]) =>
    paths.length === 0 ? "" : ` ${what}: ${list(paths, SHOWN)}.`;
  const others =
    dryRun || fetched.length === 0
      ? ""
      : ` ${count(fetched.length, "other file was", "other files were")} fetched.`;
  return new CommandError({
    code: "EDITED_TWICE",
    problem:
      `${count(both.length + unlogged.length, "file differs", "files differ")} here and on the site.` +
      named("Both may hold edits", both) +
      named("In no log, so that nothing tells which is newer", unlogged) +
      ` They stay as they are, here and there.${others}`,
    cure:
      `Compare them with ${url}, then run again: with --mine the ones in ${folder} go on, with --theirs the ` +
      "site's. Each takes names of files, where not all go the same way.",
    option: "mine",
    exitCode: EXIT.failed,
  });
}

const SHOWN = 10;
