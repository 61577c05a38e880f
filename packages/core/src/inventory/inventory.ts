import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { urlKey } from "@rs-emit/documents";
import {
  type ExcludedPage,
  type Inventory,
  type PageFacts,
  pageFactsOf,
  type Resource,
  type UnmatchedPattern,
  wordsOf,
} from "../model/resources.ts";
import { type Candidate, type InventoryRequest, sortOut, withOnDemand } from "./candidates.ts";
import { type ContentRule, contentRule } from "./content-rule.ts";
import { digestReader, type FileDigest } from "./digest.ts";
import { DuplicateUrlError, EmptySiteError } from "./errors.ts";
import { fileRules, isPage, unmatched } from "./file-rules.ts";
import { missingFolders } from "./folders.ts";
import { mediaType } from "./media-types.ts";
import { type FoundFiles, walk } from "./walk.ts";

/** Files read between two moments for everything else that runs: git waits while its pipe is full. */
const FILES_AT_A_TIME = 32;

/**
 * Takes stock of the output folder: every resource, read once, by URL, and why the other pages are
 * none.
 *
 * @throws NoFolderError, EmptySiteError, UnreadableFileError, DuplicateUrlError, ContentSelectorError.
 */
export async function takeInventory(request: InventoryRequest): Promise<Inventory> {
  const rule = await contentRule(request.content);
  const found = await walk(request.folder, fileRules(request));
  const { candidates, excluded, stale, unreadable } = sortOut(found, request);
  const isEmpty = found.candidates.length + found.excluded.length + request.onDemand.length === 0;
  if (isEmpty && !request.anyFolder) {
    throw new EmptySiteError(request.folder);
  }
  const read = await readAll(candidates, request, rule);
  const inventory = {
    resources: byDistinctUrl(read.resources),
    excluded: [...excluded, ...read.excluded],
    stale,
    unreadable,
    missing: missingFolders(request.folder, request.collections),
    unmatched: unmatchedPatterns(found, request),
  };
  return withOnDemand(inventory, request);
}

function unmatchedPatterns(found: FoundFiles, request: InventoryRequest): UnmatchedPattern[] {
  const { candidates, excluded, excludedOthers, unreadable } = found;
  const excludable = [...excluded, ...excludedOthers];
  const includable = [...candidates, ...excludable, ...unreadable.map(({ file }) => file)];
  const of = (option: UnmatchedPattern["option"], paths: readonly string[]) =>
    unmatched(request[option], paths).map((pattern) => ({ option, pattern }));
  return [...of("include", includable), ...of("exclude", excludable)];
}

async function readAll(
  candidates: readonly Candidate[],
  request: InventoryRequest,
  rule: ContentRule,
): Promise<{ resources: Resource[]; excluded: ExcludedPage[] }> {
  const resources: Resource[] = [];
  const excluded: ExcludedPage[] = [];
  const digestOf = request.digestOf ?? digestReader();
  let parse: typeof import("./page.ts").readPage | undefined;
  for (const [done, candidate] of candidates.entries()) {
    if (done % FILES_AT_A_TIME === 0) {
      request.onProgress?.(done, candidates.length);
      await setImmediate();
    }
    const { url, file } = candidate;
    const digest = digestOf(join(request.folder, file), file);
    const known = knownOf(file, digest, request);
    if (known !== undefined) {
      resources.push(resourceOf(candidate, digest, known));
      continue;
    }
    // The parser is loaded when the first page needs it: most runs find few or none.
    parse ??= (await import("./page.ts")).readPage;
    const page = parse(digest.head, { rule, xhtml: /\.xhtml$/i.test(file) });
    if (page.excluded === undefined) resources.push(resourceOf(candidate, digest, page));
    else excluded.push({ url, file, reason: page.excluded });
  }
  request.onProgress?.(candidates.length, candidates.length);
  return { resources, excluded };
}

/** What is known of a file without parsing it; nothing when it must be parsed. */
function knownOf(file: string, { hash }: FileDigest, request: InventoryRequest) {
  if (!isPage(file)) return {};
  const known = request.known(hash);
  return known?.content === undefined ? undefined : known;
}

function resourceOf(candidate: Candidate, digest: FileDigest, facts: PageFacts): Resource {
  return {
    ...candidate,
    hash: digest.hash,
    length: digest.length,
    type: mediaType(candidate.file),
    // An identity of the first megabytes would call a change further on minor, or none.
    ...(digest.isWhole ? pageFactsOf(facts) : wordsOf(facts)),
  };
}

function byDistinctUrl(resources: Resource[]): Resource[] {
  const fileOf = new Map<string, string>();
  for (const { url, file = "" } of resources) {
    const key = urlKey(url);
    const other = fileOf.get(key);
    if (other !== undefined) throw new DuplicateUrlError(url, other, file);
    fileOf.set(key, file);
  }
  return resources.sort((a, b) => (a.url < b.url ? -1 : 1));
}
