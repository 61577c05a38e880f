import { groupBy } from "@rs-emit/documents";
import { keysIn } from "../model/page-memory.ts";
import type { CollectionPublication } from "../model/publication.ts";
import { ON_DEMAND, type Representation, type Resource } from "../model/resources.ts";
import { MOST_NAMESAKES } from "./copies.ts";
import { type EchoedName, titleForms } from "./echoes.ts";
import type { SiteBefore } from "./judge.ts";
import { headedTitle, type PageState, type PageStates } from "./page-change.ts";
import { ChromeCounter, chromeTest } from "./page-chrome.ts";
import { TitleCounts } from "./title-counts.ts";

interface SitePage extends PageState {
  readonly url: string;
  readonly collection: string;
}

/** Searches the last publication for what a run needs; no index of a site's texts is kept. */
export function siteBefore(
  published: readonly CollectionPublication[],
  resources: readonly Resource[],
  quoted: ReadonlySet<string>,
  time: number,
): SiteBefore {
  const now = resources.filter(isPageContent);
  let counts: TitleCounts | undefined;
  return {
    isEmpty: published.every(({ snapshot }) => snapshot.size === 0),
    quoted,
    time,
    having: (names) => namesOn(pagesOf(published), names),
    isCommon: (title) => {
      counts ??= new TitleCounts(pagesOf(published));
      return counts.isCommon(title);
    },
    titled: (titles) => pagesTitled(titles, pagesOf(published)),
    chromeOf(collection, keys) {
      const onMost = (pages: Iterable<SitePage>) => {
        const counter = new ChromeCounter(keys);
        for (const page of pages) if (page.collection === collection) counter.add(page.blocks);
        return (key: number) => counter.isOnMost(key);
      };
      return chromeTest(onMost(pagesOf(published)), onMost(now));
    },
  };
}

function* pagesOf(published: readonly CollectionPublication[]): Generator<SitePage> {
  for (const { url: collection, snapshot } of published) {
    for (const entry of snapshot.values()) if (isPageContent(entry)) yield { ...entry, collection };
  }
}

function pagesTitled(
  titles: ReadonlySet<string>,
  pages: Iterable<SitePage>,
): readonly PageStates[] {
  const titled: SitePage[] = [];
  for (const page of pages) if (titles.has(headedTitle(page))) titled.push(page);
  const few = [...groupBy(titled, headedTitle).values()].filter(({ length }) => {
    return length <= MOST_NAMESAKES;
  });
  return few.flat().map(({ url, collection, ...now }) => ({ url, collection, before: now, now }));
}

function isPageContent({ content }: Representation): boolean {
  return content !== undefined && content !== ON_DEMAND;
}

function namesOn(
  pages: Iterable<SitePage>,
  names: Iterable<EchoedName>,
): (name: EchoedName) => boolean {
  const [keys, forms] = [new Set<number>(), new Set<string>()];
  for (const { key, form } of names) {
    keys.add(key);
    forms.add(form);
  }
  if (keys.size === 0) return () => false;
  const [found, titles] = [new Set<number>(), new Set<string>()];
  for (const { blocks, title } of pages) {
    for (const key of keysIn(blocks)) if (keys.has(key)) found.add(key);
    for (const part of titleForms(title)) if (forms.has(part)) titles.add(part);
  }
  return (name) => found.has(name.key) || (name.form !== "" && titles.has(name.form));
}
