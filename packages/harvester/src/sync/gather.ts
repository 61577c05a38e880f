import { type Entry, isChangeKind, secondsOf, urlKey } from "@rs-emit/documents";
import { resolveUrl } from "../read/place.ts";
import type { Filter } from "./filter.ts";
import type { Source, SourceCollection } from "./source.ts";
import { type CopyState, GONE, LEFT_OUT, type Mark, PRESENT } from "./state.ts";

/** How a collection was compared, and what to remember when everything of it is in place. */
export interface Gathered {
  readonly collection: SourceCollection;
  /** The lists that were read. */
  readonly by: readonly ("resource-list" | "change-list")[];
  readonly mark: Mark;
  /** Since when changes were looked for, in UTC seconds; `undefined` for a first copy. */
  readonly since: number | undefined;
  /** Entries that say nothing to be copied, by the reason. */
  readonly ignored: Ignored;
}

export interface Ignored {
  /** Of other hosts. */
  foreign: number;
  /** Changes without a time, or of an unknown kind. */
  unclear: number;
}

export interface GatherRequest {
  readonly state: CopyState;
  readonly filter: Filter;
  /** The Resource List is read in any case. */
  readonly isWhole: boolean;
  /** UTC seconds. */
  readonly now: number;
}

/**
 * Reads what a collection should be like now into the working set of a copy: the Resource List where it is newer
 * than the last sync, the filter is another one, or the log does not reach back to it; and the changes since.
 *
 * @throws {HarvestError} where a list is broken: nothing may be done then
 */
export async function gather(
  source: Source,
  collection: SourceCollection,
  { state, filter, isWhole, now }: GatherRequest,
): Promise<Gathered> {
  const known = state.mark(collection.url);
  const mark = known?.filter === filter.name ? known : undefined;
  const taking = new Taking(state, collection, filter, now);
  const { resourceList, changeList } = collection;
  let at = mark?.at ?? undefined;
  let isCompared = false;
  const compare = async (url: string) => {
    state.unwant(collection.url);
    at = (await source.readResourceList(url, taking.resources)).at;
    state.wantGone(collection.url);
    isCompared = true;
  };
  const readChanges = async (url: string) =>
    source.readChangeList(url, at, taking.changesSince(at));
  if (resourceList !== undefined && (isWhole || (await isNews(source, resourceList, mark)))) {
    await compare(resourceList);
  }
  const through = Math.max(at ?? 0, mark?.through ?? 0);
  if (changeList !== undefined) {
    const { from } = await readChanges(changeList);
    const reachesBack = from !== undefined && from <= through;
    if (!reachesBack && !isCompared && resourceList !== undefined) {
      await compare(resourceList);
      await readChanges(changeList);
    }
  }
  const by = [
    ...(isCompared ? ["resource-list" as const] : []),
    ...(changeList === undefined ? [] : ["change-list" as const]),
  ];
  return {
    collection,
    by,
    since: mark === undefined ? undefined : through,
    mark: {
      at: at ?? null,
      through: Math.max(at ?? 0, through, taking.newest),
      filter: filter.name,
    },
    ignored: taking.ignored,
  };
}

/** What all spellings of a URL have in common, as SQLite holds it: NUL would end a text. */
export function resourceKey(url: string): string {
  return urlKey(url).replaceAll("\0", "%00");
}

/** Whether a Resource List may say something that is not in place yet. */
async function isNews(source: Source, url: string, mark: Mark | undefined): Promise<boolean> {
  if (mark === undefined || mark.at === null) return true;
  return ((await source.dateOf(url)) ?? Number.POSITIVE_INFINITY) > mark.at;
}

/** Seconds by which a source's clock may be ahead: what is dated later moves no mark. */
const AHEAD = 86_400;

/** Takes the entries of lists into the working set. */
class Taking {
  readonly ignored: Ignored = { foreign: 0, unclear: 0 };
  /** The newest change, in UTC seconds. */
  newest = 0;
  readonly #state: CopyState;
  readonly #collection: SourceCollection;
  readonly #filter: Filter;
  readonly #latest: number;

  constructor(state: CopyState, collection: SourceCollection, filter: Filter, now: number) {
    this.#latest = now + AHEAD;
    this.#state = state;
    this.#collection = collection;
    this.#filter = filter;
  }

  readonly resources = (entries: readonly Entry[], base: string): void => {
    for (const entry of entries) this.#want(entry, base, PRESENT, null);
  };

  /** @param since changes before this are in the Resource List; UTC seconds */
  changesSince(since = Number.NEGATIVE_INFINITY) {
    return (entries: readonly Entry[], base: string): void => {
      for (const entry of entries) {
        const { change, datetime } = entry.metadata ?? {};
        // Version 0.9.1 dates changes by `lastmod`.
        const time = secondsOf(datetime) ?? secondsOf(entry.lastmod);
        if (time === undefined || !isChangeKind(change?.trim())) this.ignored.unclear += 1;
        else if (time >= since) {
          if (time <= this.#latest) this.newest = Math.max(this.newest, time);
          this.#want(entry, base, change?.trim() === "deleted" ? GONE : PRESENT, time);
        }
      }
    };
  }

  #want(entry: Entry, base: string, state: number, datetime: number | null): void {
    const url = resolveUrl(entry.loc, base);
    if (url === undefined || !this.#collection.mayHold(url)) {
      this.ignored.foreign += 1;
      return;
    }
    const { hash, length } = entry.metadata ?? {};
    const isLeftOut = state === PRESENT && !this.#filter.includes(url);
    this.#state.want(this.#collection.url, {
      key: resourceKey(url),
      url,
      state: isLeftOut ? LEFT_OUT : state,
      hash: hash?.trim().toLowerCase().replace(/\s+/g, " ") ?? null,
      length: length !== undefined && /^\d{1,15}$/.test(length.trim()) ? Number(length) : null,
      lastmod: entry.lastmod?.trim() ?? null,
      datetime,
    });
  }
}
