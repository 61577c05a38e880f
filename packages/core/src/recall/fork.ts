import { urlKey } from "@rs-emit/documents";
import { type Change, inLogOrder } from "../model/log.ts";
import {
  type CollectionPublication,
  newestChanges,
  newestFirst,
  type PublishedLog,
} from "../model/publication.ts";
import type { Version } from "../model/resources.ts";

/** Versions of a page, newest first, by `urlKey`; `undefined` where it was deleted. */
export type Versions = ReadonlyMap<string, readonly (Version | undefined)[]>;

/** Changes in only one of two copies of a site's log, since their last common change. */
export interface Fork {
  readonly here: Versions;
  readonly there: Versions;
  /** By `urlKey`: whether the oldest of these changes creates the page. */
  readonly wasCreated: ReadonlyMap<string, boolean>;
}

type ForkedCollections = readonly CollectionPublication[];

/** @returns `undefined` for the logs of two first publications */
export async function forkOf(
  here: ForkedCollections,
  there: ForkedCollections,
): Promise<Fork | undefined> {
  const only = { here: new Map<string, Version[]>(), there: new Map<string, Version[]>() };
  const wasCreated = new Map<string, boolean>();
  let isCommon = false;
  for (const url of new Set([...here, ...there].map((one) => one.url))) {
    const own = here.find((one) => one.url === url);
    const live = there.find((one) => one.url === url);
    // A first publication may have no changes.
    if (own?.since === live?.since) isCommon = true;
    for await (const { side, change } of newestChangesOf(own?.log, live?.log)) {
      if (side === "both") isCommon = true;
      else {
        addChange(only[side], change);
        wasCreated.set(urlKey(change.url), change.kind === "created");
      }
    }
  }
  return isCommon ? { ...only, wasCreated } : undefined;
}

interface SidedChange {
  readonly side: "here" | "there" | "both";
  readonly change: Change;
}

/** Ends after the publication of the newest common change: both logs have all older changes. */
async function* newestChangesOf(
  here: PublishedLog | undefined,
  there: PublishedLog | undefined,
): AsyncGenerator<SidedChange> {
  const heres = newestFirst(newestChanges(here, []));
  const theres = newestFirst(newestChanges(there, []));
  let [one, other] = [await nextOf(heres), await nextOf(theres)];
  let common: number | undefined;
  while (one !== undefined || other !== undefined) {
    const order = orderOf(one, other);
    const newest = order < 0 ? other : one;
    if (newest === undefined || (common !== undefined && newest.datetime < common)) return;
    if (order === 0 && one !== undefined && other !== undefined && areSameChange(one, other)) {
      common = newest.datetime;
      yield { side: "both", change: newest };
    } else {
      if (order >= 0 && one !== undefined) yield { side: "here", change: one };
      if (order <= 0 && other !== undefined) yield { side: "there", change: other };
    }
    if (order >= 0) one = await nextOf(heres);
    if (order <= 0) other = await nextOf(theres);
  }
}

async function nextOf(changes: AsyncGenerator<Change>): Promise<Change | undefined> {
  const { done, value } = await changes.next();
  return done ? undefined : value;
}

function orderOf(one: Change | undefined, other: Change | undefined): number {
  if (one === undefined) return -1;
  return other === undefined ? 1 : inLogOrder(one, other);
}

function areSameChange(one: Change, other: Change): boolean {
  return one.kind === other.kind && one.hash === other.hash && one.markup === other.markup;
}

/** A change from git or file times has no digests: it records that the page changed, not the result. */
function addChange(versions: Map<string, (Version | undefined)[]>, change: Change): void {
  const key = urlKey(change.url);
  const known = versions.get(key) ?? [];
  if (change.kind === "deleted") known.push(undefined);
  else if (change.hash !== undefined) known.push(change);
  versions.set(key, known);
}
