import { hash } from "node:crypto";
import { memoryIn } from "../page/texts/memory.ts";
import { chromeTests, ownKeys } from "./chrome.ts";
import type { SiteBefore } from "./judge.ts";
import type { JudgedChange } from "./page-change.ts";

/**
 * A moved page says the same at its new address. Absent for pages that say nothing, or are not remembered.
 */
export function likenesses(
  pages: readonly JudgedChange[],
  site: Pick<SiteBefore, "chromeOf">,
): ReadonlyMap<JudgedChange, string> {
  const movable = pages.filter(({ before, now }) => before === undefined || now === undefined);
  const isMove = movable.some(({ now }) => now === undefined) && movable.some(({ now }) => now);
  if (!isMove) return new Map();
  const remembered = movable.flatMap((page) => {
    const { title = "", blocks } = page.now ?? page.before ?? {};
    const memory = memoryIn(blocks);
    if (memory === undefined) return [];
    return [{ page, title, memory, collection: page.collection, keys: memory.keys }];
  });
  const chromeOf = chromeTests(remembered, site);
  return new Map(
    remembered.flatMap(({ page, title, memory, collection }) => {
      const own = ownKeys(memory, chromeOf(collection));
      if (own.length === 0) return [];
      return [[page, hash("sha256", `${title}\n${own.join()}`, "hex")] as const];
    }),
  );
}
