import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { groupBy, urlKey } from "@rs-emit/documents";
import { type Catalogue, dateOf, timestamp } from "@rs-emit/feeds";
import { digestBytes } from "../model/digest.ts";
import { pageChangedError } from "../model/errors.ts";
import type { DateMark, PageMarks } from "../model/page-marks.ts";
import type { Draft, FinishedPage, Insertions } from "../model/plan.ts";
import type { Inventory, PageFile, PageLinks, UnfinishedPage } from "../model/resources.ts";
import { feedTitles, siteWords } from "../model/site-title.ts";
import type { Settings } from "../options/settings.ts";
import {
  asciiText,
  attribute,
  findMarks,
  isXhtml,
  type Replacement,
  replaced,
} from "../page/placeholders/find-placeholders.ts";
import { validQuotesIn } from "../page/texts/valid-quotes.ts";
import { latestLines } from "./latest-lines.ts";
import { linkElements, linksOf, replacementsForLinks } from "./links.ts";
import { changesList } from "./list-of-changes.ts";

export function withInsertions(
  bytes: Uint8Array,
  page: Pick<FinishedPage, "file" | "url" | "marks">,
  { links, latest, changed, words }: Insertions,
): Uint8Array {
  const { marks } = page;
  const xhtml = isXhtml(page.file);
  const written = (start: number, end: number) =>
    Buffer.from(bytes.subarray(start, end)).toString("latin1");
  const base = linkBase(marks, page.url);
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
    replacements.push(...replacementsForDates(marks.dates, changed, words, written));
  }
  return replacements.length === 0 ? bytes : replaced(bytes, replacements);
}

function linkBase({ base }: PageMarks, url: string): string {
  return base !== undefined && URL.canParse(base, url) ? new URL(base, url).href : url;
}

/**
 * Plans all insertions before any page is written.
 * @throws {EmitError} `PAGE_CHANGED` when a page is no longer as it was read
 */
export async function finishPages(
  settings: Settings,
  inventory: Inventory,
  { logOf, changedAt }: Draft,
): Promise<readonly FinishedPage[]> {
  const finished: FinishedPage[] = [];
  const { folder, collections, feed, link } = settings;
  const placeOf = placesOfPages(inventory.resources);
  const validQuotes = validQuotesIn(inventory.resources);
  const titles = link ? await feedTitles(settings, inventory) : undefined;
  const wordsOf = await siteWords(settings, inventory.stated);
  for (const [url, pages] of groupBy(inventory.unfinished, (page) => page.collection)) {
    const collection = collections.find((one) => one.url === url);
    const said = wordsOf(url);
    const limit = Math.max(...pages.map(highestLimit));
    const latest =
      limit === 0 || collection === undefined
        ? undefined
        : changesList(
            { url: collection.url, placeOf, ...said },
            await latestLines(logOf(collection.url), limit, validQuotes),
          );
    const linked = collection && linksOf(collection, feed, titles?.get(collection.url) ?? "");
    for (const page of pages) {
      const changed = changedAt(page.url);
      const insertions = {
        links: insertedLinks(page, link, linked),
        latest,
        changed: changed === "unknown" || collection === undefined ? undefined : changed,
        words: said.words,
      };
      finished.push(...finishPage(folder, page, insertions));
    }
  }
  return withTargets(folder, finished);
}

function insertedLinks(
  { isResource }: UnfinishedPage,
  link: boolean | undefined,
  linked: PageLinks | undefined,
): Insertions["links"] {
  if (link === undefined) return undefined;
  return link && isResource ? linked : "none";
}

/** The length of the page's longest list of changes. */
function highestLimit({ own }: UnfinishedPage): number {
  return "html" in own ? 0 : Math.max(0, ...own.regions.map(({ limit }) => limit));
}

/** The pages' own addresses, as log and feed have them; `undefined` for a URL that is no page of the site. */
function placesOfPages(resources: Inventory["resources"]): (url: string) => string | undefined {
  let pages: ReadonlyMap<string, string> | undefined;
  return (url: string) => {
    pages ??= new Map(resources.map((page) => [urlKey(page.url), page.url]));
    return pages.get(urlKey(url));
  };
}

function finishPage(
  folder: string,
  { file, url, hash, own, kept }: UnfinishedPage,
  insertions: Insertions,
): readonly FinishedPage[] {
  const { links } = insertions;
  const xhtml = isXhtml(file);
  if ("html" in own && typeof links === "object" && own.html === linkElements(links, xhtml)) {
    return [];
  }
  const path = join(folder, file);
  const before = kept?.bytes ?? readFileSync(path);
  // With another file's hash, the next run would miss a change.
  if (kept === undefined && digestBytes(before).hash !== hash) throw pageChangedError(file);
  const marks = "html" in own ? findMarks(before, xhtml) : own;
  const bytes = withInsertions(before, { file, url, marks }, insertions);
  if (bytes === before) return [];
  // A link to another page's file would be written twice, with different contents.
  const isLink = lstatSync(path).isSymbolicLink();
  const digest = digestBytes(isLink ? before : bytes);
  return [{ file, url, insertions, marks, isLink, kept, ...digest }];
}

/** Links to pages that change have the bytes of these pages. */
function withTargets(folder: string, finished: readonly FinishedPage[]): readonly FinishedPage[] {
  if (!finished.some(({ isLink }) => isLink)) return finished;
  const pathOf = ({ file }: PageFile) => realpathSync(join(folder, file));
  const targets = finished.filter(({ isLink }) => !isLink);
  const byPath = new Map(targets.map((page) => [pathOf(page), page]));
  return finished.map((page) => {
    const { hash, length } = (page.isLink && byPath.get(pathOf(page))) || page;
    return { ...page, hash, length };
  });
}

/** An attribute and its value, if it has one (HTML standard, "Attributes"). */
const ATTRIBUTE = /\s+([^\s"'<>/=]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?/y;

/** To the second for programs; the UTC day for readers, as their language writes it. */
function replacementsForDates(
  dates: readonly DateMark[],
  changed: number,
  words: Catalogue | undefined,
  written: (start: number, end: number) => string,
): readonly Replacement[] {
  const at = timestamp(changed);
  const day = asciiText(dateOf(changed, words));
  return dates.flatMap(({ start, inner }) => {
    const tag = written(start, inner.start);
    const place = datetimeIn(tag);
    const wanted = attribute("datetime", at);
    const filled = tag.slice(0, place.start) + wanted + tag.slice(place.end);
    return [
      ...(filled === tag ? [] : [{ start, end: inner.start, text: filled }]),
      ...(written(inner.start, inner.end) === day ? [] : [{ ...inner, text: day }]),
    ];
  });
}

/** The attribute's place in a start tag, or the end of the tag's name if it has none. */
function datetimeIn(tag: string): { readonly start: number; readonly end: number } {
  const name = /^<[^\s/>]+/.exec(tag)?.[0].length ?? 0;
  ATTRIBUTE.lastIndex = name;
  for (let found = ATTRIBUTE.exec(tag); found !== null; found = ATTRIBUTE.exec(tag)) {
    if (found[1]?.toLowerCase() === "datetime") {
      return { start: found.index, end: ATTRIBUTE.lastIndex };
    }
  }
  return { start: name, end: name };
}
