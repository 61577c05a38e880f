import type { Entry } from "@rs-emit/documents";
import { sha256In } from "../model/digest.ts";
import { CHANGE_LIST_INDEX } from "../model/layout.ts";
import type { ChangeListReference } from "../model/types.ts";
import { DamagedDocumentError } from "./errors.ts";
import type { Place } from "./place.ts";
import { optionalTime, ownValue, readOurs, requiredTime } from "./read.ts";

/** A Change List Index, as it stands. */
export interface ChangeListIndex {
  /** The publication that wrote it. */
  readonly publication: number;
  /** The publication before; absent in a first one. */
  readonly previous: number | undefined;
  /** SHA-256 of the Resource List that belongs to it, in hex. */
  readonly snapshot: string | undefined;
  /** The URL that ids in the collection's feed are made from. */
  readonly id: string;
  readonly lists: readonly ChangeListReference[];
}

/** Reads a collection's Change List Index; `undefined` when there is none. */
export async function readIndex(place: Place): Promise<ChangeListIndex | undefined> {
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

/** Without one, the collection never had another URL. */
function readId(place: Place, document: string, id = place.publishedUrl): string {
  if (/^https?:/.test(id) && id.endsWith("/") && URL.canParse(id)) return id;
  throw new DamagedDocumentError(document, place.store.place, `${id} is no URL of a collection.`);
}

/** Lists follow each other without a gap, and only the last is open: an entry that is lost shows. */
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

function readReference(place: Place, document: string, entry: Entry): ChangeListReference {
  const { store } = place;
  const metadata = entry.metadata ?? {};
  const until = optionalTime(store, document, "until", metadata.until);
  const hash = sha256In(metadata.hash);
  if (hash === undefined || metadata.length === undefined) {
    throw new DamagedDocumentError(document, store.place, `${entry.loc} has no hash or length.`);
  }
  return {
    name: place.nameOf(document, entry.loc),
    from: requiredTime(store, document, "from", metadata.from),
    ...(until === undefined ? {} : { until }),
    hash,
    length: Number(metadata.length),
  };
}
