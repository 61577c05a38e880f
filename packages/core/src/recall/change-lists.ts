import { type Entry, markedEncoding } from "@rs-emit/documents";
import { type Digest, digestBytes, sha256In } from "../model/digest.ts";
import { CHANGE_LIST_INDEX } from "../model/layout.ts";
import type { Change, ChangeListReference } from "../model/log.ts";
import { attributeToFormat, entryToChange, FORMAT } from "../model/log-attributes.ts";
import type { CollectionStore } from "./collection-store.ts";
import { ownValue, type StoredDocument } from "./document-store.ts";
import { newerFormatError } from "./errors.ts";

export interface RecalledIndex {
  readonly publication: number;
  readonly previous: number | undefined;
  readonly snapshot: string | undefined;
  readonly id: string;
  readonly lists: readonly ChangeListReference[];
  /** Another program saved it, with a byte order mark. */
  readonly isRecoded: boolean;
}

/** @throws {EmitError} `NEWER_FORMAT` `DAMAGED_DOCUMENT` */
export async function readIndex(place: CollectionStore): Promise<RecalledIndex | undefined> {
  const document = place.document(CHANGE_LIST_INDEX);
  const bytes = await document.bytes();
  if (bytes === undefined) return undefined;
  const parsed = document.parseOurs(bytes, "change-list-index");
  requireFormat(document, ownValue(parsed, "format"));
  const lists = parsed.entries.map((entry) => readReference(place, document, entry));
  const from = document.requiredTime("from", parsed.metadata.from);
  const why = whyNotWhole(lists, from);
  if (why !== undefined) throw document.damaged(why);
  return {
    publication: document.requiredTime("publication", ownValue(parsed, "publication")),
    previous: document.optionalTime("previous", ownValue(parsed, "previous")),
    snapshot: ownValue(parsed, "snapshot"),
    id: readId(place, document, ownValue(parsed, "id")),
    lists,
    isRecoded: markedEncoding(bytes) !== undefined,
  };
}

/** Checked before the rest of the index, since a later format may mean something else by the rest. */
function requireFormat(document: StoredDocument, value: string | undefined): void {
  const format = attributeToFormat(value);
  if (format === undefined) throw document.damaged(`${value} is no number of a format.`);
  if (format > FORMAT) {
    throw newerFormatError(document.path, document.store.place, format);
  }
}

/** The attribute is absent while the collection has its first URL. */
function readId(place: CollectionStore, document: StoredDocument, id = place.publishedUrl): string {
  if (/^https?:/.test(id) && id.endsWith("/") && URL.canParse(id)) return id;
  throw document.damaged(`${id} is no URL of a collection.`);
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
  document: StoredDocument,
  entry: Entry,
): ChangeListReference {
  const metadata = entry.metadata ?? {};
  const until = document.optionalTime("until", metadata.until);
  const hash = sha256In(metadata.hash);
  if (hash === undefined || metadata.length === undefined) {
    throw document.damaged(`${entry.loc} has no hash or length.`);
  }
  return {
    name: place.fileName(document, entry.loc),
    from: document.requiredTime("from", metadata.from),
    until,
    hash,
    length: Number(metadata.length),
  };
}

/** Its entries are parsed only if it differs from its index. */
export interface FoundList {
  readonly reference: ChangeListReference;
  readonly entries?: readonly Change[];
  readonly publication?: number;
  /** Whether it has URLs from before the site moved. */
  readonly hasFormerUrls?: boolean;
}

export type ParsedList = Required<FoundList>;

export async function parseList(
  place: CollectionStore,
  name: string,
  digest: Digest,
): Promise<ParsedList> {
  const document = place.document(name);
  const bytes = await document.bytes();
  if (bytes === undefined || digestBytes(bytes).hash !== digest.hash) {
    throw document.damaged("it changes while it is read.");
  }
  const parsed = document.parseOurs(bytes, "change-list");
  const from = document.requiredTime("from", parsed.metadata.from);
  const until = document.optionalTime("until", parsed.metadata.until);
  // Imported entries without a datetime are kept, and are no changes (IFCC-0001).
  const isImported = ownValue(parsed, "adopted") !== undefined;
  const telling = parsed.entries.filter(
    ({ metadata }) => !isImported || metadata?.datetime !== undefined,
  );
  const stated = telling.map((entry) => readChange(place, document, entry));
  const entries = stated.map((change) => withPresentMove(place, change));
  let last = from;
  for (const { datetime, url } of entries) {
    if (datetime < last || datetime > (until ?? Number.POSITIVE_INFINITY)) {
      throw document.damaged(`the entry ${url} is out of order.`);
    }
    last = datetime;
  }
  return {
    reference: { name, from, until, ...digest },
    entries,
    publication: document.requiredTime("publication", ownValue(parsed, "publication")),
    hasFormerUrls: entries.some(({ moved }, position) => moved !== stated[position]?.moved),
  };
}

/** The reference to a move's other entry is relative, so it is resolved at the present URL. */
function readChange(place: CollectionStore, document: StoredDocument, entry: Entry): Change {
  const loc = place.rebase(document, entry.loc);
  const change = document.guard(() => entryToChange({ ...entry, loc }));
  if (change === undefined) {
    throw document.damaged(`the entry ${entry.loc} has no change or no datetime.`);
  }
  return change;
}

/** Earlier versions wrote the page's former URL where a site had moved. */
function withPresentMove(place: CollectionStore, change: Change): Change {
  return change.moved === undefined ? change : { ...change, moved: place.present(change.moved) };
}
