import { hash } from "node:crypto";
import { ownKeys } from "./chrome.ts";
import type { SiteBefore } from "./judge.ts";
import { memoryIn } from "./memory.ts";
import type { ChangedPage } from "./page-change.ts";

/**
 * What new pages and pages that are gone say without their chrome: a page that moved says the same at its
 * new address. Absent for pages that are not remembered, or say nothing.
 */
export function likenesses(
  pages: readonly ChangedPage[],
  site: Pick<SiteBefore, "chromeOf">,
): ReadonlyMap<ChangedPage, string> {
  const movable = pages.filter(({ before, now }) => before === undefined || now === undefined);
  const isMove = movable.some(({ now }) => now === undefined) && movable.some(({ now }) => now);
  if (!isMove) return new Map();
  const keys = new Map<string, Set<number>>();
  const remembered = movable.flatMap((page) => {
    const { title = "", blocks } = page.now ?? page.before ?? {};
    const memory = memoryIn(blocks);
    if (memory === undefined) return [];
    const own = keys.get(page.collection) ?? new Set();
    keys.set(page.collection, own);
    if (memory.mayHoldChrome) for (const key of memory.keys) own.add(key);
    return [{ page, title, memory }];
  });
  const tests = new Map([...keys].map(([url, wanted]) => [url, site.chromeOf(url, wanted)]));
  return new Map(
    remembered.flatMap(({ page, title, memory }) => {
      const own = ownKeys(memory, tests.get(page.collection) ?? (() => false));
      if (own.length === 0) return [];
      return [[page, hash("sha256", `${title}\n${own.join()}`, "hex")] as const];
    }),
  );
}
