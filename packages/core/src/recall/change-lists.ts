import type { Entry } from "@rs-emit/documents";
import { type Digest, digestBytes, sha256In } from "../model/digest.ts";
import { entryToChange } from "../model/entries.ts";
import { CHANGE_LIST_INDEX } from "../model/layout.ts";
import type { Change, ChangeListReference } from "../model/log.ts";
import { DamagedDocumentError } from "./errors.ts";
import {
  type CollectionStore,
  guard,
  optionalTime,
  ownValue,
  parseOurs,
  readOurs,
  requiredTime,
} from "./store.ts";

export interface ChangeListIndex {
  readonly publication: number;
  readonly previous: number | undefined;
  readonly snapshot: string | undefined;
  readonly id: string;
  readonly lists: readonly ChangeListReference[];
}

export async function readIndex(place: CollectionStore): Promise<ChangeListIndex | undefined> {
  const { store } = place;
  const document = place.path(CHANGE_LIST_INDEX);
  const parsed = await readOurs(store, document, "change-list-index");
  if (parsed === undefined) return undefined;
  const lists = parsed.entries.map((entry) => readReference(place, document, entry));
  const from = requiredTime(store, document, "from", parsed.metadata.from);
  const why = whyNotWhole(lists, from);
  if (why !== undefined) throw new DamagedDocumentError(document, store.place, why);
  return {
    publication: requiredTime(store, document, "publication", ownValue(parsed, "publication")),
    previous: optionalTime(store, document, "previous", ownValue(parsed, "previous")),
    snapshot: ownValue(parsed, "snapshot"),
    id: readId(place, document, ownValue(parsed, "id")),
    lists,
  };
}

/** The attribute is absent while the collection has its first URL. */
function readId(place: CollectionStore, document: string, id = place.publishedUrl): string {
  if (/^https?:/.test(id) && id.endsWith("/") && URL.canParse(id)) return id;
  throw new DamagedDocumentError(document, place.store.place, `${id} is no URL of a collection.`);
}

/** A gap between lists, or an open list before the last, shows that an entry is lost. */
function whyNotWhole(lists: readonly ChangeListReference[], from: number): string | undefined {
  const names = new Set<string>();
  let next: number | undefined = from;
  for (const list of lists) {
    if (list.from !== next) return `${list.name} does not begin where the list before it ends.`;
    if (names.has(list.name)) return `it names ${list.name} twice.`;
    names.add(list.name);
    next = list.until;
  }
  return next === undefined ? undefined : "it names no open list.";
}

function readReference(
  place: CollectionStore,
  document: string,
  entry: Entry,
): ChangeListReference {
  const { store } = place;
  const metadata = entry.metadata ?? {};
  const until = optionalTime(store, document, "until", metadata.until);
  const hash = sha256In(metadata.hash);
  if (hash === undefined || metadata.length === undefined) {
    throw new DamagedDocumentError(document, store.place, `${entry.loc} has no hash or length.`);
  }
  return {
    name: place.fileName(document, entry.loc),
    from: requiredTime(store, document, "from", metadata.from),
    until,
    hash,
    length: Number(metadata.length),
  };
}

/** Parsed only where it differs from its index. */
export interface FoundList {
  readonly reference: ChangeListReference;
  readonly entries?: readonly Change[];
  readonly publication?: number;
  /** Only a run that continues an open list needs its entries. */
  readonly parse?: () => Promise<ParsedList>;
}

export type ParsedList = Required<Omit<FoundList, "parse">>;

/** @throws {DamagedDocumentError} */
export async function parseList(
  place: CollectionStore,
  name: string,
  digest: Digest,
): Promise<ParsedList> {
  const { store } = place;
  const document = place.path(name);
  const bytes = await store.bytes(document);
  if (bytes === undefined || digestBytes(bytes).hash !== digest.hash) {
    throw new DamagedDocumentError(document, store.place, "it changes while it is read.");
  }
  const parsed = parseOurs(store, document, bytes, ["change-list"]);
  const from = requiredTime(store, document, "from", parsed.metadata.from);
  const until = optionalTime(store, document, "until", parsed.metadata.until);
  // What others wrote without a datetime is kept, and tells nothing (IFCC-0001).
  const isAdopted = ownValue(parsed, "adopted") !== undefined;
  const telling = parsed.entries.filter(
    ({ metadata }) => !isAdopted || metadata?.datetime !== undefined,
  );
  const entries = telling.map((entry) => readChange(place, document, entry));
  let last = from;
  for (const { datetime, url } of entries) {
    if (datetime < last || datetime > (until ?? Number.POSITIVE_INFINITY)) {
      throw new DamagedDocumentError(document, store.place, `the entry ${url} is out of order.`);
    }
    last = datetime;
  }
  return {
    reference: { name, from, until, ...digest },
    entries,
    publication: requiredTime(store, document, "publication", ownValue(parsed, "publication")),
  };
}

function readChange(place: CollectionStore, document: string, entry: Entry): Change {
  const change = guard(place.store, document, () => entryToChange(entry));
  if (change === undefined) {
    const why = `the entry ${entry.loc} has no change or no datetime.`;
    throw new DamagedDocumentError(document, place.store.place, why);
  }
  return { ...change, url: place.rebase(document, change.url) };
}
