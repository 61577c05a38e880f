import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import {
  type ExcludedPage,
  type Inventory,
  type PageFile,
  pageFactsOf,
  type Resource,
  type UnfinishedPage,
  wordsOf,
} from "../model/resources.ts";
import type { SiteStatement } from "../model/site-title.ts";
import type { ContentRule } from "../page/content/content-rule.ts";
import { titleBeside } from "../page/first-heading.ts";
import { exclusionOf } from "../page/head/reader-exclusion.ts";
import { isXhtml } from "../page/placeholders/find-placeholders.ts";
import {
  isMarkedOnlyBy,
  mayBeMarked,
  mayListChanges,
} from "../page/placeholders/placeholder-search.ts";
import { mayStateSite } from "../page/quick-tests.ts";
import type { Page } from "../page/read-page.ts";
import { readStatement } from "../page/site-statement.ts";
import { keysIn } from "../page/texts/memory.ts";
import { AS_IT_IS, type PreparedPage, preparePage } from "../pages/finish.ts";
import { linkElements, linksOf } from "../pages/links.ts";
import type { Candidate, InventoryRequest } from "./candidates.ts";
import { digestReader, type FileDigest } from "./file-digest.ts";
import { isPage, type SiteFileRules } from "./file-rules.ts";
import { type KnownPage, knownOf } from "./known-page.ts";
import { mediaType } from "./media-types.ts";

/** Pauses let other work run: git waits while its pipe is full. */
const FILES_AT_A_TIME = 32;

/** Bytes of completed pages kept in memory. Beyond it, pages are read and completed again. */
const MOST_KEPT = 64 * 1024 * 1024;

type ReadPages = Pick<Inventory, "excluded" | "unfinished" | "linkedFiles" | "unfit" | "stated"> & {
  readonly resources: Resource[];
};

type PageLinks = UnfinishedPage["links"];

/** Reads the files of a folder, one after another, and gathers what they are. */
export class FolderReader {
  readonly #request: InventoryRequest;
  readonly #rule: ContentRule;
  readonly #digestOf = digestReader();
  readonly #linksOf: ReadonlyMap<string, PageLinks>;
  readonly #isIncluded: SiteFileRules["isIncluded"];
  readonly #resources: Resource[] = [];
  readonly #excluded: ExcludedPage[] = [];
  readonly #unfinished: UnfinishedPage[] = [];
  readonly #linkedFiles: PageFile[] = [];
  readonly #unfit: string[] = [];
  readonly #stated = new Map<string, SiteStatement>();
  readonly #headings = new Map<string, string>();
  #kept = 0;

  constructor(
    request: InventoryRequest,
    rule: ContentRule,
    { isIncluded }: Pick<SiteFileRules, "isIncluded">,
  ) {
    const { collections, feed, link, titles } = request;
    this.#request = request;
    this.#rule = rule;
    this.#isIncluded = isIncluded;
    this.#linksOf = new Map(
      collections.map((one) => [
        one.url,
        link ? linksOf(one, feed, titles.get(one.url) ?? one.url) : undefined,
      ]),
    );
  }

  async readAll(candidates: readonly Candidate[]): Promise<void> {
    for (const [done, candidate] of candidates.entries()) {
      if (done % FILES_AT_A_TIME === 0) {
        this.#request.onProgress?.(done, candidates.length);
        await setImmediate();
      }
      await this.#read(candidate);
    }
    this.#request.onProgress?.(candidates.length, candidates.length);
  }

  get pages(): ReadPages {
    return {
      resources: withOwnTitles(this.#resources, this.#headings),
      excluded: this.#excluded,
      unfinished: this.#unfinished,
      linkedFiles: this.#linkedFiles,
      unfit: this.#unfit,
      stated: this.#stated,
    };
  }

  async #read(candidate: Candidate): Promise<void> {
    const { url, file } = candidate;
    const request = this.#request;
    const readAt = Date.now();
    const found = this.#digestOf(join(request.folder, file), file);
    if (isHome(candidate) && mayStateSite(found.head)) {
      this.#stated.set(url, await readStatement(found.head));
    }
    const links = this.#linksOf.get(candidate.collection);
    const prepared = prepare({ ...candidate, links }, found, request);
    const digest = digestWith(prepared, found);
    const known = knownOf(candidate, digest, request, this.#rule);
    if (known !== undefined) {
      this.#resources.push(resourceOf(candidate, digest, known));
      this.#note(prepared, candidate, readAt);
      return;
    }
    const page = await this.#parsed(candidate, found, { prepared, head: digest.head });
    const reason = exclusionOf(page, this.#isIncluded(file), request.annotate?.(file)?.isPage);
    if (reason === undefined) {
      // Its note was published with the same bytes, even if the page must be read again.
      const noteDigest = request.known(digest.hash)?.noteDigest;
      this.#resources.push(resourceOf(candidate, digest, { ...page, noteDigest }));
      if (page.heading !== undefined) this.#headings.set(url, page.heading);
      this.#note(prepared, candidate, readAt);
      return;
    }
    this.#excluded.push({ url, file, reason, leadsTo: page.leadsTo });
    const without = prepare({ ...candidate, links: links && "none" }, found, request);
    this.#note(without, candidate, readAt);
  }

  async #parsed(
    { url, file }: Candidate,
    found: FileDigest,
    { prepared, head }: { readonly prepared: PreparedPage | undefined; readonly head: Uint8Array },
  ): Promise<Page> {
    const { memoryOf, parsed, remembers, site } = this.#request;
    const known = parsed?.get(url);
    if (known?.hash === found.hash) return known.page;
    // The parser is loaded for the first page that needs it: most runs parse few pages or none.
    const { readPage } = await import("../page/read-page.ts");
    const page = readPage(found.head, {
      url,
      marks: prepared?.marks,
      site,
      rule: this.#rule,
      xhtml: isXhtml(file),
      memory: remembers
        ? { had: memoryOf && new Set(keysIn(memoryOf(url))), findsPlaces: !mayListChanges(head) }
        : undefined,
    });
    parsed?.set(url, { hash: found.hash, page });
    return page;
  }

  #note(prepared: PreparedPage | undefined, { url, file }: PageFile, readAt: number): void {
    const page = prepared && this.#keep(prepared, readAt);
    if (page !== undefined) this.#unfinished.push(page);
    if (prepared?.isLink) this.#linkedFiles.push({ url, file });
    if (prepared?.isUnfit) this.#unfit.push(file);
  }

  /** A builder's pages are completed at each build, so their bytes are kept. */
  #keep({ completed, unfinished }: PreparedPage, readAt: number): UnfinishedPage | undefined {
    if (!this.#request.isBuilt || completed === undefined || unfinished === undefined) {
      return unfinished;
    }
    this.#kept += completed.length;
    if (this.#kept > MOST_KEPT) return unfinished;
    const { bytes } = completed;
    return { ...unfinished, completed: { ...unfinished.completed, kept: { bytes, readAt } } };
  }
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
