import { type Entry, urlKey } from "@rs-emit/documents";
import { digestBytes, sha256In } from "../model/digest.ts";
import { entryToSnapshot } from "../model/entry-attributes.ts";
import { RESOURCE_LIST } from "../model/layout.ts";
import { attributeToExcluded } from "../model/own-attributes.ts";
import { hasDigest, type SnapshotEntry } from "../model/resources.ts";
import type { CollectionStore } from "./collection-store.ts";
import { ownValue, type StoredDocument } from "./stored-document.ts";

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
  const document = place.document(RESOURCE_LIST);
  const bytes = await document.bytes();
  if (bytes === undefined) return undefined;
  const entries = new Map<string, SnapshotEntry>();
  const named: Entry[] = [];
  const head = await document.streamOurs(bytes, KINDS, (batch, { root }) => {
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
    at: document.requiredTime("at", head.metadata.at),
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
  const document = place.document(name);
  const bytes = await document.bytes();
  if (bytes === undefined) {
    throw document.missing("the Resource List names it.");
  }
  if (digestBytes(bytes).hash !== sha256In(part.metadata?.hash)) {
    throw document.damaged("its hash is not the one in its index.");
  }
  await document.streamOurs(bytes, ["resource-list"], (batch) =>
    addEntries(place, document, batch, to),
  );
}

function addEntries(
  place: CollectionStore,
  document: StoredDocument,
  from: readonly Entry[],
  to: Map<string, SnapshotEntry>,
): void {
  for (const raw of from) {
    const entry = document.guard(() => entryToSnapshot(raw));
    if (!hasDigest(entry)) {
      throw document.damaged(`${raw.loc} has no hash or length.`);
    }
    const url = place.rebase(document, entry.url);
    const key = urlKey(url);
    if (to.has(key)) {
      throw document.damaged(`it has two entries for ${raw.loc}.`);
    }
    to.set(key, { ...entry, url });
  }
}
