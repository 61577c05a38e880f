import type { Entry } from "@rs-emit/documents";
import { foreignFileError } from "../model/errors.ts";
import {
  ABOUT,
  beginsAsOurs,
  CAPABILITY_LIST,
  CHANGE_LIST_INDEX,
  type Period,
  RESOURCE_LIST,
} from "../model/layout.ts";
import type { CollectionPublication, ImportedLog, Recalled } from "../model/publication.ts";
import { recallCollection } from "./collection.ts";
import { CollectionStore } from "./collection-store.ts";
import {
  type ListedFolder,
  type RecallDescriptionRequest,
  type RecalledDescription,
  readDescription,
} from "./description.ts";
import type { DocumentStore } from "./document-store.ts";
import { lostDescriptionError, lostLogError, missingDocumentError } from "./errors.ts";
import { findLogs } from "./imported-log.ts";
import { refuseNoLogFile } from "./nothing-published.ts";
import { readCapabilities, readMembership, rebuildDescription } from "./rebuild-description.ts";

export interface RecallRequest extends RecallDescriptionRequest {
  readonly period: Period;
  /** On the live site, documents without a Source Description are an error. */
  readonly strict: boolean;
  /** Whether the author says that nothing was published. */
  readonly first: boolean;
}

type KnownLogs = Omit<ListedFolder, "since"> & Partial<ListedFolder>;

type Unfinished = KnownLogs & { readonly time: number };

/**
 * Design: Where the memory is read from.
 * @throws {EmitError} `DAMAGED_DOCUMENT` `MISSING_DOCUMENT` `OTHER_SITE`
 */
export async function recall(store: DocumentStore, request: RecallRequest): Promise<Recalled> {
  const description =
    (await readDescription(store, request)) ?? (await rebuildDescription(store, request));
  const { base = request.site, listed = [], others = [] } = description ?? {};
  const published: CollectionPublication[] = [];
  const absent: ListedFolder[] = [];
  const unfinished: Unfinished[] = [];
  for (const { since, ...known } of knownLogs(listed, request)) {
    if (since === undefined && !(await isOurPlace(store, known, description, request))) continue;
    const { site, movedFrom } = request;
    const addresses = { base, site, movedFrom };
    const place = new CollectionStore(store, known.folder, known.url, addresses);
    const recalled = await recallCollection(place, request.period);
    if (recalled.kind === "published") {
      const { publication } = recalled;
      requireCapabilityList(store, publication, description);
      const about = await aboutOf(store, known);
      const own = since ?? (await readMembership(store, known, request))?.since;
      const listed = await readCapabilities(store, known.folder);
      published.push({ ...publication, ...about, ...listed, since: own ?? publication.time });
      continue;
    }
    if (recalled.kind === "unfinished") unfinished.push({ ...known, time: recalled.publication });
    else if (since !== undefined) absent.push({ ...known, since });
  }
  const { folder, hostTime } = store;
  const isUnfinished = startsOver(published, unfinished, request);
  if (!isUnfinished) refuseLost(store, unfinished, "its Change List Index is there.");
  if (isUnfinished || (published.length === 0 && absent.length === 0)) {
    // The author may declare a folder's no-log file outdated. The live site's is always respected.
    if (!isUnfinished && (!request.first || request.strict)) await refuseNoLogFile(store);
    const kind = isUnfinished ? "unfinished" : "nothing";
    return { kind, hostTime, ...(await adoptLogs(store, request, others, isUnfinished)) };
  }
  if (published.length === 0) throw lostLogError(store.place);
  refuseLost(store, lostOf(absent, published, request), namedBy(description));
  const rebuilt = description?.rebuiltFrom !== undefined;
  const publication = { folder, base, rebuilt, collections: published };
  return { kind: "published", publication, others, hostTime };
}

/** Imports logs of other software, with the option `force` or after a killed run with it. */
async function adoptLogs(
  store: DocumentStore,
  request: RecallRequest,
  others: readonly Entry[],
  isUnfinished: boolean,
): Promise<{ readonly others: readonly Entry[]; readonly imported?: readonly ImportedLog[] }> {
  const imported = request.force || isUnfinished ? await findLogs(store, request) : [];
  if (imported.length === 0) return { others };
  // Two Capability Lists for one log would publish its changes twice.
  const replaced = new Set(imported.flatMap(({ capabilityLists }) => capabilityLists));
  return { others: others.filter(({ loc }) => !replaced.has(loc)), imported };
}

function knownLogs(
  listed: readonly ListedFolder[],
  { collections }: RecallRequest,
): readonly KnownLogs[] {
  const known = new Map<string, KnownLogs>();
  for (const { url, folder } of collections) known.set(url, { url, folder });
  // A configured folder has its spelling on the disk, which a URL does not show.
  for (const one of listed) known.set(one.url, { ...one, ...known.get(one.url) });
  return [...known.values()];
}

/** @throws {EmitError} `LOST_DESCRIPTION` when there must have been a Source Description */
async function isOurPlace(
  store: DocumentStore,
  { folder }: KnownLogs,
  description: RecalledDescription | undefined,
  { strict, force }: RecallRequest,
): Promise<boolean> {
  const ours: string[] = [];
  const foreign: string[] = [];
  for (const name of [RESOURCE_LIST, CHANGE_LIST_INDEX, CAPABILITY_LIST]) {
    const bytes = await store.bytes(folder + name);
    if (bytes !== undefined) (beginsAsOurs(bytes) ? ours : foreign).push(folder + name);
  }
  if (strict && !force && foreign.length > 0) throw foreignFileError(foreign, store.place);
  const [document] = ours;
  if (document === undefined) return false;
  // A first publication that was killed early leaves no Source Description and no Resource List.
  const isLost = strict || document === folder + RESOURCE_LIST;
  if (description === undefined && isLost) throw lostDescriptionError(document, store.place);
  return true;
}

/** Only an interrupted first publication has no Capability List; it is not rebuilt. */
function requireCapabilityList(
  store: DocumentStore,
  { url, folder, previous }: Omit<CollectionPublication, "since" | "capabilities">,
  description: RecalledDescription | undefined,
): void {
  const { rebuiltFrom } = description ?? {};
  if (rebuiltFrom === undefined || rebuiltFrom.has(url) || previous === undefined) return;
  throw lostDescriptionError(folder + RESOURCE_LIST, store.place);
}

function namedBy(description: RecalledDescription | undefined): string {
  return description?.rebuiltFrom === undefined
    ? "the Source Description lists it."
    : "the Capability List of another collection names its collection.";
}

async function aboutOf(
  store: DocumentStore,
  { folder }: KnownLogs,
): Promise<{ readonly about?: string }> {
  const bytes = await store.bytes(folder + ABOUT);
  return bytes !== undefined && beginsAsOurs(bytes) ? { about: Buffer.from(bytes).toString() } : {};
}

/**
 * The first publication was killed before or between its collections' Resource Lists. What is live, followers may
 * have read.
 */
function startsOver(
  published: readonly CollectionPublication[],
  unfinished: readonly Unfinished[],
  { strict }: RecallRequest,
): boolean {
  if (unfinished.length === 0 || strict) return false;
  const times = unfinished.map(({ time }) => time);
  return published.every(({ previous, time }) => previous === undefined && times.includes(time));
}

/** An interrupted deploy can only miss collections newer than everything that arrived. */
function lostOf(
  absent: readonly ListedFolder[],
  published: readonly CollectionPublication[],
  { strict }: RecallRequest,
): readonly ListedFolder[] {
  const newest = Math.max(...published.map(({ time }) => time));
  return absent.filter(({ since }) => !strict || since <= newest);
}

function refuseLost(store: DocumentStore, lost: readonly KnownLogs[], why: string): void {
  const [first] = lost;
  if (first === undefined) return;
  throw missingDocumentError(first.folder + RESOURCE_LIST, store.place, why);
}
