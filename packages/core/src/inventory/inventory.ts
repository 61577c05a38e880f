import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { byDepth } from "../model/collections.ts";
import { digestBytes } from "../model/digest.ts";
import {
  type ExcludedPage,
  type Inventory,
  type PageFile,
  pageFactsOf,
  type Resource,
  type UnfinishedPage,
  type UnmatchedPattern,
  wordsOf,
} from "../model/resources.ts";
import type { SiteStatement } from "../model/site-title.ts";
import { composedKey } from "../model/url.ts";
import { keysIn } from "../news/memory.ts";
import { AS_IT_IS, type PreparedPage, preparePage } from "../pages/finish.ts";
import { linkElements, linksOf } from "../pages/links.ts";
import { isMarkedOnlyBy, mayBeMarked, mayListChanges } from "../pages/placeholder-search.ts";
import { isXhtml } from "../pages/placeholders.ts";
import { type Candidate, type InventoryRequest, sortOut, withOnDemand } from "./candidates.ts";
import { type ContentRule, contentRule } from "./content-rule.ts";
import { duplicateUrlError, emptySiteError } from "./errors.ts";
import { exclusionOf } from "./excluded-page.ts";
import { digestReader, type FileDigest } from "./file-digest.ts";
import { anyOf, fileRules, isPage, unmatched } from "./file-rules.ts";
import { titleBeside } from "./first-heading.ts";
import { missingFolders } from "./folders.ts";
import { readStatement } from "./home-page.ts";
import { type KnownPage, knownOf } from "./known-page.ts";
import { withLinks } from "./links.ts";
import { mediaType } from "./media-types.ts";
import type { Page } from "./page.ts";
import { mayStateSite } from "./quick-tests.ts";
import { type FoundFiles, walk } from "./walk.ts";

/** Pauses let other work run: git waits while its pipe is full. */
const FILES_AT_A_TIME = 32;

/** Bytes of completed pages kept in memory. Beyond it, pages are read and completed again. */
const MOST_KEPT = 64 * 1024 * 1024;

/** @throws {EmitError} `NO_FOLDER` `EMPTY_SITE` `UNREADABLE_FILE` `DUPLICATE_URL` `CONTENT_SELECTOR` */
export async function takeInventory(request: InventoryRequest): Promise<Inventory> {
  const rule = contentRule(request.content);
  const found = await walk(request.folder, fileRules(request));
  const { candidates, excluded, stale, unreadable } = sortOut(found, request);
  const isEmpty = found.candidates.length + found.excluded.length + request.onDemand.length === 0;
  if (isEmpty && !request.anyFolder) {
    throw emptySiteError(request.folder);
  }
  const read = await readAll(candidates, request, rule);
  const others = otherPages(excluded, request);
  const inventory = {
    resources: byDistinctUrl(read.resources),
    excluded: [...excluded, ...read.excluded],
    stale,
    unreadable,
    missing: missingFolders(request.folder, request.collections),
    unmatched: unmatchedPatterns(found, request),
    unfinished: [...read.unfinished, ...others.unfinished],
    linkedFiles: read.linkedFiles,
    unfit: [...read.unfit, ...others.unfit],
    stated: read.stated,
  };
  const whole = withOnDemand(inventory, request);
  return { ...whole, resources: withLinks(whole.resources, request.site, request.links) };
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
): Promise<ReadPages> {
  const resources: Resource[] = [];
  const excluded: ExcludedPage[] = [];
  const unfinished: UnfinishedPage[] = [];
  const linkedFiles: PageFile[] = [];
  const unfit: string[] = [];
  const stated = new Map<string, SiteStatement>();
  const headings = new Map<string, string>();
  const links = new Map(
    request.collections.map((one) => [
      one.url,
      request.link ? linksOf(one, request.feed, request.titles.get(one.url) ?? one.url) : undefined,
    ]),
  );
  const isIncluded = anyOf(request.include);
  const isPageAnyhow = (file: string) => request.annotate?.(file)?.isPage ?? isIncluded(file);
  let kept = 0;
  const keep = ({ completed, unfinished }: PreparedPage, readAt: number) => {
    if (!request.isBuilt || completed === undefined || unfinished === undefined) return unfinished;
    kept += completed.length;
    if (kept > MOST_KEPT) return unfinished;
    const { bytes } = completed;
    return { ...unfinished, completed: { ...unfinished.completed, kept: { bytes, readAt } } };
  };
  const note = (prepared: PreparedPage | undefined, { url, file }: PageFile, readAt: number) => {
    const page = prepared && keep(prepared, readAt);
    if (page !== undefined) unfinished.push(page);
    if (prepared?.isLink) linkedFiles.push({ url, file });
    if (prepared?.isUnfit) unfit.push(file);
  };
  const digestOf = request.digestOf ?? digestReader();
  let parse: typeof import("./page.ts").readPage | undefined;
  for (const [done, candidate] of candidates.entries()) {
    if (done % FILES_AT_A_TIME === 0) {
      request.onProgress?.(done, candidates.length);
      await setImmediate();
    }
    const { url, file } = candidate;
    const readAt = Date.now();
    const found = digestOf(join(request.folder, file), file);
    const own = links.get(candidate.collection);
    if (isHome(candidate) && mayStateSite(found.head)) {
      stated.set(url, await readStatement(found.head));
    }
    let prepared = prepare({ ...candidate, links: own }, found, request);
    const digest = digestWith(prepared, found);
    const known = knownOf(candidate, digest, request, rule);
    if (known !== undefined) {
      resources.push(resourceOf(candidate, digest, known));
      note(prepared, candidate, readAt);
      continue;
    }
    // The parser is loaded for the first page that needs it: most runs parse few pages or none.
    parse ??= (await import("./page.ts")).readPage;
    const parsed = request.parsed?.get(url);
    const page =
      parsed?.hash === found.hash
        ? parsed.page
        : parse(found.head, {
            url,
            marks: prepared?.marks,
            site: request.site,
            rule,
            xhtml: isXhtml(file),
            memory: request.remembers
              ? {
                  had: request.memoryOf && new Set(keysIn(request.memoryOf(url))),
                  findsPlaces: !mayListChanges(digest.head),
                }
              : undefined,
          });
    request.parsed?.set(url, { hash: found.hash, page });
    const reason = exclusionOf(page, () => isPageAnyhow(file));
    if (reason === undefined) {
      // Its note was published with the same bytes, even if the page must be read again.
      const noteDigest = request.known(digest.hash)?.noteDigest;
      resources.push(resourceOf(candidate, digest, { ...page, noteDigest }));
      if (page.heading !== undefined) headings.set(url, page.heading);
    } else {
      excluded.push({ url, file, reason, leadsTo: page.leadsTo });
      prepared = prepare({ ...candidate, links: own && "none" }, found, request);
    }
    note(prepared, candidate, readAt);
  }
  request.onProgress?.(candidates.length, candidates.length);
  const titled = withOwnTitles(resources, headings);
  return { resources: titled, excluded, unfinished, linkedFiles, unfit, stated };
}

function withOwnTitles(
  resources: readonly Resource[],
  headings: ReadonlyMap<string, string>,
): Resource[] {
  const titles = new Map(resources.map(({ url, title }) => [url, title]));
  const keyOf = ({ collection, title }: Resource) => `${collection} ${title}`;
  const counts = new Map<string, number>();
  for (const page of resources) counts.set(keyOf(page), (counts.get(keyOf(page)) ?? 0) + 1);
  return resources.map((page) => {
    const { url, collection, title } = page;
    const heading = headings.get(url);
    if (heading === undefined || url === collection) return page;
    const own = titleBeside(titles.get(collection), title, heading);
    const isRepeated = (counts.get(keyOf(page)) ?? 0) > 1;
    return { ...page, title: own, ...(isRepeated ? { heading } : {}) };
  });
}

type ReadPages = Pick<Inventory, "excluded" | "unfinished" | "linkedFiles" | "unfit" | "stated"> & {
  readonly resources: Resource[];
};

/** A page that was read only in part is not changed. */
function prepare(
  page: Candidate & Pick<UnfinishedPage, "links">,
  { head, isWhole, hash, length }: FileDigest,
  { changedOf, folder, known }: InventoryRequest,
): PreparedPage | undefined {
  const { file, links, url } = page;
  if (!isPage(file)) return undefined;
  // Parsing takes longer than reading, and a published page was parsed before.
  const isPublished = isWhole && typeof links === "object" && known(hash)?.url === url;
  if (isPublished && isMarkedOnlyBy(head, linkElements(links, isXhtml(file)))) return AS_IT_IS;
  if (isWhole) return preparePage(folder, { bytes: head, hash, length }, page, changedOf);
  return { ...AS_IT_IS, isUnfit: links !== undefined || mayBeMarked(head) };
}

function digestWith(prepared: PreparedPage | undefined, found: FileDigest): FileDigest {
  if (prepared?.completed === undefined) return found;
  const { bytes, ...digest } = prepared.completed;
  return { ...digest, isWhole: true, head: bytes };
}

/** Pages that are no resources: they lose the links of rs-emit, and list their collection's changes. */
function otherPages(
  pages: readonly PageFile[],
  { folder, collections, link }: InventoryRequest,
): Pick<Inventory, "unfinished" | "unfit"> {
  const collectionOf = byDepth(collections);
  const unfinished: UnfinishedPage[] = [];
  const unfit: string[] = [];
  for (const { url, file } of pages) {
    const collection = collectionOf(file)?.url;
    const bytes = isPage(file) && (link || collection) ? bytesOf(join(folder, file)) : undefined;
    if (bytes === undefined) continue;
    const page = { url, file, collection, links: link ? ("none" as const) : undefined };
    const prepared = preparePage(folder, { bytes, ...digestBytes(bytes) }, page);
    if (prepared.unfinished !== undefined) unfinished.push(prepared.unfinished);
    if (prepared.isUnfit && mayBeMarked(bytes)) unfit.push(file);
  }
  return { unfinished, unfit };
}

/** An excluded page may be unreadable. */
function bytesOf(file: string): Uint8Array | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function isHome({ url, collection }: Candidate): boolean {
  return url === collection;
}

function resourceOf(
  candidate: Candidate,
  digest: FileDigest,
  facts: KnownPage & ReadFacts,
): Resource {
  return {
    ...candidate,
    // The builder's data precedes the page's `meta`.
    authorNote: candidate.authorNote ?? facts.note,
    authorMinor: candidate.authorMinor ?? facts.minor,
    noteDigest: facts.noteDigest,
    hash: digest.hash,
    length: digest.length,
    type: mediaType(candidate.file),
    // An identity of the first megabytes would miss changes after them.
    ...(digest.isWhole ? pageFactsOf(facts) : wordsOf(facts)),
    ...(digest.isWhole ? comparedBy(facts) : {}),
    engines: facts.engines,
  };
}

type ReadFacts = Partial<
  Pick<
    Page,
    | "note"
    | "minor"
    | "introduction"
    | "blocks"
    | "engines"
    | "statements"
    | "undecoded"
    | "isFrameMenu"
  >
>;

function comparedBy({ blocks, statements, introduction, undecoded, isFrameMenu }: ReadFacts) {
  return {
    blocks,
    statements,
    undecoded,
    isFrameMenu,
    introduction,
  };
}

function byDistinctUrl(resources: Resource[]): Resource[] {
  const fileOf = new Map<string, string>();
  for (const { url, file = "" } of resources) {
    // Two names that look alike are one file on some machines, and a mistake on the others.
    const key = composedKey(url);
    const other = fileOf.get(key);
    if (other !== undefined) throw duplicateUrlError(url, other, file);
    fileOf.set(key, file);
  }
  return resources.sort((a, b) => (a.url < b.url ? -1 : 1));
}
