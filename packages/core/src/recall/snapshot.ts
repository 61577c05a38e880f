import { type Entry, urlKey } from "@rs-emit/documents";
import { type Digest, RunningDigest, sha256In } from "../model/digest.ts";
import { attributeToExcluded, ExcludedPages } from "../model/excluded-pages.ts";
import { RESOURCE_LIST } from "../model/layout.ts";
import { entryToSnapshot } from "../model/log-attributes.ts";
import { hasDigest, type SnapshotEntry } from "../model/resources.ts";
import type { CollectionStore } from "./collection-store.ts";
import { ownValue, type StoredDocument } from "./document-store.ts";

const KINDS = ["resource-list", "resource-list-index"] as const;

export interface Snapshot {
  readonly at: number;
  /** By `urlKey`. */
  readonly entries: Map<string, SnapshotEntry>;
  readonly excluded: ExcludedPages;
  readonly parts: readonly string[];
  readonly hash: string;
}

/** @throws {EmitError} `DAMAGED_DOCUMENT` `MISSING_DOCUMENT` */
export async function readSnapshot(place: CollectionStore): Promise<Snapshot | undefined> {
  const document = place.document(RESOURCE_LIST);
  const chunks = await document.chunks();
  if (chunks === undefined) return undefined;
  const digest = new RunningDigest();
  const entries = new Map<string, SnapshotEntry>();
  const named: Entry[] = [];
  const head = await document.streamOurs(digest.of(chunks), KINDS, (batch, { root }) => {
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
    excluded: new ExcludedPages(attributeToExcluded(ownValue(head, "excluded")), (url) =>
      place.publishedKey(url),
    ),
    parts,
    hash: digest.finish().hash,
  };
}

async function readPart(
  place: CollectionStore,
  name: string,
  part: Entry,
  to: Map<string, SnapshotEntry>,
): Promise<void> {
  const document = place.document(name);
  const chunks = await document.chunks();
  if (chunks === undefined) {
    throw document.missing("the Resource List names it.");
  }
  const hash = sha256In(part.metadata?.hash);
  const digest = new RunningDigest();
  try {
    await document.streamOurs(digest.of(chunks), ["resource-list"], (batch) =>
      addEntries(place, document, batch, to),
    );
  } catch (error) {
    // Checked first: a wrong hash explains the problem better than the parser's error.
    requireHash(document, await document.digest(), hash);
    throw error;
  }
  requireHash(document, digest.finish(), hash);
}

function requireHash(
  document: StoredDocument,
  digest: Digest | undefined,
  hash: string | undefined,
): void {
  if (digest?.hash !== hash) throw document.damaged("its hash is not the one in its index.");
}

function addEntries(
  place: CollectionStore,
  document: StoredDocument,
  from: readonly Entry[],
  to: Map<string, SnapshotEntry>,
): void {
  for (const raw of from) {
    // A part of a text keeps the whole text in memory, and a copy does not.
    const entry = document.guard(() => entryToSnapshot(structuredClone(raw)));
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
