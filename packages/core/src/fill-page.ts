import { urlKey } from "@rs-emit/documents";
import { withChangedTimes } from "./gather/log-facts.ts";
import { withInsertions } from "./insertions/finish-pages.ts";
import { latestLines } from "./insertions/latest-lines.ts";
import { changesList } from "./insertions/list-of-changes.ts";
import { describedIn } from "./model/about.ts";
import { type Collection, deepestFirst } from "./model/collections.ts";
import { EmitError } from "./model/errors.ts";
import type { Insertions } from "./model/plan.ts";
import { type CollectionPublication, newestChanges } from "./model/publication.ts";
import { type SiteWords, siteWords } from "./model/site-title.ts";
import { isBelow } from "./model/url.ts";
import type { EmitOptions } from "./options/emit-options.generated.ts";
import { parseOptions, type Settings } from "./options/settings.ts";
import { findMarks, isWritable, LONGEST_LIST } from "./page/placeholders/find-placeholders.ts";
import { mayBeMarked } from "./page/placeholders/placeholder-search.ts";
import { validQuotesIn } from "./page/texts/valid-quotes.ts";
import { datesIn } from "./published-dates.ts";
import { recallFolder } from "./recall/previous-publication.ts";

/** Fills the lists and dates of a page as they were published; `url` is the page's URL in any spelling. */
export type FillPage = (page: Uint8Array, url: string) => Uint8Array;

/**
 * For development servers. Makes no requests.
 * @param folders where documents may be; the first log found counts
 * @returns `undefined` without a log that can be read
 */
export async function publishedPages(
  options: EmitOptions,
  folders: readonly string[],
): Promise<FillPage | undefined> {
  const settings = parseOptions(options);
  for (const folder of folders) {
    const collections = await collectionsIn(settings, folder);
    if (collections.length > 0) return filling(settings, collections);
  }
  return undefined;
}

async function collectionsIn(
  settings: Settings,
  folder: string,
): Promise<readonly CollectionPublication[]> {
  try {
    const recalled = await recallFolder(settings, folder);
    if (recalled.kind !== "published") return [];
    return await withChangedTimes(recalled.publication.collections);
  } catch (error) {
    if (error instanceof EmitError) return []; // The next build says what is wrong with it.
    throw error;
  }
}

async function filling(
  { site, collections }: Pick<Settings, "site" | "collections">,
  published: readonly CollectionPublication[],
): Promise<FillPage> {
  const lists = new Map<string, Insertions["latest"]>();
  const described = published.map(({ url, about }) => {
    return { url, language: about && describedIn(about)?.language };
  });
  const wordsOf = await siteWords({ site, collections: described }, new Map());
  for (const collection of collections) {
    const publication = published.find(({ url }) => url === collection.url);
    if (publication === undefined) continue;
    lists.set(collection.url, await listOf(collection, publication, wordsOf(collection.url)));
  }
  const changedAt = datesIn(published);
  const deepest = deepestFirst(collections);
  return (page, url) => {
    if (!mayBeMarked(page) || !isWritable(page)) return page;
    const marks = findMarks(page, false);
    const collection = deepest.find((one) => isBelow(url, one.url))?.url ?? "";
    return withInsertions(
      page,
      { file: "", url, marks },
      {
        links: undefined,
        latest: lists.get(collection),
        changed: changedAt(url),
        words: wordsOf(collection).words,
      },
    );
  };
}

async function listOf(
  collection: Collection,
  { log, snapshot }: CollectionPublication,
  words: SiteWords,
): Promise<Insertions["latest"]> {
  const pages = [...snapshot.values()];
  const lines = await latestLines(newestChanges(log, []), LONGEST_LIST, validQuotesIn(pages));
  const placeOf = (url: string) => snapshot.get(urlKey(url))?.url;
  return changesList({ url: collection.url, placeOf, ...words }, lines);
}
