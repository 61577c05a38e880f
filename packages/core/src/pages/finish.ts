import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { urlKey } from "@rs-emit/documents";
import { type Digest, digestBytes } from "../model/digest.ts";
import { PageChangedError } from "../model/errors.ts";
import { groupBy } from "../model/group.ts";
import type { Change } from "../model/log.ts";
import type { Inventory, PageFile, UnfinishedPage } from "../model/resources.ts";
import { replacementsForLinks } from "./links.ts";
import {
  findMarks,
  isWritable,
  isXhtml,
  mayBeMarked,
  type PageMarks,
  type Replacement,
  replaced,
} from "./marks.ts";
import { latestChanges, regionContent } from "./region.ts";

export interface Insertions {
  readonly links: UnfinishedPage["links"];
  /** The newest changes of its collection; absent where lists are not updated. */
  readonly changes: readonly Change[] | undefined;
}

export interface FinishedPage extends PageFile {
  readonly collection: string | undefined;
  readonly insertions: Insertions;
  readonly hash: string;
  readonly length: number;
  readonly isChanged: boolean;
}

export function withInsertions(
  bytes: Uint8Array,
  page: Pick<UnfinishedPage, "file" | "url" | "collection">,
  { links, changes }: Insertions,
): Uint8Array {
  const xhtml = isXhtml(page.file);
  const marks = findMarks(bytes, xhtml);
  const written = (start: number, end: number) =>
    Buffer.from(bytes.subarray(start, end)).toString("latin1");
  const base = baseOf(marks, page.url);
  const replacements: Replacement[] = [];
  if (links !== undefined) {
    const wanted = links === "none" ? undefined : links;
    replacements.push(...replacementsForLinks(marks, wanted, { url: base, xhtml }, written));
  }
  const { collection } = page;
  if (changes !== undefined && collection !== undefined) {
    for (const { start, end, limit } of marks.regions) {
      const text = regionContent(changes.slice(0, limit), { base, collection });
      if (written(start, end) !== text) replacements.push({ start, end, text });
    }
  }
  return replacements.length === 0 ? bytes : replaced(bytes, replacements);
}

function baseOf({ base }: PageMarks, url: string): string {
  return base !== undefined && URL.canParse(base, url) ? new URL(base, url).href : url;
}

export interface PreparedPage {
  /** The page with its links; absent where the file has them already. */
  readonly linked: (Digest & { readonly bytes: Uint8Array }) | undefined;
  readonly unfinished: UnfinishedPage | undefined;
  readonly isUnfit: boolean;
  /** The page is a link to a file, so `isUnfit`. */
  readonly isLink: boolean;
}

export const AS_IT_IS: PreparedPage = {
  linked: undefined,
  unfinished: undefined,
  isUnfit: false,
  isLink: false,
};

/** Inserts links while the page is in memory; lists of changes need the log and follow later. */
export function preparePage(
  folder: string,
  bytes: Uint8Array,
  page: Omit<UnfinishedPage, "limit" | "hash" | "linked">,
): PreparedPage {
  const { file, collection, links } = page;
  if (links === undefined && !mayBeMarked(bytes)) return AS_IT_IS;
  if (!isWritable(bytes)) return { ...AS_IT_IS, isUnfit: true };
  const { regions, unfit } = findMarks(bytes, isXhtml(file));
  const limits = collection === undefined ? [] : regions.map((region) => region.limit);
  const limit = Math.max(0, ...limits);
  const linked = withInsertions(bytes, page, { links, changes: undefined });
  const isLinked = linked === bytes;
  if (limit === 0 && isLinked) return { ...AS_IT_IS, isUnfit: unfit > 0 };
  // A link to another page's file would be written twice, with different contents.
  if (lstatSync(join(folder, file)).isSymbolicLink()) {
    return { ...AS_IT_IS, isUnfit: true, isLink: true };
  }
  const digest = digestBytes(linked);
  const { hash } = isLinked ? digest : digestBytes(bytes);
  return {
    ...AS_IT_IS,
    linked: isLinked ? undefined : { bytes: linked, ...digest },
    unfinished: { ...page, limit, hash, linked: digest },
    isUnfit: unfit > 0,
  };
}

/**
 * Plans all insertions before any page is written.
 * @param logOf in pieces, newest first, with this run's changes
 * @throws {PageChangedError} when a page is no longer as it was read
 */
export async function finishPages(
  folder: string,
  { unfinished, linkedFiles }: Pick<Inventory, "unfinished" | "linkedFiles">,
  logOf: (collection: string) => AsyncIterable<readonly Change[]>,
): Promise<readonly FinishedPage[]> {
  const finished: FinishedPage[] = [];
  for (const [collection, pages] of groupBy(unfinished, (page) => page.collection)) {
    const limit = Math.max(...pages.map((page) => page.limit));
    const changes =
      limit === 0 || collection === undefined ? [] : await latestChanges(logOf(collection), limit);
    for (const page of pages) {
      const { file, url, links, hash, linked } = page;
      const isList = page.limit > 0;
      const insertions = { links, changes: isList ? changes.slice(0, page.limit) : undefined };
      const facts = { file, url, collection, insertions };
      if (!isList) {
        finished.push({ ...facts, isChanged: true, ...linked });
        continue;
      }
      const before = readFileSync(join(folder, file));
      // With another file's hash, the next run would miss a change.
      if (digestBytes(before).hash !== hash) throw new PageChangedError(file);
      const bytes = withInsertions(before, page, insertions);
      finished.push({ ...facts, isChanged: bytes !== before, ...digestBytes(bytes) });
    }
  }
  return [...finished, ...sameFiles(folder, linkedFiles, finished)];
}

/** Pages that are links to pages with insertions hold the same bytes. */
function sameFiles(
  folder: string,
  linkedFiles: readonly PageFile[],
  finished: readonly FinishedPage[],
): readonly FinishedPage[] {
  if (linkedFiles.length === 0) return [];
  const pathOf = ({ file }: PageFile) => realpathSync(join(folder, file));
  const byPath = new Map(finished.map((page) => [pathOf(page), page]));
  return linkedFiles.flatMap((link) => {
    const page = byPath.get(pathOf(link));
    return page === undefined ? [] : { ...page, ...link, isChanged: false };
  });
}

interface Digested {
  readonly url: string;
  readonly hash?: string | undefined;
  readonly length?: number | undefined;
}

export function withFinishedDigests(
  pages: readonly FinishedPage[],
): <Known extends Digested>(known: Known) => Known {
  const finished = new Map(pages.map((page) => [urlKey(page.url), page]));
  return (known) => {
    const page = known.hash === undefined ? undefined : finished.get(urlKey(known.url));
    return page === undefined ? known : { ...known, hash: page.hash, length: page.length };
  };
}
