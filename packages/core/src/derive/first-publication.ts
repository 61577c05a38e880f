import { type Entry, groupBy, urlKey } from "@rs-emit/documents";
import type { History } from "../history/explanations.ts";
import { excludedDigests } from "../model/excluded-pages.ts";
import type { Change } from "../model/log.ts";
import {
  type CollectionWork,
  type Derived,
  type Draft,
  type FinishedPage,
  type KnownPast,
  type OriginKind,
  type Plan,
  withFinishedDigests,
} from "../model/plan.ts";
import { type ImportedLog, importedLog, newestChanges } from "../model/publication.ts";
import { type ChangeTime, type Inventory, ON_DEMAND, snapshotEntry } from "../model/resources.ts";
import type { Settings } from "../options/settings.ts";
import { changesAfter, timeAfter } from "./after-imported.ts";
import { withFirstWords } from "./author-notes.ts";
import { namersOf, withName } from "./named-changes.ts";
import { timeOf } from "./new-change.ts";

/** What is known of a site's past before its first publication. */
export interface Past {
  readonly changes: readonly Change[];
  /** The time of the first publication. */
  readonly time: number;
  readonly unread: number;
  readonly collectionOf: (url: string) => string | undefined;
  /** Whether a page's versions were compared, so that the time of its content is known. */
  readonly isCompared: (url: string) => boolean;
}

export interface FirstFacts {
  readonly history: History;
  readonly origin: OriginKind;
  readonly past: Past;
  readonly imported: readonly ImportedLog[];
  /** Pages of the imported logs that are no longer there. */
  readonly gone: readonly string[];
}

type FirstWork = Pick<CollectionWork, "collection" | "imported" | "derived">;

/** The logs and Resource Lists of a first publication: from git, from file times, or from each commit. */
export interface FirstLogs {
  readonly time: number;
  readonly present: number;
  readonly works: readonly FirstWork[];
}

/** @throws {EmitError} `CLOCK` when an imported log has changes more than a day in the future */
export function draftFirst(
  settings: Settings,
  inventory: Inventory,
  { past, imported, gone }: Pick<FirstFacts, "past" | "imported" | "gone">,
  present: number,
): FirstLogs & Draft {
  const time = timeAfter(imported, past.time, present);
  const derived = deriveFirst(inventory, past, settings);
  const importedBy = new Map(imported.map((log) => [log.collection, log]));
  const works = settings.collections.map((collection): FirstWork => {
    const { changes = [], snapshot = [] } = derived.get(collection.url) ?? {};
    const imported = importedBy.get(collection.url);
    const later = changesAfter(imported, changes, gone, time);
    return { collection, imported, derived: { changes: later, snapshot } };
  });
  const byUrl = new Map(works.map((one) => [one.collection.url, one]));
  const snapshots = [...derived.values()].flatMap(({ snapshot }) => snapshot);
  const times = new Map(snapshots.map(({ url, changed }) => [urlKey(url), changed]));
  return {
    time,
    present,
    works,
    logOf: (url) => {
      const { imported, derived } = byUrl.get(url) ?? {};
      return newestChanges(importedLog(imported), derived?.changes ?? []);
    },
    changedAt: (url) => times.get(urlKey(url)),
  };
}

/** The only assembly of a first publication. */
export function planFirst(
  { time, present, works }: FirstLogs,
  inventory: Inventory,
  others: readonly Entry[],
  pages: readonly FinishedPage[] = [],
): Plan {
  const finished = withFinishedDigests(pages);
  const collections = works.map(({ derived, ...one }) => ({
    ...one,
    configured: true,
    published: undefined,
    derived: { ...derived, snapshot: derived.snapshot.map(finished) },
    time,
    previous: undefined,
    since: time,
    changed: true,
    excluded: excludedDigests(inventory, one.collection.url),
  }));
  const undated = collections
    .flatMap(({ derived }) => derived.snapshot)
    .filter(({ lastmod, content }) => lastmod === undefined && content !== ON_DEMAND);
  return {
    first: true,
    time,
    present,
    collections,
    others,
    published: undefined,
    undated: undated.map(({ url }) => url),
    pages,
    clockCorrected: false,
  };
}

/** Why pages have no date, or only that of their own files. */
export function knownPast(
  { history, origin, past }: FirstFacts,
  { resources }: Inventory,
  plan: Pick<Plan, "undated">,
): KnownPast {
  const undated = new Set(plan.undated);
  const pages = resources.flatMap(({ url, file }) =>
    file === undefined ? [] : { file, isDated: !undated.has(url) },
  );
  const without = pages.filter(({ isDated }) => !isDated);
  const isMadeOfOthers = history.kind === "git" ? history.files.isMadeOfOthers : () => false;
  return {
    history: history.kind,
    origin,
    undated: without.map(({ file }) => ({ file, reason: history.files.reasonOf(file) })),
    madeOfOthers: pages
      .filter(({ file, isDated }) => isDated && isMadeOfOthers(file))
      .map(({ file }) => file),
    unreadVersions: past.unread,
  };
}

/** A page is left out when its history ends in another state, or when an earlier build left its file. */
function deriveFirst(
  inventory: Inventory,
  { changes: past, collectionOf, isCompared }: Past,
  { collections, note }: Pick<Settings, "collections" | "note">,
): ReadonlyMap<string, Derived> {
  const byUrl = new Map(inventory.resources.map((one) => [urlKey(one.url), one]));
  const stale = urlKeysOf(inventory.stale);
  const last = new Map(past.map(({ url, kind }) => [urlKey(url), kind]));
  const fitting = past.filter(({ url }) => {
    const key = urlKey(url);
    const exists = byUrl.has(key);
    return (last.get(key) !== "deleted") === exists && (exists || !stale.has(key));
  });
  const lastmods = new Map(fitting.map(({ url, lastmod }) => [url, lastmod]));
  const { changes: dated, changed } = withTimes(fitting, isCompared);
  const namerOf = namersOf(inventory);
  const titled = dated.map((change) => {
    const page = byUrl.get(urlKey(change.url));
    const collection = collections.find(({ url }) => url === page?.collection);
    if (change.title !== undefined || page === undefined || collection === undefined) return change;
    // The versions of a source file do not contain the page's title.
    return withName({ ...change, title: page.title }, page, () => namerOf(collection));
  });
  const worded = withFirstWords(titled, (url) => byUrl.get(urlKey(url)), note);
  const noted = worded.filter(({ noteDigest }) => noteDigest !== undefined);
  const notes = new Map(noted.map(({ url, noteDigest }) => [url, noteDigest]));
  const changes = groupBy(worded, ({ url }) => collectionOf(url));
  const resources = groupBy(inventory.resources, ({ collection }) => collection);
  const derived = new Map<string, Derived>();
  for (const collection of new Set([...changes.keys(), ...resources.keys()])) {
    if (collection === undefined) continue;
    derived.set(collection, {
      changes: changes.get(collection) ?? [],
      snapshot: (resources.get(collection) ?? []).map((resource) =>
        snapshotEntry(
          { ...resource, noteDigest: notes.get(resource.url) },
          lastmods.get(resource.url),
          changed.get(resource.url) ?? "unknown",
        ),
      ),
    });
  }
  return derived;
}

/** When each page's content last changed; a withdrawn page keeps it for its return. */
function withTimes(past: readonly Change[], isCompared: Past["isCompared"]) {
  const changed = new Map<string, ChangeTime>();
  const changes = past.map((change): Change => {
    const { url, kind, minor, moved, lastmod, changed: own } = change;
    if (kind === "deleted") return minor ? { ...change, ...timeOf(changed.get(url)) } : change;
    if ((minor && own === undefined) || !isCompared(url)) return change;
    const isSame = moved !== undefined && own === undefined;
    changed.set(url, isSame ? (changed.get(moved) ?? "unknown") : lastmod);
    return change;
  });
  return { changes, changed };
}

function urlKeysOf(pages: readonly { readonly url: string }[]): ReadonlySet<string> {
  return new Set(pages.map(({ url }) => urlKey(url)));
}
