import { type Entry, urlKey } from "@rs-emit/documents";
import { digestBytes, sha256In } from "../model/digest.ts";
import { entryToSnapshot } from "../model/entries.ts";
import { RESOURCE_LIST } from "../model/layout.ts";
import { attributeToExcluded } from "../model/own-attributes.ts";
import { hasDigest, type SnapshotEntry } from "../model/resources.ts";
import { DamagedDocumentError, MissingDocumentError } from "./errors.ts";
import { type CollectionStore, guard, ownValue, requiredTime, streamOurs } from "./store.ts";

const KINDS = ["resource-list", "resource-list-index"] as const;

export interface Snapshot {
  readonly at: number;
  /** By `urlKey`. */
  readonly entries: Map<string, SnapshotEntry>;
  readonly excluded: ReadonlySet<string>;
  readonly parts: readonly string[];
  readonly hash: string;
}

/** @throws {DamagedDocumentError} {@link MissingDocumentError} */
export async function readSnapshot(place: CollectionStore): Promise<Snapshot | undefined> {
  const { store } = place;
  const document = place.path(RESOURCE_LIST);
  const bytes = await store.bytes(document);
  if (bytes === undefined) return undefined;
  const entries = new Map<string, SnapshotEntry>();
  const named: Entry[] = [];
  const head = await streamOurs(store, document, bytes, KINDS, (batch, { root }) => {
    if (root === "urlset") addEntries(place, document, batch, entries);
    else named.push(...batch);
  });
  const parts: string[] = [];
  for (const part of named) {
    const name = place.fileName(document, part.loc);
    await readPart(place, name, part, entries);
    parts.push(name);
  }
  return {
    at: requiredTime(store, document, "at", head.metadata.at),
    entries,
    excluded: attributeToExcluded(ownValue(head, "excluded")),
    parts,
    hash: digestBytes(bytes).hash,
  };
}

async function readPart(
  place: CollectionStore,
  name: string,
  part: Entry,
  to: Map<string, SnapshotEntry>,
): Promise<void> {
  const { store } = place;
  const document = place.path(name);
  const bytes = await store.bytes(document);
  if (bytes === undefined) {
    throw new MissingDocumentError(document, store.place, "the Resource List names it.");
  }
  if (digestBytes(bytes).hash !== sha256In(part.metadata?.hash)) {
    throw new DamagedDocumentError(document, store.place, "its hash is not the one in its index.");
  }
  await streamOurs(store, document, bytes, ["resource-list"], (batch) =>
    addEntries(place, document, batch, to),
  );
}

function addEntries(
  place: CollectionStore,
  document: string,
  from: readonly Entry[],
  to: Map<string, SnapshotEntry>,
): void {
  for (const raw of from) {
    const entry = guard(place.store, document, () => entryToSnapshot(raw));
    if (!hasDigest(entry)) {
      throw new DamagedDocumentError(
        document,
        place.store.place,
        `${raw.loc} has no hash or length.`,
      );
    }
    const url = place.rebase(document, entry.url);
    const key = urlKey(url);
    if (to.has(key)) {
      throw new DamagedDocumentError(
        document,
        place.store.place,
        `it has two entries for ${raw.loc}.`,
      );
    }
    to.set(key, { ...entry, url });
  }
}
