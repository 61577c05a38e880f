import {
  DocumentError,
  type Entry,
  formatDatetime,
  isChangeKind,
  kindOf,
  type Link,
  ListWriter,
  type ParsedDocument,
  parseDatetime,
  readDocumentSync,
  urlKey,
} from "@rs-emit/documents";
import {
  beginsAsOurs,
  CAPABILITY_LIST,
  CHANGE_LIST_INDEX,
  SOURCE_DESCRIPTION,
} from "../model/layout.ts";
import { type Change, inLogOrder } from "../model/log.ts";
import { entryToChange } from "../model/log-attributes.ts";
import type { ImportedLog } from "../model/publication.ts";
import { decodePath } from "../model/url.ts";
import { folderOf, type RecallDescriptionRequest } from "./description.ts";
import { type DocumentStore, ownValue, StoredDocument } from "./document-store.ts";
import { damagedDocumentError, missingDocumentError } from "./errors.ts";
import { readCapabilities } from "./rebuild-description.ts";

/**
 * Also finds logs that a killed run had imported.
 * @throws {EmitError} `MISSING_DOCUMENT` `DAMAGED_DOCUMENT`
 */
export async function findLogs(
  store: DocumentStore,
  request: RecallDescriptionRequest,
): Promise<readonly ImportedLog[]> {
  const found: ImportedLog[] = [];
  const top = await readForeign(store, SOURCE_DESCRIPTION);
  for (const { url, folder } of request.collections) {
    const log = new FoundLog(store, request.site);
    const named = entriesFor(top, { url, folder }, request);
    const lists = new Set([url + CAPABILITY_LIST, ...named.map(({ loc }) => loc)]);
    const capabilityLists: string[] = [];
    for (const list of lists) if (await log.readNamed(list)) capabilityLists.push(list);
    if (log.documents.length === 0) await log.readList(folder + CHANGE_LIST_INDEX);
    const { entries, changes, left, documents } = log;
    if (entries.length === 0 && left === 0) continue;
    const { capabilities } = await readCapabilities(store, folder);
    const own = await readForeign(store, folder + CAPABILITY_LIST);
    found.push({
      collection: url,
      entries: sorted(entries),
      changes: changes.sort(inLogOrder),
      left,
      documents,
      capabilityLists,
      capabilities,
      descriptions: {
        site: linkIn(top?.links, "describedby"),
        collection: linkIn(named[0]?.links, "describedby") ?? linkIn(own?.links, "describedby"),
      },
    });
  }
  return found;
}

function entriesFor(
  description: ParsedDocument | undefined,
  { url, folder }: { readonly url: string; readonly folder: string },
  { site, collections }: RecallDescriptionRequest,
): readonly Entry[] {
  return (description?.entries ?? []).filter(({ loc, links }) => {
    const described = linkIn(links, "describes");
    if (described !== undefined) return urlKey(atSite(site, described)) === urlKey(url);
    return collections.length === 1 && folder === "" && atSite(site, loc).startsWith(site);
  });
}

function linkIn(links: readonly Link[] | undefined, relation: string): string | undefined {
  return links?.find(({ rel }) => rel === relation)?.href;
}

/** Authors write `http` for a site that is served by `https`: both are the site. */
function atSite(site: string, address: string): string {
  const [own, other] = [site, address].map((one) => one.replace(/^https?:/i, ""));
  if (own === undefined || other === undefined || other === address) return address;
  return other.startsWith(own) ? site + other.slice(own.length) : address;
}

const ANY_CHANGE_LIST = {
  root: "urlset",
  comments: [],
  metadata: { capability: "changelist", from: "1970-01-01T00:00:00Z" },
  links: [{ rel: "up", href: "https://example.org/capabilitylist.xml" }],
} as const;

class FoundLog {
  readonly entries: Entry[] = [];
  readonly changes: Change[] = [];
  readonly documents: string[] = [];
  left = 0;
  readonly #store: DocumentStore;
  readonly #site: string;
  readonly #seen = new Set<string>();

  constructor(store: DocumentStore, site: string) {
    this.#store = store;
    this.#site = site;
  }

  async readNamed(capabilityList: string): Promise<boolean> {
    const path = pathInFolder(this.#site, capabilityList);
    const list = path === undefined ? undefined : await readForeign(this.#store, path);
    const lists = (list?.entries ?? []).filter(
      ({ metadata }) => metadata?.capability === "changelist",
    );
    for (const { loc } of lists) await this.#readMember(loc, capabilityList);
    return lists.length > 0;
  }

  /** Reads a Change List, or all lists of an index; skips other documents. */
  async readList(path: string): Promise<void> {
    if (this.#seen.has(path)) return;
    this.#seen.add(path);
    const bytes = await this.#store.bytes(path);
    const document = bytes && parsed(bytes);
    const kind = document && kindOf(document.root, document.metadata.capability);
    if (bytes === undefined || document === undefined) return;
    if (kind === "change-list-index") {
      for (const { loc } of document.entries) await this.#readMember(loc, path);
    }
    const isOurs = beginsAsOurs(bytes) && ownValue(document, "adopted") === undefined;
    if (kind !== "change-list" || isOurs) return;
    this.documents.push(path);
    for (const entry of document.entries) this.#take(entry, path);
  }

  async #readMember(loc: string, namedBy: string): Promise<void> {
    const path = pathInFolder(this.#site, loc);
    const { place } = this.#store;
    if (path === undefined) {
      throw damagedDocumentError(namedBy, place, `it names ${loc}, which is of another site.`);
    }
    if ((await this.#store.bytes(path)) === undefined) {
      throw missingDocumentError(path, place, `${namedBy} names it.`);
    }
    await this.readList(path);
  }

  #take(found: Entry, path: string): void {
    const loc = atSite(this.#site, found.loc);
    if (!isChangeKind(found.metadata?.change) || !loc.startsWith(this.#site)) {
      this.left += 1;
      return;
    }
    const document = new StoredDocument(this.#store, path);
    const entry = document.guard(() => withFullTimes({ ...found, loc }));
    document.guard(() => new ListWriter(ANY_CHANGE_LIST).add(entry));
    const change = document.guard(() => entryToChange(entry));
    this.entries.push(entry);
    if (change !== undefined) this.changes.push(change);
  }
}

/** A hand-written time may be only a day, or in another zone; rs-emit's documents have full times. */
function withFullTimes(entry: Entry): Entry {
  const full = (text: string | undefined) =>
    text === undefined || FULL.test(text) ? text : formatDatetime(parseDatetime(text).seconds);
  const { metadata = {} } = entry;
  return {
    ...entry,
    lastmod: full(entry.lastmod),
    metadata: { ...metadata, datetime: full(metadata.datetime) },
  };
}

const FULL = /T\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Datetimes in different forms do not sort as text, so they are parsed. */
function sorted(entries: readonly Entry[]): readonly Entry[] {
  const dated = entries.flatMap((entry) => {
    const change = entryToChange(entry);
    return change === undefined ? [] : [{ entry, change }];
  });
  const undated = entries.filter(({ metadata }) => metadata?.datetime === undefined);
  dated.sort((one, other) => inLogOrder(one.change, other.change));
  return [...undated, ...dated.map(({ entry }) => entry)];
}

async function readForeign(
  store: DocumentStore,
  path: string,
): Promise<ParsedDocument | undefined> {
  const bytes = await store.bytes(path);
  return bytes === undefined || beginsAsOurs(bytes) ? undefined : parsed(bytes);
}

function parsed(bytes: Uint8Array): ParsedDocument | undefined {
  try {
    return readDocumentSync(bytes);
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

/** @returns `undefined` for a path that could leave the site */
function pathInFolder(site: string, address: string): string | undefined {
  const loc = atSite(site, address);
  if (!loc.startsWith(site)) return undefined;
  const path = loc.slice(site.length);
  const cut = path.lastIndexOf("/") + 1;
  const folder = folderOf(path.slice(0, cut));
  const name = decodePath(path.slice(cut));
  return folder === undefined || /^\.{0,2}$|[/\\\0]/.test(name) ? undefined : folder + name;
}
