import { hash } from "node:crypto";
import { groupBy } from "@rs-emit/documents";
import { memoryIn } from "../model/page-memory.ts";
import type { SiteBefore } from "./judge.ts";
import type { JudgedChange } from "./page-change.ts";
import { chromeTests, ownKeys } from "./page-chrome.ts";

/** Fewer texts are too few to recognize a page. */
export const FEWEST_TEXTS = 3;

/** A text that is new on more pages does not show to which of them it went. */
const MOST_PLACES = 8;

/** The texts of pages that are gone or new, without what most pages have. */
export class MovedTexts {
  readonly #own = new Map<JudgedChange, Float64Array>();

  constructor(pages: readonly JudgedChange[], site: Pick<SiteBefore, "chromeOf">) {
    const isMove = pages.some(({ now }) => now === undefined);
    const movable = pages.filter(({ before, now }) => before === undefined || now === undefined);
    const remembered = (isMove ? movable : []).flatMap((page) => {
      const memory = memoryIn((page.now ?? page.before)?.blocks);
      if (memory === undefined) return [];
      return [{ page, memory, collection: page.collection, keys: memory.keys() }];
    });
    const chromeOf = chromeTests(remembered, site);
    for (const { page, memory, collection } of remembered) {
      this.#own.set(page, ownKeys(memory, chromeOf(collection)));
    }
  }

  /** Equal for a page that says the same at another address. Absent for pages that say nothing, or are not remembered. */
  likenessOf(page: JudgedChange): string | undefined {
    const own = this.#own.get(page) ?? [];
    const { title = "" } = page.now ?? page.before ?? {};
    return own.length === 0 ? undefined : hash("sha256", `${title}\n${own.join()}`, "hex");
  }

  /**
   * Gone pages, most of whose texts stand on one new page that may be the same.
   * @param isMovable whether a page is not known to have moved
   */
  edited(
    isMovable: (page: JudgedChange) => boolean,
    mayBeSame: (gone: JudgedChange, created: JudgedChange) => boolean,
  ): readonly (readonly [gone: JudgedChange, created: JudgedChange])[] {
    const movable = [...this.#own].filter(([page]) => isMovable(page));
    const places = placesOf(movable.filter(([page]) => page.now !== undefined));
    const gone = movable.filter(([page]) => page.now === undefined);
    const found = gone.flatMap(([page]) => {
      const place = this.#placeOf(page, places, mayBeSame);
      return place === undefined ? [] : [[page, place] as const];
    });
    const byPlace = groupBy(found, ([, place]) => place);
    return [...byPlace.values()].flatMap((same) => (same.length === 1 ? same : []));
  }

  /** Of several pages it is the one that has most of the texts, then the first by address. */
  #placeOf(
    page: JudgedChange,
    places: ReadonlyMap<number, readonly JudgedChange[]>,
    mayBeSame: (gone: JudgedChange, created: JudgedChange) => boolean,
  ): JudgedChange | undefined {
    const keys = new Set(this.#own.get(page));
    if (keys.size < FEWEST_TEXTS) return undefined;
    const counts = new Map<JudgedChange, number>();
    for (const place of [...keys].flatMap((key) => places.get(key) ?? [])) {
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
    const [most] = [...counts]
      .filter(([place, count]) => count * 2 > keys.size && mayBeSame(page, place))
      .sort(([one, a], [other, b]) => b - a || (one.url < other.url ? -1 : 1));
    return most?.[0];
  }
}

function placesOf(
  pages: readonly (readonly [JudgedChange, Iterable<number>])[],
): ReadonlyMap<number, readonly JudgedChange[]> {
  const places = new Map<number, JudgedChange[]>();
  for (const [page, keys] of pages) {
    for (const key of new Set(keys)) {
      const known = places.get(key) ?? [];
      places.set(key, known);
      if (known.length <= MOST_PLACES) known.push(page);
    }
  }
  for (const [key, { length }] of places) if (length > MOST_PLACES) places.delete(key);
  return places;
}
