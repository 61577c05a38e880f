import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { GitFailedError } from "./errors.ts";
import { eachRecord, runGit, streamGit } from "./process.ts";
import { promisorRemotes, type Repository } from "./repository.ts";

/** Git's object id for these bytes, without filters such as line-end conversion. */
function blobId({ head }: Repository, contents: Uint8Array): string {
  // All ids of a repository have the length of its hash.
  const hash = createHash(head?.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${contents.length}\0`).update(contents).digest("hex");
}

export function emptyBlobId(repository: Repository): string {
  return blobId(repository, new Uint8Array());
}

/** An unreadable file gets an id that no committed file has. */
export function fileBlobId(repository: Repository, file: string | Buffer): string {
  try {
    return blobId(repository, readFileSync(file));
  } catch {
    return "unreadable";
  }
}

/**
 * In a partial clone, missing blobs are fetched together first.
 * @throws {EmitError} `GIT_FAILED` while reading
 */
export function readVersions(
  repository: Repository,
  blobs: Iterable<string>,
): AsyncGenerator<BlobVersion> {
  return repository.partial ? readPromised(repository, [...blobs]) : readBatch(repository, blobs);
}

async function* readBatch(
  { root }: Repository,
  blobs: Iterable<string>,
): AsyncGenerator<BlobVersion> {
  const output = new BatchOutput(root);
  // Without `--buffer` git writes each version separately, which takes three times as long.
  const batch = ["cat-file", "--batch", "--buffer"];
  for await (const chunk of streamGit(root, batch, lines(blobs))) {
    output.add(chunk);
    for (let version = output.next(); version; version = output.next()) yield version;
  }
}

async function* readPromised(
  repository: Repository,
  blobs: readonly string[],
): AsyncGenerator<BlobVersion> {
  const missing = await fetchMissing(repository, blobs);
  // For a missing blob git would ask the remote separately, 14 ms each.
  const present = blobs.filter((blob) => !missing.has(blob));
  const versions = readBatch(repository, present);
  try {
    for (const blob of blobs) {
      const answer = missing.has(blob) ? undefined : await versions.next();
      yield answer && !answer.done ? answer.value : { blob, bytes: undefined };
    }
  } finally {
    await versions.return(undefined);
  }
}

const LINES_AT_ONCE = 256;

function* lines(blobs: Iterable<string>): Generator<string> {
  let piece: string[] = [];
  for (const blob of blobs) {
    if (piece.push(`${blob}\n`) < LINES_AT_ONCE) continue;
    yield piece.join("");
    piece = [];
  }
  yield piece.join("");
}

export interface BlobVersion {
  readonly blob: string;
  /** A view that is overwritten later; `undefined` for a blob that cannot be fetched. */
  readonly bytes: Uint8Array | undefined;
}

const NEWLINE = 10;

/** Parses `git cat-file --batch`: `id blob size` and the contents, or `id missing`. */
class BatchOutput {
  private readonly root: string;
  private pieces: Buffer[] = [];
  private length = 0;
  private needed = 1;

  constructor(root: string) {
    this.root = root;
  }

  add(chunk: Buffer): void {
    this.pieces.push(chunk);
    this.length += chunk.length;
  }

  next(): BlobVersion | undefined {
    if (this.length < this.needed) return undefined;
    const data = this.joined();
    const start = data.indexOf(NEWLINE) + 1;
    if (start === 0) return this.keep(data, data.length + 1);
    const [blob = "", , size] = data.toString("latin1", 0, start - 1).split(" ");
    if (size === undefined) throw new GitFailedError(this.root, "cat-file", `${blob} is missing`);
    const end = start + Number(size);
    if (data.length <= end) return this.keep(data, end + 1);
    this.keep(data.subarray(end + 1));
    return { blob, bytes: data.subarray(start, end) };
  }

  private joined(): Buffer {
    const [first] = this.pieces;
    return first && this.pieces.length === 1 ? first : Buffer.concat(this.pieces);
  }

  private keep(rest: Buffer, needed = 1): undefined {
    this.pieces = [rest];
    this.length = rest.length;
    this.needed = needed;
  }
}

async function fetchMissing(
  repository: Repository,
  blobs: readonly string[],
): Promise<ReadonlySet<string>> {
  const missing = await missingOf(repository, blobs);
  if (missing.size === 0 || (await fetchTogether(repository, missing))) return new Set();
  return missingOf(repository, blobs);
}

/**
 * In a partial clone, fetches whatever these commits hold. What no remote has stays missing.
 * @throws {EmitError} `GIT_FAILED`
 */
export async function fetchContents(
  repository: Repository,
  commits: readonly { readonly id: string }[],
): Promise<void> {
  if (!repository.partial) return;
  const args = ["rev-list", "--objects", "--missing=print", "--no-walk", "--stdin"];
  const input = commits.map(({ id }) => `${id}\n`);
  let missing: ReadonlySet<string>;
  do {
    const found = (await runGit(repository.root, args, { input })).split("\n");
    missing = new Set(found.flatMap((line) => (line.startsWith("?") ? line.slice(1) : [])));
    // A tree that is there now may lead to others.
  } while (missing.size > 0 && (await fetchTogether(repository, missing)));
}

/** Whether a remote had them all. */
async function fetchTogether(
  repository: Repository,
  objects: ReadonlySet<string>,
): Promise<boolean> {
  for (const remote of await promisorRemotes(repository.root)) {
    try {
      await fetchFrom(repository, remote, objects);
      return true;
    } catch (error) {
      if (!(error instanceof GitFailedError)) throw error;
    }
  }
  return false;
}

/** Lists local objects, since requesting one blob by its id would fetch it. */
async function missingOf(
  { root }: Repository,
  blobs: readonly string[],
): Promise<ReadonlySet<string>> {
  const missing = new Set(blobs);
  const all = "cat-file --batch-all-objects --batch-check=%(objectname) --unordered".split(" ");
  await eachRecord(
    streamGit(root, all),
    (data, start, end) => {
      missing.delete(data.toString("latin1", start, end));
    },
    NEWLINE,
  );
  return missing;
}

const FETCH = [
  ..."-c fetch.negotiationAlgorithm=noop -c gc.auto=0 -c maintenance.auto=false".split(" "),
  // Treats a remote that is silent for half a minute as failed.
  ..."-c http.lowSpeedLimit=1 -c http.lowSpeedTime=30".split(" "),
  ..."fetch --quiet --no-tags --no-write-fetch-head --recurse-submodules=no".split(" "),
  ..."--filter=blob:none --stdin".split(" "),
];

async function fetchFrom(
  { root }: Repository,
  remote: string,
  blobs: ReadonlySet<string>,
): Promise<void> {
  const ids = [...blobs].map((blob) => `${blob}\n`);
  for await (const _ of streamGit(root, [...FETCH, remote], ids));
}

/** By key. */
export interface Tree {
  readonly files: ReadonlySet<string>;
  readonly links: ReadonlySet<string>;
  /** Submodules: folders with their own repository. */
  readonly modules: ReadonlySet<string>;
}

const TAB = 9;
const MODE_LENGTH = 6;

/** @throws {EmitError} `GIT_FAILED` */
export async function readTree({ root, head }: Repository): Promise<Tree> {
  const files = new Set<string>();
  const links = new Set<string>();
  const modules = new Set<string>();
  if (head === undefined) return { files, links, modules };
  const entries = streamGit(root, ["ls-tree", "-r", "-z", "--full-tree", head]);
  await eachRecord(entries, (data, start, end) => {
    const mode = data.toString("latin1", start, start + MODE_LENGTH);
    const kind = mode === "120000" ? links : mode === "160000" ? modules : files;
    kind.add(data.toString("latin1", data.indexOf(TAB, start) + 1, end));
  });
  return { files, links, modules };
}
