import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ComparedFiles, compareFolders, EmitError } from "@rs-emit/core";
import { asReadingError } from "../errors.ts";
import type { RemoteFile } from "./api.ts";
import { download } from "./download.ts";
import { bytesOf, isDocument, type LocalFile } from "./files.ts";
import { Stage } from "./stage.ts";

export interface FilePair {
  readonly path: string;
  readonly here: LocalFile | undefined;
  readonly there: RemoteFile | undefined;
}

export function pairsOf(
  local: readonly LocalFile[],
  remote: readonly RemoteFile[],
): readonly FilePair[] {
  const here = new Map(local.map((file) => [file.path, file]));
  const there = new Map(remote.map((file) => [file.path, file]));
  const paths = new Set([...here.keys(), ...there.keys()]);
  return [...paths].map((path) => ({ path, here: here.get(path), there: there.get(path) }));
}

export interface NeocitiesSite {
  /** Ends with a slash. */
  readonly url: string;
  readonly folder: string;
  /** Called with one sentence for each step. */
  readonly tell: (sentence: string) => void;
}

interface ComparedLogs {
  readonly documents: readonly FilePair[];
  readonly compared: ComparedFiles;
}

/**
 * Downloads what differs, one request at a time, and compares by the documents in it.
 * @throws {CommandError} if a file cannot be fetched
 * @throws {EmitError} if the site's documents cannot be read
 */
export async function compareWithSite(
  { url, folder, tell }: NeocitiesSite,
  pairs: readonly FilePair[],
  stage: Stage,
): Promise<ComparedLogs> {
  const wanted = pairs.flatMap(({ here, there }) =>
    there === undefined || here?.sha1 === there.sha1 ? [] : [there],
  );
  for (const [at, { path, sha1 }] of wanted.entries()) {
    if (!stage.has(sha1)) stage.keep(sha1, await download(url, path, sha1));
    if ((at + 1) % 50 === 0) tell(`${at + 1} of ${wanted.length} files are fetched.`);
  }
  const isTheirs = ({ path, here, there }: FilePair) => {
    if (here?.sha1 === there?.sha1) return here?.isDocument ?? false;
    return there !== undefined && isDocument(path, stage.bytes(there.sha1));
  };
  for (const pair of pairs.filter(isTheirs)) {
    stage.keepDocument(pair.path, bytesThere(folder, stage, pair));
  }
  // An author's file with a document's name is an ordinary file.
  const documents = pairs.filter((pair) => {
    const isOurs = pair.here?.isDocument ?? true;
    return isOurs && (pair.there === undefined || isTheirs(pair));
  });
  return { documents, compared: await compareFolders(folder, stage.documents) };
}

/**
 * @param pairs the documents, and the files in question
 * @throws {CommandError} if a file cannot be fetched, or the site's documents cannot be read
 */
export async function withSiteLog<Result>(
  site: NeocitiesSite,
  pairs: readonly FilePair[],
  work: (compared: ComparedFiles, bytesOf: (pair: FilePair) => Uint8Array) => Promise<Result>,
): Promise<Result> {
  const place = mkdtempSync(join(tmpdir(), "rs-emit-"));
  try {
    const stage = new Stage(place);
    const { compared } = await compareWithSite(site, pairs, stage);
    return await work(compared, (pair) => bytesThere(site.folder, stage, pair));
  } catch (error) {
    throw error instanceof EmitError ? asReadingError(error) : error;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Only for a file that the site has. */
export function bytesThere(
  folder: string,
  stage: Stage,
  { path, here, there }: FilePair,
): Uint8Array {
  if (there === undefined || here?.sha1 === there.sha1) return bytesOf(folder, path);
  return stage.bytes(there.sha1);
}
