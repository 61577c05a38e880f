import type { Digest } from "../model/digest.ts";
import { CHANGE_LIST_INDEX, changeListName, type Period, periodOf } from "../model/layout.ts";
import type { Change, ChangeListReference, ReadableList } from "../model/log.ts";
import type { PublishedLog } from "../model/publication.ts";
import { type FoundList, type ParsedList, parseList, type RecalledIndex } from "./change-lists.ts";
import type { CollectionStore } from "./collection-store.ts";
import { snapshotAheadError } from "./errors.ts";

export interface RecalledLog {
  readonly log: PublishedLog;
  readonly newer: readonly Change[];
  readonly publication: number;
  /** A list differs from the index: a publication or a deploy was interrupted. */
  readonly cutShort: boolean;
}

/**
 * An interrupted publication can leave lists newer than their index; an interrupted deploy, lists older than
 * an index that is newer than the snapshot. Neither loses an entry. Any other difference stops the run.
 * @throws {EmitError} `DAMAGED_DOCUMENT` `MISSING_DOCUMENT` `SNAPSHOT_AHEAD`
 */
export async function readLog(
  place: CollectionStore,
  index: RecalledIndex,
  at: number,
  period: Period,
): Promise<RecalledLog> {
  if (index.publication < at) {
    throw snapshotAheadError(place.document(CHANGE_LIST_INDEX).path, place.store.place);
  }
  const found: FoundList[] = [];
  let cutShort = index.publication > at;
  for (const reference of index.lists) {
    const list = await readList(place, reference, index, at);
    if (list === undefined) break; // only lists that the unfinished publication began may be missing
    cutShort ||= list.reference.hash !== reference.hash;
    found.push(list);
  }
  found.push(...(await readSuccessors(place, found, period)));
  const publication = Math.max(at, index.publication, ...found.map((one) => one.publication ?? 0));
  return { ...arrange(place, found, at), publication, cutShort };
}

async function readList(
  place: CollectionStore,
  reference: ChangeListReference,
  index: RecalledIndex,
  at: number,
): Promise<FoundList | undefined> {
  const document = place.document(reference.name);
  const ahead = index.publication > at;
  const digest = await document.digest(reference.until === undefined ? undefined : reference.hash);
  if (digest === undefined) {
    if (ahead && reference.from === index.publication) return undefined;
    throw document.missing("the Change List Index names it.");
  }
  const intact = digest.hash === reference.hash;
  if (intact && digest.length !== reference.length) {
    const why = `its length of ${reference.name} is not the list's.`;
    throw place.document(CHANGE_LIST_INDEX).damaged(why);
  }
  if (intact && reference.until !== undefined && reference.until <= at) {
    if (!place.hasMoved) return { reference };
    const { hasFormerUrls } = await parseNamed(place, reference, digest);
    return { reference, hasFormerUrls };
  }
  if (intact && reference.until === undefined && !ahead && !place.hasMoved) return { reference };
  const list = await parseNamed(place, reference, digest);
  if (intact || isNewer(list, reference, index)) return list;
  if (!isOlder(list, reference, index)) {
    throw document.damaged("its hash is not the one in its index.");
  }
  if (!ahead) throw snapshotAheadError(document.path, place.store.place);
  return list;
}

async function parseNamed(
  place: CollectionStore,
  { name, from }: ChangeListReference,
  digest: Digest,
): Promise<ParsedList> {
  const list = await parseList(place, name, digest);
  if (list.reference.from === from) return list;
  throw place.document(name).damaged("its from is not the one in its index.");
}

/** A killed publication added its changes to the list, or closed it. */
function isNewer(
  { publication, entries, reference: { until } }: ParsedList,
  named: ChangeListReference,
  index: RecalledIndex,
): boolean {
  if (publication <= index.publication || named.until !== undefined) return false;
  return until === publication || entries.at(-1)?.datetime === publication;
}

/** Only an open list can be older: closed lists are never written again. */
function isOlder(
  { publication, reference: { until } }: ParsedList,
  named: ChangeListReference,
  index: RecalledIndex,
): boolean {
  return until === undefined && publication < (named.until ?? index.publication);
}

async function readSuccessors(
  place: CollectionStore,
  found: readonly FoundList[],
  period: Period,
): Promise<FoundList[]> {
  const successors: FoundList[] = [];
  const taken = new Set(found.map((one) => one.reference.name));
  let last = found.at(-1);
  while (last?.publication !== undefined && last.reference.until !== undefined) {
    const name = changeListName(periodOf(last.reference.until, period), taken);
    const digest = await place.document(name).digest();
    if (digest === undefined) break;
    const next = await parseList(place, name, digest);
    if (next.reference.from !== last.reference.until) break;
    // A later publication may have closed it and been killed too.
    if (next.publication < last.publication) break;
    successors.push(next);
    taken.add(name);
    last = next;
  }
  return successors;
}

/** Keeps closed lists up to the first open one; later entries are appended to that list again. */
function arrange(
  place: CollectionStore,
  found: readonly FoundList[],
  at: number,
): { readonly log: PublishedLog; readonly newer: readonly Change[] } {
  const newer = found.flatMap((one) => (one.entries ?? []).filter(({ datetime }) => datetime > at));
  const position = found.findIndex((one) => one.reference.until === undefined);
  const open = found[position];
  const readable = (one: FoundList) => readableList(place, one);
  const hasFormerUrls = found.some((one) => one.hasFormerUrls);
  if (open === undefined) {
    return { log: { closed: found.map(readable), pending: [], hasFormerUrls }, newer };
  }
  return {
    log: {
      hasFormerUrls,
      closed: found.slice(0, position).map(readable),
      open: readable(open),
      pending: found.slice(position + 1).flatMap((one) => one.entries ?? []),
    },
    newer,
  };
}

/** Reads the list once for all its users: the next list, feeds and pages. */
function readableList(place: CollectionStore, { reference, entries }: FoundList): ReadableList {
  let read = entries;
  return {
    ...reference,
    readEntries: async () => {
      const all = read ?? (await parseList(place.copies, reference.name, reference)).entries;
      if (reference.until === undefined) read = all;
      return all;
    },
  };
}
