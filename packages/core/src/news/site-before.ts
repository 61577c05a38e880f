import { sharedName, titleParts } from "@rs-emit/feeds";
import { ChromeCounter } from "./chrome.ts";
import type { EchoedName } from "./echoes.ts";
import type { SiteBefore } from "./judge.ts";
import { keysIn } from "./memory.ts";
import type { PageState } from "./page-change.ts";

export interface SitePage extends PageState {
  readonly url: string;
  readonly collection: string;
}

interface SiteStates {
  readonly before: () => Iterable<SitePage>;
  readonly now: () => Iterable<SitePage>;
  readonly quoted: ReadonlySet<string>;
}

/** Searches the last publication for what a run needs; no index of a site's texts is kept. */
export function siteBefore({ before, now, quoted }: SiteStates): SiteBefore {
  return {
    quoted,
    having: (names) => namesOn(before(), names),
    chromeOf(collection, keys) {
      const counters = [new ChromeCounter(keys), new ChromeCounter(keys)] as const;
      for (const page of before()) if (page.collection === collection) counters[0].add(page.blocks);
      for (const page of now()) if (page.collection === collection) counters[1].add(page.blocks);
      return (key) => counters.some((one) => one.isOnMost(key));
    },
    namesOf: (collection) => namesIn([...now()].filter((page) => page.collection === collection)),
  };
}

/** The parts that the titles of a collection's pages share, without its home page's. */
export function namesIn(pages: readonly SitePage[]): readonly string[] {
  const others = pages.filter(({ url, collection }) => url !== collection);
  const name = sharedName(others.flatMap(({ title }) => title ?? []));
  return name === undefined ? [] : [name];
}

function namesOn(
  pages: Iterable<SitePage>,
  names: readonly EchoedName[],
): (name: EchoedName) => boolean {
  if (names.length === 0) return () => false;
  const keys = new Set(names.map(({ key }) => key));
  const letters = new Set(names.map((name) => name.letters));
  const [found, titles] = [new Set<number>(), new Set<string>()];
  for (const { blocks, title } of pages) {
    for (const key of keysIn(blocks)) if (keys.has(key)) found.add(key);
    for (const part of titleParts(title?.toLowerCase())) if (letters.has(part)) titles.add(part);
  }
  return (name) => found.has(name.key) || (name.letters !== "" && titles.has(name.letters));
}
