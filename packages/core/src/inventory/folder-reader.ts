import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { keysIn } from "../model/page-memory.ts";
import {
  type ExcludedPage,
  type Inventory,
  pageFactsOf,
  type Resource,
  type UnfinishedPage,
  wordsOf,
} from "../model/resources.ts";
import type { SiteStatement } from "../model/site-title.ts";
import type { ContentRule } from "../page/content/content-rule.ts";
import { exclusionOf } from "../page/head/reader-exclusion.ts";
import { isXhtml, NO_MARKS } from "../page/placeholders/find-placeholders.ts";
import { mayStateSite } from "../page/quick-tests.ts";
import type { Page } from "../page/read-page.ts";
import { readStatement } from "../page/site-statement.ts";
import type { Candidate, InventoryRequest } from "./candidates.ts";
import { digestReader, type FileDigest } from "./file-digest.ts";
import { isPage, type SiteFileRules } from "./file-rules.ts";
import { linkedPages } from "./linked-pages.ts";
import { mediaType } from "./media-types.ts";
import { type OwnLines, ownLinesIn } from "./own-lines.ts";
import { type RememberedPage, rememberedPage } from "./remembered-page.ts";

/** Pauses let other work run: git waits while its pipe is full. */
const FILES_AT_A_TIME = 32;

/** Bytes of unfinished pages kept in memory. Beyond it, pages are read again. */
const MOST_KEPT = 64 * 1024 * 1024;

type ReadPages = Pick<Inventory, "excluded" | "unfinished" | "unfit" | "stated"> & {
  readonly resources: Resource[];
};

/** Reads the files of a folder, one after another, and gathers what they are. */
export class FolderReader {
  readonly #request: InventoryRequest;
  readonly #rule: ContentRule;
  readonly #digestOf = digestReader();
  readonly #isIncluded: SiteFileRules["isIncluded"];
  readonly #resources: Resource[] = [];
  readonly #excluded: ExcludedPage[] = [];
  readonly #unfinished: UnfinishedPage[] = [];
  readonly #unfit: string[] = [];
  readonly #stated = new Map<string, SiteStatement>();
  readonly #fragments: Candidate[] = [];
  #kept = 0;

  constructor(
    request: InventoryRequest,
    rule: ContentRule,
    { isIncluded }: Pick<SiteFileRules, "isIncluded">,
  ) {
    this.#request = request;
    this.#rule = rule;
    this.#isIncluded = isIncluded;
  }

  async readAll(candidates: readonly Candidate[]): Promise<void> {
    for (const [done, candidate] of candidates.entries()) {
      if (done % FILES_AT_A_TIME === 0) {
        this.#request.onProgress?.(done, candidates.length);
        await setImmediate();
      }
      await this.#read(candidate);
    }
    await this.#readLinkedFragments();
    this.#request.onProgress?.(candidates.length, candidates.length);
  }

  /** Pages are searched for links only where a file may be a part of pages that was never published. */
  async #readLinkedFragments(): Promise<void> {
    const fragments = this.#fragments.splice(0);
    if (fragments.length === 0) return;
    const pages = this.#resources.flatMap(({ url, file }) =>
      file && isPage(file) ? [{ url, file }] : [],
    );
    const linked = linkedPages(fragments, pages, ({ file }) => {
      return this.#digestOf(join(this.#request.folder, file), file).head;
    });
    for (const fragment of fragments) await this.#read(fragment, linked.has(fragment));
  }

  get pages(): ReadPages {
    return {
      resources: this.#resources,
      excluded: this.#excluded,
      unfinished: this.#unfinished,
      unfit: this.#unfit,
      stated: this.#stated,
    };
  }

  /** @param isLinked `undefined` where links are not known yet */
  async #read(candidate: Candidate, isLinked?: boolean): Promise<void> {
    const { url, file } = candidate;
    const request = this.#request;
    const readAt = Date.now();
    const found = this.#digestOf(join(request.folder, file), file);
    if (isHome(candidate) && mayStateSite(found.head)) {
      this.#stated.set(url, await readStatement(found.head));
    }
    const lines = ownLinesIn(file, found, request.known(found.hash, url), request.link);
    const { original } = lines;
    const known = rememberedPage(candidate, original, request, this.#rule);
    if (known !== undefined) {
      this.#resources.push(resourceOf(candidate, found, original, known));
      this.#note(lines, candidate, true, { found, readAt });
      return;
    }
    const page = await this.#parsed(candidate, found, lines);
    const reason = exclusionOf(page.excluded, {
      file,
      bytes: found.head,
      isIncluded: this.#isIncluded(file),
      isPage: request.annotate?.(file)?.isPage || request.isPublished?.(url),
      isLinked: isLinked === true,
    });
    if (reason === "fragment" && isLinked === undefined) {
      this.#fragments.push(candidate);
      return;
    }
    if (reason === undefined) {
      // Its note was published with the same bytes, even if the page must be read again.
      const noteDigest = request.known(original)?.noteDigest;
      this.#resources.push(resourceOf(candidate, found, original, { ...page, noteDigest }));
    } else this.#excluded.push({ url, file, reason, leadsTo: page.leadsTo });
    this.#note(lines, candidate, reason === undefined, { found, readAt });
  }

  async #parsed({ url, file }: Candidate, { head }: FileDigest, lines: OwnLines): Promise<Page> {
    const { memoryOf, remembers, site } = this.#request;
    const { own, isMarked } = lines;
    // The parser is loaded for the first page that needs it: most runs parse few pages or none.
    const { readPage } = await import("../page/read-page.ts");
    return readPage(head, {
      url,
      marks: isMarked ? (own !== undefined && "regions" in own ? own : undefined) : NO_MARKS,
      site,
      rule: this.#rule,
      xhtml: isXhtml(file),
      memory: remembers ? { had: memoryOf && new Set(keysIn(memoryOf(url))) } : undefined,
    });
  }

  #note(
    { own, isUnfit }: OwnLines,
    { url, file, collection }: Candidate,
    isResource: boolean,
    { found, readAt }: { readonly found: FileDigest; readonly readAt: number },
  ): void {
    if (isUnfit) this.#unfit.push(file);
    if (own === undefined) return;
    const { hash } = found;
    const kept = this.#keep(found, readAt);
    this.#unfinished.push({ url, file, collection, isResource, hash, own, kept });
  }

  /** A builder's pages are finished at each build. */
  #keep({ head, length }: FileDigest, readAt: number): UnfinishedPage["kept"] {
    if (!this.#request.isBuilt || this.#kept + length > MOST_KEPT) return undefined;
    this.#kept += length;
    return { bytes: Buffer.from(head), readAt };
  }
}

function isHome({ url, collection }: Pick<Candidate, "url" | "collection">): boolean {
  return url === collection;
}

function resourceOf(
  candidate: Candidate,
  digest: FileDigest,
  original: string,
  facts: RememberedPage & ReadFacts,
): Resource {
  return {
    ...candidate,
    // The builder's data precedes the page's `meta`.
    authorNote: candidate.authorNote ?? facts.note,
    authorMinor: candidate.authorMinor ?? facts.minor,
    noteDigest: facts.noteDigest,
    hash: digest.hash,
    length: digest.length,
    original,
    type: mediaType(candidate.file),
    // An identity of the first megabytes would miss changes after them.
    ...(digest.isWhole ? pageFactsOf(facts) : wordsOf(facts)),
    ...(digest.isWhole ? comparedBy(facts) : {}),
    engines: facts.engines,
    headings: facts.headings,
  };
}

type ReadFacts = Partial<
  Pick<
    Page,
    | "note"
    | "headings"
    | "minor"
    | "description"
    | "blocks"
    | "engines"
    | "statements"
    | "undecoded"
  >
>;

function comparedBy({ blocks, statements, description, undecoded }: ReadFacts) {
  return { blocks, statements, undecoded, description };
}
