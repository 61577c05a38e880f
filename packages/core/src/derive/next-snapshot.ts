import { urlKey } from "@rs-emit/documents";
import { type Change, inLogOrder } from "../model/log.ts";
import type { Derived, Unlogged } from "../model/plan.ts";
import type { CollectionPublication } from "../model/publication.ts";
import {
  hasSameLinks,
  type Inventory,
  type Resource,
  type SnapshotEntry,
  snapshotEntry,
} from "../model/resources.ts";
import { changedBy, type Origins } from "./new-change.ts";

export interface Continued {
  readonly derived: Derived;
  readonly unlogged: Unlogged;
}

export function deriveNext(
  collection: string,
  inventory: Inventory,
  published: CollectionPublication | undefined,
  ownChanges: readonly Change[],
  origins: Origins,
): Continued {
  const changed = new Map(ownChanges.map((change) => [urlKey(change.url), change]));
  const stale = new Set(inventory.stale.map(({ url }) => urlKey(url)));
  const snapshot: SnapshotEntry[] = [];
  let sameMarkup = 0;
  let links = 0;
  let renewed = 0;
  for (const resource of inventory.resources) {
    if (resource.collection !== collection) continue;
    const key = urlKey(resource.url);
    const before = published?.snapshot.get(key);
    const change = changed.get(key);
    if (change !== undefined) {
      const changed = changedBy(change, before ?? origins.get(key));
      snapshot.push(snapshotEntry({ ...resource, ...lasting(change) }, change.lastmod, changed));
    } else if (before === undefined) {
      snapshot.push(snapshotEntry(resource, undefined, "unknown"));
    } else if (before.hash === resource.hash) {
      if (!hasSameLinks(before, resource)) links += 1;
      // An interrupted publication is completed, not published anew: its log lacks the pages' memory.
      else if (!published?.repaired && !hasSameMemory(before, resource)) renewed += 1;
      snapshot.push(withMemoryOf(before, resource));
    } else {
      sameMarkup += 1;
      const { lastmod, changed } = before;
      snapshot.push(snapshotEntry({ ...resource, ...lasting(before) }, lastmod, changed));
    }
  }
  const present = new Set(inventory.resources.map(({ url }) => urlKey(url)));
  for (const [key, entry] of published?.snapshot ?? []) {
    if (stale.has(key) && !present.has(key)) snapshot.push(entry);
  }
  const changes = [...ownChanges].sort(inLogOrder);
  return {
    derived: {
      changes,
      snapshot: snapshot.sort((one, other) => (one.url < other.url ? -1 : 1)),
    },
    unlogged: { sameMarkup, links, renewed },
  };
}

/** The facts that stay valid although the bytes differ. */
function lasting({ url, noteDigest }: SnapshotEntry) {
  return { url, noteDigest };
}

const REMEMBERED = ["content", "markup", "engines"] as const;

/** The memory follows the options, even where the bytes stay. The next version is compared with it. */
function hasSameMemory(entry: SnapshotEntry, resource: Resource): boolean {
  if (!REMEMBERED.every((fact) => entry[fact] === resource[fact])) return false;
  return entry.blocks?.equals(resource.blocks) ?? resource.blocks === undefined;
}

function withMemoryOf(entry: SnapshotEntry, resource: Resource): SnapshotEntry {
  const { links, content, markup, blocks, engines, headings, original } = resource;
  return { ...entry, links, content, markup, blocks, engines, headings, original };
}
