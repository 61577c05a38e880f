/** What a run needs of the published log. Lists are read from the newest on, as far as needed. */
import { urlKey } from "@rs-emit/documents";
import { digestsIn } from "@rs-emit/feeds";
import type { Difference } from "../derive/difference.ts";
import { type Change, changedTime, keepNewest } from "../model/log.ts";
import { type CollectionPublication, newestChanges, newestFirst } from "../model/publication.ts";
import {
  type ChangeTime,
  compareVersions,
  isMadeElsewhere,
  type SnapshotEntry,
} from "../model/resources.ts";

/** The number of newest changes whose quotes count. */
const MOST_ASKED = 1000;

/** Digests of the texts that the newest changes told, quoted or only counted. */
export async function newestQuotes(
  published: readonly CollectionPublication[],
): Promise<ReadonlySet<string>> {
  const newest: Change[] = [];
  for (const { log } of published) {
    let asked = 0;
    for await (const piece of newestChanges(log, [])) {
      newest.push(...piece.slice(Math.max(0, piece.length - (MOST_ASKED - asked))));
      asked += piece.length;
      if (asked >= MOST_ASKED) break;
    }
  }
  return new Set(newest.flatMap(({ quotes }) => (quotes === undefined ? [] : digestsIn(quotes))));
}

/** The newest change of each page, by URL key. */
export async function newestInLogs(
  keys: ReadonlySet<string>,
  published: readonly CollectionPublication[],
): Promise<NewestChanges> {
  const newest = new Map<string, Change>();
  for (const { log } of keys.size === 0 ? [] : published) {
    const wanted = new Set(keys);
    for await (const change of newestFirst(newestChanges(log, []))) {
      if (wanted.delete(urlKey(change.url))) keepNewest(newest, change);
      if (wanted.size === 0) break;
    }
  }
  return newest;
}

/** Old and replayed entries lack the time. All logs are searched, since pages move between them. */
export async function withChangedTimes(
  collections: readonly CollectionPublication[],
): Promise<readonly CollectionPublication[]> {
  if (!collections.some(({ snapshot }) => lacksTimes(snapshot))) return collections;
  const last = new Map<string, Change>();
  for (const { log } of collections) {
    for await (const piece of newestChanges(log, [])) {
      for (const change of piece) if (hasChangeTime(change)) keepNewest(last, change);
    }
  }
  return collections.map((one) => {
    if (!lacksTimes(one.snapshot)) return one;
    const filled = [...one.snapshot].map(([key, entry]): [string, SnapshotEntry] => {
      return [key, { ...entry, changed: entry.changed ?? timeIn(last, key) }];
    });
    return { ...one, snapshot: new Map(filled) };
  });
}

/** The entry of a withdrawn page has its change time, or records that it is unknown. */
function hasChangeTime({ kind, minor, changed }: Change): boolean {
  return kind === "deleted" ? minor === true : !minor || changed !== undefined;
}

/** A page that moved keeps the time that it had at its former place. */
function timeIn(last: ReadonlyMap<string, Change>, key: string): ChangeTime {
  const followed = new Set<string>();
  for (let at = key; !followed.has(at); ) {
    followed.add(at);
    const change = last.get(at);
    if (change?.moved === undefined || change.changed !== undefined) {
      return (change && changedTime(change, "unknown")) ?? "unknown";
    }
    at = urlKey(change.moved);
  }
  return "unknown";
}

function lacksTimes(snapshot: CollectionPublication["snapshot"]): boolean {
  for (const { changed } of snapshot.values()) if (changed === undefined) return true;
  return false;
}

type NewestChanges = ReadonlyMap<string, Change>;

/** Pages that were excluded: new where they were never published, else back with the date in the log. */
export function returning(differences: readonly Difference[]): ReadonlySet<string> {
  const back = differences.filter(({ wasExcluded }) => wasExcluded);
  return new Set(back.map(({ url }) => urlKey(url)));
}

/** @param newest changes of the pages that may be back; see {@link returning} */
export function withReturns(
  differences: readonly Difference[],
  newest: NewestChanges,
): readonly Difference[] {
  return differences.map((one) => {
    if (!one.wasExcluded) return one;
    const last = newest.get(urlKey(one.url));
    return last?.kind === "deleted" ? returnOf(one, last) : { ...one, minor: isOfAuthor(one) };
  });
}

function returnOf(one: Difference, last: Change): Difference {
  const { resource = {} } = one;
  // Feeds reported it as deleted, like a page that moved and left a redirect.
  if (!last.minor) return { ...one, minor: isOfAuthor(one) };
  const isSame = compareVersions(last, resource) !== "full" || isMadeElsewhere(last, resource);
  return {
    ...one,
    minor: isSame || isOfAuthor(one),
    from: { ...last, changed: (isSame ? last.changed : undefined) ?? "unknown" },
    // The entry of a file that is no page does not record what it was.
    isContent: !isSame && last.content !== undefined,
  };
}

function isOfAuthor({ resource }: Difference): boolean {
  return resource?.authorMinor === true;
}
