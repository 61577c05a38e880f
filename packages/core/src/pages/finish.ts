import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { urlKey } from "@rs-emit/documents";
import { type Digest, digestBytes } from "../model/digest.ts";
import { pageChangedError } from "../model/errors.ts";
import { groupBy } from "../model/group.ts";
import type { Draft, FinishedPage, Insertions } from "../model/plan.ts";
import type { Inventory, PageFile, UnfinishedPage } from "../model/resources.ts";
import { fileUrl } from "../model/url.ts";
import type { Settings } from "../options/settings.ts";
import {
  findMarks,
  isWritable,
  isXhtml,
  type Replacement,
  replaced,
} from "../page/placeholders/find-placeholders.ts";
import type { PageMarks } from "../page/placeholders/placeholder.ts";
import { mayBeMarked } from "../page/placeholders/placeholder-search.ts";
import { validQuotesIn } from "../page/texts/valid-quotes.ts";
import { replacementsForDates } from "./date.ts";
import { latestLines } from "./latest-lines.ts";
import { replacementsForLinks } from "./links.ts";
import { changesList } from "./region.ts";

export function withInsertions(
  bytes: Uint8Array,
  page: Pick<UnfinishedPage, "file" | "url" | "marks">,
  { links, latest, changed }: Insertions,
): Uint8Array {
  const { marks } = page;
  const xhtml = isXhtml(page.file);
  const written = (start: number, end: number) =>
    Buffer.from(bytes.subarray(start, end)).toString("latin1");
  const base = baseOf(marks, page.url);
  const replacements: Replacement[] = [];
  if (links !== undefined) {
    const wanted = links === "none" ? undefined : links;
    replacements.push(...replacementsForLinks(marks, wanted, { url: base, xhtml }, written));
  }
  if (latest !== undefined) {
    for (const { start, end, limit, hasQuotes } of marks.regions) {
      const text = latest({ base, limit, hasQuotes });
      if (written(start, end) !== text) replacements.push({ start, end, text });
    }
  }
  if (changed !== undefined) {
    replacements.push(...replacementsForDates(marks.dates, changed, written));
  }
  return replacements.length === 0 ? bytes : replaced(bytes, replacements);
}

function baseOf({ base }: PageMarks, url: string): string {
  return base !== undefined && URL.canParse(base, url) ? new URL(base, url).href : url;
}

export interface PreparedPage {
  /** The page with its links and its published date; absent where the file already has them. */
  readonly completed: (Digest & { readonly bytes: Uint8Array }) | undefined;
  readonly marks?: PageMarks;
  readonly unfinished: UnfinishedPage | undefined;
  readonly isUnfit: boolean;
  /** A link to a file gets no insertions, so `isUnfit` is set too. */
  readonly isLink: boolean;
}

export const AS_IT_IS: PreparedPage = {
  completed: undefined,
  unfinished: undefined,
  isUnfit: false,
  isLink: false,
};

/**
 * The page is in memory only here. Lists of changes need the log and follow later.
 * @param changedOf when the page's content changed, as published
 */
export function preparePage(
  folder: string,
  { bytes, hash, length }: Digest & { readonly bytes: Uint8Array },
  page: Omit<UnfinishedPage, "limit" | "isDated" | "changed" | "hash" | "completed" | "marks">,
  changedOf?: (url: string) => number | undefined,
): PreparedPage {
  const { file, collection, links } = page;
  if (links === undefined && !mayBeMarked(bytes)) return AS_IT_IS;
  if (!isWritable(bytes)) return { ...AS_IT_IS, isUnfit: true };
  const marks = findMarks(bytes, isXhtml(file));
  const { regions, dates, unfit } = marks;
  const limits = collection === undefined ? [] : regions.map((region) => region.limit);
  const limit = Math.max(0, ...limits);
  const isDated = collection !== undefined && dates.length > 0;
  const changed = isDated ? changedOf?.(page.url) : undefined;
  const insertions = { links, latest: undefined, changed };
  const completed = withInsertions(bytes, { ...page, marks }, insertions);
  const isComplete = completed === bytes;
  if (limit === 0 && !isDated && isComplete) return { ...AS_IT_IS, marks, isUnfit: unfit > 0 };
  // A link to another page's file would be written twice, with different contents.
  if (lstatSync(join(folder, file)).isSymbolicLink()) {
    return { ...AS_IT_IS, isUnfit: true, isLink: true };
  }
  const digest = isComplete ? { hash, length } : digestBytes(completed);
  return {
    ...AS_IT_IS,
    marks,
    completed: isComplete ? undefined : { bytes: completed, ...digest },
    unfinished: { ...page, changed, limit, isDated, hash, completed: digest, marks },
    isUnfit: unfit > 0,
  };
}

/**
 * Plans all insertions before any page is written.
 * @throws {EmitError} `PAGE_CHANGED` when a page is no longer as it was read
 */
export async function finishPages(
  settings: Pick<Settings, "folder" | "site" | "collections" | "cleanUrls" | "cleanUrlsGiven">,
  inventory: FinishedInventory,
  { logOf, changedAt }: Draft,
): Promise<readonly FinishedPage[]> {
  const finished: FinishedPage[] = [];
  const { folder, collections } = settings;
  const placeOf = placesIn(settings, inventory.resources);
  const validQuotes = validQuotesIn(inventory.resources);
  for (const [url, pages] of groupBy(inventory.unfinished, (page) => page.collection)) {
    const limit = Math.max(...pages.map((page) => page.limit));
    const collection = collections.find((one) => one.url === url);
    const latest =
      limit === 0 || collection === undefined
        ? undefined
        : changesList(
            { url: collection.url, placeOf },
            await latestLines(logOf(collection.url), limit, validQuotes),
          );
    for (const page of pages) {
      const changed = page.isDated ? changedAt(page.url) : undefined;
      const known = changed === "unknown" ? undefined : changed;
      finished.push(finishPage(folder, page, latest, known));
    }
  }
  return [...finished, ...sameFiles(folder, inventory.linkedFiles, finished)];
}

/**
 * Targets are files, so that links work on a disk too, unless the author says that the host serves clean
 * URLs. `undefined` for a URL that is no page of the site.
 */
function placesIn(
  { site, cleanUrls, cleanUrlsGiven }: Pick<Settings, "site" | "cleanUrls" | "cleanUrlsGiven">,
  resources: Inventory["resources"],
): (url: string) => string | undefined {
  const isServed = cleanUrls && cleanUrlsGiven;
  let pages: ReadonlyMap<string, string> | undefined;
  return (url: string) => {
    pages ??= new Map(
      resources.map((page) => {
        const isFile = !isServed && page.file !== undefined;
        return [urlKey(page.url), isFile ? fileUrl(site, page.file) : page.url];
      }),
    );
    return pages.get(urlKey(url));
  };
}

type FinishedInventory = Pick<Inventory, "resources" | "unfinished" | "linkedFiles">;

function finishPage(
  folder: string,
  page: UnfinishedPage,
  latest: Insertions["latest"],
  changed: number | undefined,
): FinishedPage {
  const { file, url, collection, links, hash, completed, limit, marks } = page;
  const insertions = { links, latest: limit > 0 ? latest : undefined, changed };
  const facts = { file, url, collection, insertions, marks };
  if (limit === 0 && changed === page.changed) {
    return { ...facts, isChanged: completed.hash !== hash, ...completed };
  }
  const before = readFileSync(join(folder, file));
  // With another file's hash, the next run would miss a change.
  if (digestBytes(before).hash !== hash) throw pageChangedError(file);
  const bytes = withInsertions(before, page, insertions);
  return { ...facts, isChanged: bytes !== before, ...digestBytes(bytes) };
}

/** Pages that are links to pages with insertions have the same bytes. */
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
