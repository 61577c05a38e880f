import type { Entry, ParsedDocument } from "@rs-emit/documents";
import { readDocumentSync } from "@rs-emit/documents";
import { foreignValue } from "../entries.ts";
import { ForeignFileError } from "../errors.ts";
import {
  CAPABILITY_LIST,
  CHANGE_LIST_INDEX,
  type Period,
  RESOURCE_LIST,
  SOURCE_DESCRIPTION,
} from "../layout.ts";
import type { Collection } from "../model.ts";
import { EMIT } from "../vocabulary.ts";
import { recallCollection } from "./collection.ts";
import {
  DamagedDocumentError,
  LostDescriptionError,
  MissingDocumentError,
  OtherSiteError,
} from "./errors.ts";
import { Place } from "./place.ts";
import type { CollectionPublication, Publication } from "./publication.ts";
import { guard, isWrittenByUs, requiredTime } from "./read.ts";
import type { DocumentStore } from "./store.ts";

/** What recall needs to know of the site. */
export interface RecallRequest {
  readonly site: string;
  readonly movedFrom: string | undefined;
  readonly collections: readonly Collection[];
  readonly period: Period;
  /** Take over a Source Description that someone else wrote. */
  readonly force: boolean;
  /** Without a Source Description, no document at all may stand there (the live site). */
  readonly strict: boolean;
}

/** What a store holds. */
export type Recalled =
  | { readonly kind: "published"; readonly publication: Publication }
  /** A first publication was killed: it starts over. */
  | { readonly kind: "unfinished"; readonly others: readonly Entry[] }
  | { readonly kind: "nothing"; readonly others: readonly Entry[] };

/** A collection that is configured, or that the Source Description lists as ours. */
interface Known {
  readonly url: string;
  readonly folder: string;
  /** When it was added, by the Source Description. */
  readonly since: number | undefined;
}

/**
 * Reads the last publication from a store (design: Where the memory is read from).
 *
 * @throws {DamagedDocumentError} {@link MissingDocumentError} {@link OtherSiteError} when it cannot
 *   be trusted: history is never silently restarted
 */
export async function recall(store: DocumentStore, request: RecallRequest): Promise<Recalled> {
  const description = await readDescription(store, request.force);
  const others = description?.entries.filter((entry) => sinceOf(entry) === undefined) ?? [];
  const listed = description?.entries.filter((entry) => sinceOf(entry) !== undefined) ?? [];
  if (description === undefined) await refuseOrphans(store, request);
  const base = baseOf(listed, request);
  const collections: CollectionPublication[] = [];
  const absent: Known[] = [];
  let unfinished = false;
  for (const known of knownCollections(store, listed, base, request)) {
    const place = new Place(store, known.folder, known.url, base, request.site);
    const recalled = await recallCollection(place, request.period);
    if (recalled.kind === "published") {
      const { publication } = recalled;
      collections.push({ ...publication, since: known.since ?? publication.time });
    } else if (known.since !== undefined || recalled.kind === "unfinished") {
      unfinished = true;
      absent.push(known);
    }
  }
  if (collections.length === 0) return { kind: unfinished ? "unfinished" : "nothing", others };
  refuseLost(store, absent, collections);
  return { kind: "published", publication: publicationOf(store, base, collections, others) };
}

function publicationOf(
  store: DocumentStore,
  base: string,
  collections: readonly CollectionPublication[],
  others: readonly Entry[],
): Publication {
  const { folder, hostTime } = store;
  return { folder, base, collections, others, ...(hostTime === undefined ? {} : { hostTime }) };
}

async function readDescription(
  store: DocumentStore,
  force: boolean,
): Promise<ParsedDocument | undefined> {
  const bytes = await store.bytes(SOURCE_DESCRIPTION);
  if (bytes === undefined) return undefined;
  const parsed = guard(store, SOURCE_DESCRIPTION, () => readDocumentSync(bytes));
  if (parsed.root !== "urlset" || parsed.metadata.capability !== "description") {
    const why = "a Source Description must stand there, and it is none.";
    throw new DamagedDocumentError(SOURCE_DESCRIPTION, store.place, why);
  }
  if (!isWrittenByUs(parsed) && !force)
    throw new ForeignFileError([SOURCE_DESCRIPTION], store.place);
  return parsed;
}

/** Without a Source Description there must be no other document either: hosts lose dot folders. */
async function refuseOrphans(
  store: DocumentStore,
  { collections, strict }: RecallRequest,
): Promise<void> {
  const names = strict ? [RESOURCE_LIST, CHANGE_LIST_INDEX, CAPABILITY_LIST] : [RESOURCE_LIST];
  for (const document of collections.flatMap(({ folder }) => names.map((name) => folder + name))) {
    if ((await store.bytes(document)) !== undefined) {
      throw new LostDescriptionError(document, store.place);
    }
  }
}

function sinceOf(entry: Entry): string | undefined {
  return entry.metadata && foreignValue(entry.metadata, EMIT, "since");
}

function describes(entry: Entry): string {
  return entry.links?.find(({ rel }) => rel === "describes")?.href ?? entry.loc;
}

function baseOf(listed: readonly Entry[], { site, movedFrom }: RecallRequest): string {
  const urls = listed.map(describes);
  if (urls.every((url) => url.startsWith(site))) return site;
  if (movedFrom !== undefined && urls.every((url) => url.startsWith(movedFrom))) return movedFrom;
  throw new OtherSiteError(urls.find((url) => !url.startsWith(site)) ?? "", site);
}

function knownCollections(
  store: DocumentStore,
  listed: readonly Entry[],
  base: string,
  { site, collections }: RecallRequest,
): Known[] {
  const known = new Map<string, Known>();
  for (const { url, folder } of collections) known.set(url, { url, folder, since: undefined });
  for (const entry of listed) {
    const path = describes(entry).slice(base.length);
    const since = requiredTime(store, SOURCE_DESCRIPTION, "since", sinceOf(entry));
    if (entry.loc !== `${base}${path}${CAPABILITY_LIST}` || !/^(?:[^/]+\/)*$/.test(path)) {
      const why = `its entry ${entry.loc} does not stand in the collection it describes.`;
      throw new DamagedDocumentError(SOURCE_DESCRIPTION, store.place, why);
    }
    const url = site + path;
    known.set(url, { url, folder: decodePath(path), since });
  }
  return [...known.values()];
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A collection older than the newest publication cannot have lost all its documents to a kill. */
function refuseLost(
  store: DocumentStore,
  absent: readonly Known[],
  collections: readonly CollectionPublication[],
): void {
  const newest = Math.max(...collections.map(({ time }) => time));
  for (const { folder, since } of absent) {
    if (since === undefined || since >= newest) continue;
    const document = folder + CHANGE_LIST_INDEX;
    throw new MissingDocumentError(document, store.place, "the Source Description lists it.");
  }
}
