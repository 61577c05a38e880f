import { basename } from "node:path/posix";
import { setTimeout as sleep } from "node:timers/promises";
import { CHANGE_LIST_INDEX, count, list } from "@rs-emit/core/words";
import { EMIT, foreignValue, readDocumentSync } from "@rs-emit/documents";
import { CommandError, EXIT } from "../errors.ts";
import type { NeocitiesApi, RemoteFile } from "./api.ts";
import { bytesOf, type LocalFile, readFolder } from "./files.ts";
import { download } from "./live.ts";
import { excessOf, planUpload, refusalOf, type SiteLimits, type UploadPlan } from "./plan.ts";

interface Push {
  readonly api: NeocitiesApi;
  readonly folder: string;
  /** Ends with a slash. */
  readonly url: string;
  readonly limits: SiteLimits;
  readonly deletes: boolean;
  readonly skipsRefused: boolean;
  readonly dryRun: boolean;
  /** Called with one sentence for each step. */
  readonly tell: (sentence: string) => void;
  /** UTC seconds. */
  readonly now?: () => number;
  readonly wait?: (seconds: number) => Promise<void>;
}

export interface PushResult {
  readonly sent: readonly string[];
  readonly deleted: readonly string[];
  readonly unchanged: number;
  /** On the site only, and not deleted. */
  readonly surplus: readonly string[];
  readonly refused: readonly string[];
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
  const { files, leftOut } = readFolder(folder);
  const refused = files.filter((file) => refusalOf(file, limits) !== undefined);
  if (refused.length > 0 && !request.skipsRefused) throw refusedFiles(refused, limits);
  const taken = files.filter((file) => !refused.includes(file));
  const remote = await api.list();
  const plan = planUpload(taken, remote);
  requireRoom(plan, remote, limits);
  await requireNewerLog(request, taken, remote);
  const surplus = plan.surplus.map(({ path }) => path);
  const deleted = request.deletes ? surplus : [];
  if (deleted.length > 0) tell(`To be deleted: ${deleted.join(", ")}.`);
  const result = {
    sent: plan.requests.flat().map(({ path }) => path),
    deleted,
    unchanged: plan.unchanged,
    surplus: request.deletes ? [] : surplus,
    refused: refused.map(({ path }) => path),
    leftOut,
  };
  if (request.dryRun || (result.sent.length === 0 && deleted.length === 0)) return result;
  await waitForTurn(request, remote);
  await send(request, plan);
  if (deleted.length > 0) await deleteFiles(request, deleted);
  return result;
}

/** Sends everything, and checks that the site then lists the files. */
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

function requireRoom(plan: UploadPlan, remote: readonly RemoteFile[], limits: SiteLimits): void {
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

/**
 * A newer log on the site would lose its changes by an upload.
 * @throws {CommandError}
 */
async function requireNewerLog(
  { folder, url }: Push,
  local: readonly LocalFile[],
  remote: readonly RemoteFile[],
): Promise<void> {
  const here = new Map(local.map((file) => [file.path, file]));
  for (const { path, sha1 } of remote.filter((file) => isIndexName(file.path))) {
    const own = here.get(path);
    if (own?.sha1 === sha1) continue;
    const there = publicationOf(await download(url, path, sha1));
    if (there === undefined) continue;
    const mine = own === undefined ? undefined : publicationOf(bytesOf(folder, path));
    if (mine !== undefined && mine >= there) continue;
    const state =
      mine === undefined
        ? `the folder has no ${path}`
        : `the one in the folder is of ${mine}, the one on the site of ${there}`;
    throw new CommandError({
      code: "NEOCITIES_LOG_NEWER",
      problem: `The site has a newer change log than the folder: ${state}. Nothing was sent.`,
      cure:
        `Publish with the live site as memory (rs-emit ${folder} --url ${url} --previous site), then upload ` +
        "again.",
      option: "previous",
      exitCode: EXIT.failed,
    });
  }
}

function isIndexName(path: string): boolean {
  return basename(path) === CHANGE_LIST_INDEX;
}

/** The publication's W3C datetime in a Change List Index of ours. */
function publicationOf(bytes: Uint8Array): string | undefined {
  try {
    return foreignValue(readDocumentSync(bytes).metadata, EMIT, "publication");
  } catch {
    return undefined; // Not ours, or damaged: check says so.
  }
}

function refusedFiles(files: readonly LocalFile[], limits: SiteLimits): CommandError {
  const isFree = !limits.anyType;
  const supporter = isFree ? "If the site is a supporter's, say so with --supporter. " : "";
  const isDump = files.some(({ path }) => /(?:^|\/)(?:change|resource)dump-[^/]*\.zip$/.test(path));
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
