import { basename } from "node:path/posix";
import { setTimeout as sleep } from "node:timers/promises";
import { hasNoLogFile } from "@rs-emit/core";
import { CHANGE_LIST_INDEX, count, list, pullCommand } from "@rs-emit/core/words";
import { builtWithoutLogError, CommandError, EXIT } from "../errors.ts";
import { publicationIn } from "../last-publication.ts";
import type { NeocitiesApi, RemoteFile } from "./api.ts";
import { download } from "./download.ts";
import { bytesOf, isFetchable, type LocalFile, mayBeDocument, readFolder } from "./files.ts";
import { type FilePair, pairsOf, withSiteLog } from "./site-log.ts";
import { refuseUnseenEdits, type SeenUpload } from "./unseen-edits.ts";
import {
  excessOf,
  type NeocitiesLimits,
  planUpload,
  refusalOf,
  type UploadPlan,
} from "./upload-plan.ts";

interface Push extends SeenUpload {
  readonly api: NeocitiesApi;
  readonly limits: NeocitiesLimits;
  readonly deletes: boolean;
  readonly skipsRefused: boolean;
  readonly dryRun: boolean;
  /** UTC seconds. */
  readonly now?: () => number;
  readonly wait?: (seconds: number) => Promise<void>;
}

export interface PushResult {
  readonly sent: readonly string[];
  readonly deleted: readonly string[];
  readonly unchanged: number;
  /** Only on the site, and not deleted. */
  readonly surplus: readonly string[];
  readonly refused: readonly string[];
  /** In the folder or on the site, with names that rs-emit never sends; they stay. */
  readonly leftOut: readonly string[];
}

/** Seconds between publications. */
const PAUSE = 60;

/**
 * Uploads what differs: pages, then documents, the Resource List last; then deletes.
 * @throws {CommandError} for a refusal. What was sent stays, and the next run continues
 */
export async function push(request: Push): Promise<PushResult> {
  const { api, folder, limits, tell } = request;
  if (hasNoLogFile(folder)) throw builtWithoutLogError(folder, "Nothing was sent.");
  const { files, leftOut } = readFolder(folder);
  const refused = files.filter((file) => refusalOf(file, limits) !== undefined);
  if (refused.length > 0 && !request.skipsRefused) throw refusedFiles(refused, limits);
  const taken = files.filter((file) => !refused.includes(file));
  const remote = await api.list();
  const plan = planUpload(taken, remote);
  requireRoom(plan, remote, limits);
  await requireNewerLog(request, taken, remote);
  const unsent = remote.map(({ path }) => path).filter((path) => !isFetchable(path));
  // The site may have files by these names: the folder does not say that they are gone.
  const kept = [...leftOut, ...unsent, ...refused.map(({ path }) => path)];
  const isKept = ({ path }: { readonly path: string }) =>
    kept.some((one) => path === one || path.startsWith(`${one}/`));
  const pairs = pairsOf(taken, remote).filter((pair) => !isKept(pair));
  await refuseUnseenEdits(request, pairs, request.deletes);
  const surplus = plan.surplus.filter((file) => !isKept(file)).map(({ path }) => path);
  const deleted = request.deletes ? surplus : [];
  if (deleted.length > 0) tell(`To be deleted: ${deleted.join(", ")}.`);
  const result = {
    sent: plan.requests.flat().map(({ path }) => path),
    deleted,
    unchanged: plan.unchanged,
    surplus: request.deletes ? [] : surplus,
    refused: refused.map(({ path }) => path),
    leftOut: [...new Set([...leftOut, ...unsent])],
  };
  if (request.dryRun || (result.sent.length === 0 && deleted.length === 0)) return result;
  await waitForTurn(request, remote);
  await send(request, plan);
  if (deleted.length > 0) await deleteFiles(request, deleted);
  return result;
}

/** Checks afterwards that the site lists the files. */
async function send({ api, folder, tell }: Push, { requests }: UploadPlan): Promise<void> {
  let count = 0;
  for (const files of requests) {
    await api.upload(files.map(({ path }) => ({ path, bytes: bytesOf(folder, path) })));
    count += files.length;
    tell(`${count} of ${requests.flat().length} files are sent.`);
  }
  if (count === 0) return;
  const there = new Map((await api.list()).map(({ path, sha1 }) => [path, sha1]));
  const missing = requests.flat().filter(({ path, sha1 }) => there.get(path) !== sha1);
  if (missing.length === 0) return;
  throw new CommandError({
    code: "NEOCITIES_NOT_STORED",
    problem: `Neocities took the files, but does not list ${namesOf(missing)} as they were sent.`,
    cure: "Run the same command again.",
    exitCode: EXIT.failed,
  });
}

/** Deletes only what still exists: one missing file fails the whole request. */
async function deleteFiles({ api, tell }: Push, paths: readonly string[]): Promise<void> {
  const there = new Set((await api.list()).map(({ path }) => path));
  const present = paths.filter((path) => there.has(path));
  if (present.length > 0) await api.delete(present);
  tell(`${count(present.length, "file is", "files are")} deleted.`);
}

function requireRoom(
  plan: UploadPlan,
  remote: readonly RemoteFile[],
  limits: NeocitiesLimits,
): void {
  const { bytes, files } = excessOf(plan, remote, limits);
  if (bytes === 0 && files === 0) return;
  const much = bytes > 0 ? `${Math.ceil(bytes / 1e6)} MB` : `${files} files`;
  throw new CommandError({
    code: "NEOCITIES_FULL",
    problem: `The site would be ${much} too large. Nothing was sent.`,
    cure:
      "Delete what is not needed any more in the site or in the folder" +
      `${limits.anyType ? "" : ", or say that it is a supporter's with --supporter"}.`,
    exitCode: EXIT.failed,
  });
}

/** Neocities asks for at most one publication a minute. */
async function waitForTurn(
  { tell, now = () => Date.now() / 1000, wait = (seconds) => sleep(seconds * 1000) }: Push,
  remote: readonly RemoteFile[],
): Promise<void> {
  const last = remote.reduce((latest, { updated }) => Math.max(latest, updated), 0);
  const seconds = Math.ceil(last + PAUSE - now());
  if (seconds <= 0 || seconds > PAUSE) return;
  tell(`The site was updated a moment ago. The next update begins in ${seconds} seconds.`);
  await wait(seconds);
}

/** If the site's log has more, an upload would lose its changes and undo their edits. */
async function requireNewerLog(
  request: Push,
  local: readonly LocalFile[],
  remote: readonly RemoteFile[],
): Promise<void> {
  const pairs = pairsOf(local, remote);
  for (const { path, here, there } of pairs.filter(({ path }) => isIndexName(path))) {
    if (there === undefined || here?.sha1 === there.sha1) continue;
    const live = publicationIn(await download(request.url, path, there.sha1));
    if (live === undefined) continue;
    const own = here === undefined ? undefined : publicationIn(bytesOf(request.folder, path));
    if (own === undefined) throw newerLog(request, `the folder has no ${path}`);
    if (own.previous === live.time) continue;
    // After several publications, or with another one at the same time, only the logs can decide.
    const isOlder = own.time < live.time;
    if (isOlder || !(await continuesLog(request, pairs))) {
      const state = `${path} in the folder is of ${own.text}, the one on the site of ${live.text}`;
      throw newerLog(request, isOlder ? state : `${state}, which is not in the folder's log`);
    }
    return;
  }
}

function continuesLog(request: Push, pairs: readonly FilePair[]): Promise<boolean> {
  const documents = pairs.filter(({ path }) => mayBeDocument(path) && isFetchable(path));
  return withSiteLog(request, documents, async ({ relation }) => {
    return relation === "same" || relation === "ahead";
  });
}

function newerLog({ folder, url }: Push, state: string): CommandError {
  return new CommandError({
    code: "NEOCITIES_LOG_NEWER",
    problem:
      `The site was published from elsewhere after the folder was: ${state}. An upload would undo what was ` +
      "done there. Nothing was sent.",
    cure:
      `Fetch what is newer there (${pullCommand(url, folder)}), then publish and upload again: ` +
      "what was edited here stays. A folder that is built anew each time is published with --previous site.",
    option: "pull",
    exitCode: EXIT.failed,
  });
}

function isIndexName(path: string): boolean {
  return basename(path) === CHANGE_LIST_INDEX;
}

/** Even without deletion, the no-log file would hide the site's log. */
function refusedFiles(files: readonly LocalFile[], limits: NeocitiesLimits): CommandError {
  const isFree = !limits.anyType;
  const supporter = isFree ? "If the site is a supporter's, say so with --supporter. " : "";
  const isDump = files.some(({ path }) =>
    /(?:^|\/)(?:change|resource)dump\/[^/]*\.zip$/.test(path),
  );
  const dump = isDump ? "Packages of dumps go when rs-emit runs without --dump. " : "";
  return new CommandError({
    code: "NEOCITIES_REFUSES_FILES",
    problem:
      `Neocities would refuse ${namesOf(files)}: the type or the size is not allowed` +
      `${isFree ? " on free sites" : ""}. Nothing was sent.`,
    cure: `${supporter}${dump}Remove them, or leave them out with --skip-refused.`,
    option: "skipRefused",
    exitCode: EXIT.failed,
  });
}

const SHOWN = 10;

function namesOf(files: readonly LocalFile[]): string {
  return list(
    files.map(({ path }) => path),
    SHOWN,
  );
}
