import { type Entry, urlKey } from "@rs-emit/documents";
import { sha256In } from "../model/digest.ts";
import { EmitError } from "../model/errors.ts";
import { ExcludedPages } from "../model/excluded-pages.ts";
import {
  ADOPTED_LIST,
  beginsAsOurs,
  CHANGE_DUMP,
  CHANGE_LIST_INDEX,
  isPackageName,
  type Period,
  RESOURCE_LIST,
} from "../model/layout.ts";
import { type Change, changedTime } from "../model/log.ts";
import type {
  ChangePackage,
  CollectionPublication,
  HalfMove,
  PublishedDump,
} from "../model/publication.ts";
import { hasDigest, type SnapshotEntry, snapshotEntry } from "../model/resources.ts";
import { type RecalledIndex, readIndex } from "./change-lists.ts";
import { type RecalledLog, readLog } from "./change-log.ts";
import type { CollectionStore } from "./collection-store.ts";
import type { StoredDocument } from "./document-store.ts";
import { readSnapshot, type Snapshot } from "./snapshot.ts";

type RecalledCollection =
  | {
      readonly kind: "published";
      readonly publication: Omit<CollectionPublication, "since" | "capabilities">;
    }
  /** The first publication was killed before it wrote the Resource List, which commits it. */
  | { readonly kind: "unfinished"; readonly publication: number }
  | { readonly kind: "absent" };

/** @throws {EmitError} `MISSING_DOCUMENT` `DAMAGED_DOCUMENT` */
export async function recallCollection(
  named: CollectionStore,
  period: Period,
): Promise<RecalledCollection> {
  const written = await named.at(CHANGE_LIST_INDEX);
  const index = await readIndex(written);
  const place = index === undefined ? written : written.identified(index.id);
  const listed = await place.at(RESOURCE_LIST);
  const snapshot = (await isOthersSnapshot(place, index)) ? undefined : await readSnapshot(listed);
  if (index === undefined) {
    if (snapshot === undefined) return { kind: "absent" };
    throw place.document(CHANGE_LIST_INDEX).missing("there is a Resource List beside it.");
  }
  if (snapshot === undefined && index.previous !== undefined) {
    throw place
      .document(RESOURCE_LIST)
      .missing("the Change List Index beside it records more than one publication.");
  }
  const log = await readLog(place, index, snapshot?.at ?? BEFORE_ALL, period);
  if (snapshot === undefined && !isSnapshotToo(log)) {
    return { kind: "unfinished", publication: index.publication };
  }
  const isMixed = place.isMixedWith(listed);
  if (!isMixed) requireFit(place, index, snapshot ?? nothingYet());
  const publication = combine(place, index, snapshot ?? nothingYet(), log);
  return {
    kind: "published",
    publication: { ...publication, repaired: publication.repaired || isMixed },
  };
}

/** Whether a first publication with an imported log was killed before its Resource List. */
async function isOthersSnapshot(
  place: CollectionStore,
  index: RecalledIndex | undefined,
): Promise<boolean> {
  if (index === undefined || index.previous !== undefined) return false;
  if (!index.lists.some(({ name }) => name.startsWith(ADOPTED_LIST))) return false;
  const bytes = await place.document(RESOURCE_LIST).bytes();
  return bytes !== undefined && !beginsAsOurs(bytes);
}

const BEFORE_ALL = Number.NEGATIVE_INFINITY;

/** Replaces a Resource List that was never written. */
function nothingYet(): Snapshot {
  return { at: BEFORE_ALL, entries: new Map(), excluded: new ExcludedPages(), parts: [], hash: "" };
}

/** A log from history has no hashes, so it cannot replace the snapshot. */
function isSnapshotToo({ newer }: RecalledLog): boolean {
  return (
    newer.length > 0 && newer.every((change) => change.kind === "deleted" || hasDigest(change))
  );
}

function combine(
  place: CollectionStore,
  index: RecalledIndex,
  snapshot: Snapshot,
  { log, newer, publication, cutShort }: RecalledLog,
): Omit<CollectionPublication, "since" | "capabilities"> {
  const left = new Map<string, SnapshotEntry>();
  const halfMoves = new Map<string, HalfMove>();
  const entered = enteredPages(newer, snapshot.entries);
  const before = new Map(snapshot.entries);
  for (const change of newer) {
    const { url, kind, moved } = change;
    const entry = snapshot.entries.get(urlKey(url));
    if (moved !== undefined && kind === "created") halfMoves.set(urlKey(moved), { url });
    if (moved !== undefined && entry !== undefined) halfMoves.set(urlKey(moved), { url, entry });
    keepLeft(left, snapshot.entries, change);
    replay(place, snapshot.entries, change, before);
  }
  return {
    url: place.url,
    folder: place.folder,
    id: index.id,
    time: publication,
    snapshot: snapshot.entries,
    excluded: snapshot.excluded,
    left,
    entered,
    halfMoves,
    log,
    changeDump: new PublishedChangeDump(place),
    repaired: cutShort || newer.length > 0 || index.isRecoded,
    resourceListParts: snapshot.parts,
    ...previousOf(index, snapshot, publication),
  };
}

function requireFit(place: CollectionStore, index: RecalledIndex, snapshot: Snapshot): void {
  const sameTime = index.publication === snapshot.at;
  if (sameTime === (index.snapshot === snapshot.hash)) return;
  const [document, why] = sameTime
    ? [RESOURCE_LIST, "its hash is not the one in the Change List Index."]
    : [CHANGE_LIST_INDEX, "its publication is not the one of its Resource List."];
  throw place.document(document).damaged(why);
}

function previousOf(
  index: RecalledIndex,
  snapshot: Snapshot,
  publication: number,
): { readonly previous?: number | undefined } {
  if (snapshot.at === BEFORE_ALL) return {};
  if (publication > snapshot.at) return { previous: snapshot.at };
  return { previous: index.previous };
}

/** @param entries before the change */
function keepLeft(
  left: Map<string, SnapshotEntry>,
  entries: ReadonlyMap<string, SnapshotEntry>,
  { url, kind, minor }: Change,
): void {
  const entry = entries.get(urlKey(url));
  if (kind !== "deleted" || !minor) left.delete(urlKey(url));
  else if (entry !== undefined) left.set(urlKey(url), entry);
}

function enteredPages(
  newer: readonly Change[],
  entries: ReadonlyMap<string, SnapshotEntry>,
): ReadonlySet<string> {
  const created = newer.filter(({ kind }) => kind === "created").map(({ url }) => urlKey(url));
  return new Set(created.filter((key) => !entries.has(key)));
}

/** @param before the entries before the first replayed change */
function replay(
  place: CollectionStore,
  entries: Map<string, SnapshotEntry>,
  change: Change,
  before: ReadonlyMap<string, SnapshotEntry>,
): void {
  const key = urlKey(change.url);
  if (change.kind === "deleted") entries.delete(key);
  else if (hasDigest(change)) {
    const from = change.moved === undefined ? key : urlKey(change.moved);
    const kept = (entries.get(key) ?? before.get(from))?.changed;
    entries.set(key, snapshotEntry(change, change.lastmod, changedTime(change, kept)));
  } else {
    throw place
      .document(RESOURCE_LIST)
      .damaged(`its at is older than the first publication, which has an entry for ${change.url}.`);
  }
}

/** A dump is no memory: unreadable parts are skipped and stop no run. */
class PublishedChangeDump implements PublishedDump {
  readonly #place: CollectionStore;

  constructor(place: CollectionStore) {
    this.#place = place;
  }

  async packages(): Promise<readonly ChangePackage[]> {
    const document = this.#place.document(CHANGE_DUMP);
    const packages = await orNothing(async () => {
      const parsed = await document.readOurs("change-dump");
      return parsed?.entries.flatMap((entry) => this.#packageOf(document, entry) ?? []);
    });
    return packages ?? [];
  }

  #packageOf(document: StoredDocument, { loc, metadata = {} }: Entry): ChangePackage | undefined {
    const hash = sha256In(metadata.hash);
    const base = this.#place.publishedUrl;
    const name = loc.startsWith(base) ? loc.slice(base.length) : "";
    if (!isPackageName(name) || hash === undefined) return undefined;
    return {
      name,
      hash,
      length: Number(metadata.length),
      from: document.requiredTime("from", metadata.from),
      until: document.requiredTime("until", metadata.until),
    };
  }

  async has({ name, hash, length }: ChangePackage): Promise<boolean> {
    const found = await orNothing(() => this.#place.document(name).digest(hash));
    return found?.hash === hash && found.length === length;
  }
}

async function orNothing<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof EmitError) return undefined;
    throw error;
  }
}
