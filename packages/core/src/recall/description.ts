import {
  DocumentError,
  EMIT,
  type Entry,
  foreignValue,
  type ParsedDocument,
  readDocumentSync,
} from "@rs-emit/documents";
import type { Collection } from "../model/collections.ts";
import { foreignFileError } from "../model/errors.ts";
import {
  beginsAsOurs,
  CAPABILITY_LIST,
  isNoLogMarker,
  RESOURCE_LIST,
  SOURCE_DESCRIPTION,
} from "../model/layout.ts";
import { decodePath } from "../model/url.ts";
import { type DocumentStore, StoredDocument } from "./document-store.ts";
import { otherSiteError } from "./errors.ts";

export interface RecalledDescription {
  /** The published base URL: the site's present or former one. */
  readonly base: string;
  readonly listed: readonly ListedFolder[];
  readonly others: readonly Entry[];
  /** The file was missing: it is rebuilt from the Capability Lists of these collections. */
  readonly rebuiltFrom?: ReadonlySet<string>;
}

export interface ListedFolder {
  readonly url: string;
  readonly folder: string;
  readonly since: number;
}

export interface RecallDescriptionRequest {
  readonly site: string;
  readonly movedFrom: string | undefined;
  readonly collections: readonly Collection[];
  readonly force: boolean;
}

/** @throws {EmitError} `DAMAGED_DOCUMENT` `FOREIGN_FILE` `OTHER_SITE` */
export async function readDescription(
  store: DocumentStore,
  request: RecallDescriptionRequest,
): Promise<RecalledDescription | undefined> {
  const parsed = await parse(store, request);
  if (parsed === undefined) return undefined;
  const others = parsed.entries.filter(isOthers);
  const ours = parsed.entries.filter((entry) => sinceOf(entry) !== undefined);
  const base = baseOf(ours, request);
  const listed = ours.map((entry) => listedFolder(store, entry, base, request.site));
  return { base, listed, others };
}

/** Entries that rs-emit did not write; empty where that is unclear. */
export async function othersIn(store: DocumentStore): Promise<readonly Entry[]> {
  const bytes = await store.bytes(SOURCE_DESCRIPTION);
  const description = bytes && parsedDescription(bytes);
  return description?.entries.filter(isOthers) ?? [];
}

function parsedDescription(bytes: Uint8Array): ParsedDocument | undefined {
  try {
    const parsed = readDocumentSync(bytes);
    return parsed.metadata.capability === "description" ? parsed : undefined;
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

async function parse(
  store: DocumentStore,
  { force, collections }: RecallDescriptionRequest,
): Promise<ParsedDocument | undefined> {
  const bytes = await store.bytes(SOURCE_DESCRIPTION);
  if (bytes === undefined || isNoLogMarker(bytes)) return undefined;
  if (!beginsAsOurs(bytes)) {
    const foreign = parsedDescription(bytes);
    // Where documents of rs-emit exist, a file that is no Source Description is a damaged one.
    const isForeign = foreign !== undefined || !(await hasSnapshot(store, collections));
    if (isForeign && !force) throw foreignFileError([SOURCE_DESCRIPTION], store.place);
    if (isForeign && foreign === undefined) return undefined;
  }
  const document = new StoredDocument(store, SOURCE_DESCRIPTION);
  const parsed = document.guard(() => readDocumentSync(bytes));
  if (parsed.root !== "urlset" || parsed.metadata.capability !== "description") {
    throw document.damaged("it must be a Source Description, and it is not.");
  }
  return parsed;
}

async function hasSnapshot(
  store: DocumentStore,
  collections: readonly Collection[],
): Promise<boolean> {
  for (const { folder } of collections) {
    if ((await store.bytes(folder + RESOURCE_LIST)) !== undefined) return true;
  }
  return false;
}

function sinceOf(entry: Entry): string | undefined {
  return entry.metadata && foreignValue(entry.metadata, EMIT, "since");
}

/** Neither a collection's entry nor an entry from an option. */
function isOthers(entry: Entry): boolean {
  const { metadata } = entry;
  const isOption = metadata !== undefined && foreignValue(metadata, EMIT, "option") !== undefined;
  return sinceOf(entry) === undefined && !isOption;
}

function describes(entry: Entry): string {
  return entry.links?.find(({ rel }) => rel === "describes")?.href ?? entry.loc;
}

function baseOf(
  ours: readonly Entry[],
  { site, movedFrom, collections }: RecallDescriptionRequest,
): string {
  const urls = ours.map(describes);
  const bases = movedFrom === undefined ? [site] : [site, movedFrom];
  // When a site moved to a parent folder, its former base is below the new one.
  bases.sort((one, other) => other.length - one.length);
  const base = bases.find((candidate) => urls.every((url) => url.startsWith(candidate)));
  if (base !== undefined) return urls.length === 0 ? site : base;
  const [foreign = ""] = urls.filter((url) => !url.startsWith(site));
  const paths = collections.map(({ url }) => url.slice(site.length)).filter((path) => path !== "");
  const path = paths.find((one) => foreign.endsWith(`/${one}`)) ?? "";
  throw otherSiteError(foreign.slice(0, foreign.length - path.length), site);
}

function listedFolder(
  store: DocumentStore,
  entry: Entry,
  base: string,
  site: string,
): ListedFolder {
  const path = describes(entry).slice(base.length);
  const document = new StoredDocument(store, SOURCE_DESCRIPTION);
  const since = document.requiredTime("since", sinceOf(entry));
  const folder = folderOf(path);
  if (folder === undefined || entry.loc !== base + path + CAPABILITY_LIST) {
    throw document.damaged(
      `its entry ${entry.loc} is not in the folder of the collection that it describes.`,
    );
  }
  return { url: site + path, folder, since };
}

/** @returns `undefined` for a path that could leave the site */
export function folderOf(path: string): string | undefined {
  const segments = path.split("/").map(decodePath);
  const isFolder = segments.pop() === "";
  return isFolder && segments.every(isName) ? path && `${segments.join("/")}/` : undefined;
}

function isName(segment: string): boolean {
  return !/^\.{0,2}$|[/\\\0]/.test(segment);
}
