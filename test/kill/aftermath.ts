import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseDatetime, readDocumentSync } from "@rs-emit/documents";
import { expect } from "vitest";
import { type Entry, followFolder } from "../model/log.ts";
import { expectPublication } from "../model/oracle.ts";
import { proveDocuments, provePages } from "../model/proof.ts";
import { keyOf, type Site } from "../model/site.ts";
import type { CollectionState, State } from "../model/state.ts";

/** A publication that was cut short. */
export interface Cut {
  /** What was published before it. */
  readonly before: State;
  /** What it was about to publish. */
  readonly intended: State;
  /** Its time, UTC seconds. */
  readonly time: number;
  /** Whether a collection's Resource List, which commits its publication, got through. */
  readonly isCommitted: (collection: string) => boolean;
}

/**
 * What a publication that was cut short left in a folder. A first one that is whole nowhere starts
 * over; on the live site, what followers may have read of it is continued.
 */
export function cutOf(
  place: "output" | "live site",
  folder: string,
  site: Site,
  [before, intended]: readonly [State, State],
): Cut {
  const time = site.now;
  const committed = [...intended.keys()].filter((url) => {
    const list = join(folder, url.slice(site.url.length), "resourcelist.xml");
    return existsSync(list) && isOf(list, time);
  });
  const nowhere = before.size === 0 && place === "output" && committed.length < intended.size;
  const isCommitted = (url: string) => !nowhere && committed.includes(url);
  return { before, intended, time, isCommitted };
}

function isOf(list: string, time: number): boolean {
  return parseDatetime(readDocumentSync(readFileSync(list)).metadata.at ?? "").seconds === time;
}

/**
 * After the next run, each change of the publication that was cut short is in the log once: as that
 * publication told it, or as the next one finds it.
 */
export function proveAftermath(folder: string, site: Site, cut: Cut): void {
  const expected = expectPublication(survivors(folder, site, cut), site);
  if ("stops" in expected) throw new Error("the clock of a cut publication stands well");
  proveDocuments(folder, site.url, expected.state);
  provePages(folder, site, expected.state);
}

/** What is known of a publication that was cut short, told by the log that was made of it. */
function survivors(folder: string, site: Site, cut: Cut): State {
  const survived = new Map<string, CollectionState>();
  const { collections } = followFolder(folder, site.url);
  for (const [url, meant] of cut.intended) {
    const { log = [], at } = collections.get(url) ?? {};
    const told = log.filter((entry) => isOfCut(entry, cut.time));
    // It may have got no further than to close a list, and have left nothing else to tell.
    const reached = told.length > 0 || at === cut.time;
    const state = survivor(url, meant, told, cut);
    if (state !== undefined) survived.set(url, { ...state, time: reached ? cut.time : state.time });
  }
  return survived;
}

/** A page arrives in a collection one second before the publication that updates it. */
function isOfCut({ datetime, kind, minor }: Entry, time: number): boolean {
  return datetime === time || (kind === "created" && minor === true && datetime === time - 1);
}

/** A new collection whose log came through without its Resource List: the log tells of it all. */
function begun(intended: CollectionState, told: readonly Entry[]): CollectionState | undefined {
  const isWhole = told.length > 0 && told.every(({ kind, hash }) => kind === "deleted" || hash);
  if (!isWhole) return undefined;
  return { ...intended, log: [], snapshot: new Map(), left: new Map(), withheld: new Set() };
}

/** What is known of a collection of which some changes were told. */
function survivor(
  url: string,
  intended: CollectionState,
  told: readonly Entry[],
  { before, isCommitted }: Cut,
): CollectionState | undefined {
  if (isCommitted(url)) return intended;
  const was = before.get(url) ?? begun(intended, told);
  if (was === undefined) return undefined;
  for (const entry of told) expect(intended.log, "invented").toContainEqual(entry);
  const snapshot = new Map(was.snapshot);
  const left = new Map(was.left);
  for (const { url, kind, minor } of told) {
    const key = keyOf(url);
    const old = was.snapshot.get(key);
    const now = intended.snapshot.get(key);
    if (kind !== "deleted" && now) snapshot.set(key, now);
    else snapshot.delete(key);
    if (kind === "deleted" && minor && old) left.set(key, old);
  }
  const log = [...was.log, ...told];
  return { ...was, log, snapshot, left };
}
