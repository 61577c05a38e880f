import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  EMIT,
  type Entry as ListEntry,
  type ParsedDocument,
  parseDatetime,
  readDocumentSync,
} from "@rs-emit/documents";

const DCTERMS = "http://purl.org/dc/terms/";
const WIKI = "http://purl.org/rss/1.0/modules/wiki/";

/** An entry of a log, as a follower reads it. Times are UTC seconds. */
export interface Entry {
  readonly url: string;
  readonly kind: string;
  readonly datetime: number;
  readonly lastmod: number;
  readonly hash?: string;
  readonly length?: number;
  readonly type?: string;
  readonly title?: string;
  /** What followers call the page, where that is not its title. */
  readonly name?: string;
  readonly minor?: boolean;
  readonly message?: string;
  /** Of a page that moved: the URL of its other entry. */
  readonly moved?: string;
}

/** A Change List as its index names it, and as it stands. */
export interface List {
  readonly name: string;
  readonly from: number;
  readonly until: number | undefined;
  readonly entries: readonly Entry[];
}

/** A collection as a follower reads it: from the Capability List down. */
export interface Followed {
  /** `from` of the index. */
  readonly from: number;
  readonly lists: readonly List[];
  readonly log: readonly Entry[];
  /** The Resource List. */
  readonly resources: readonly Omit<Entry, "kind" | "datetime">[];
  readonly at: number;
  /** The collection's first publication. */
  readonly since: number;
}

/** Everything that a follower finds from the Source Description on. */
export interface Publication {
  /** By the collection's URL, in the order of the Source Description. */
  readonly collections: ReadonlyMap<string, Followed>;
  /** Every ResourceSync document, by URL. */
  readonly documents: ReadonlyMap<string, ParsedDocument>;
}

/** Reads a publication from a folder that is laid out as the site. */
export function followFolder(folder: string, site: string): Publication {
  const documents = new Map<string, ParsedDocument>();
  const open = (url: string): ParsedDocument => {
    const path = decodeURIComponent(url.slice(site.length));
    const document = readDocumentSync(readFileSync(join(folder, path)));
    documents.set(url, document);
    return document;
  };
  const collections = new Map<string, Followed>();
  for (const entry of open(`${site}.well-known/resourcesync`).entries) {
    const described = entry.links?.find(({ rel }) => rel === "describes")?.href ?? "";
    const since = seconds(foreign(entry, EMIT, "since"));
    collections.set(described, { ...follow(open(entry.loc), open), since });
  }
  return { collections, documents };
}

function follow(
  capabilities: ParsedDocument,
  open: (url: string) => ParsedDocument,
): Omit<Followed, "since"> {
  for (const { loc, metadata } of capabilities.entries) {
    if (metadata?.capability?.endsWith("dump")) open(loc);
  }
  const index = open(target(capabilities, "changelist"));
  const snapshot = open(target(capabilities, "resourcelist"));
  const lists = index.entries.map(({ loc }): List => {
    const { metadata, entries } = open(loc);
    const name = loc.slice(loc.lastIndexOf("/") + 1);
    const until = metadata.until === undefined ? undefined : seconds(metadata.until);
    return { name, from: seconds(metadata.from), until, entries: entries.map(readEntry) };
  });
  const resources =
    snapshot.root === "urlset"
      ? snapshot.entries
      : snapshot.entries.flatMap(({ loc }) => open(loc).entries);
  return {
    from: seconds(index.metadata.from),
    lists,
    log: lists.flatMap(({ entries }) => entries),
    resources: resources.map(readResource),
    at: seconds(snapshot.metadata.at),
  };
}

function target({ entries }: ParsedDocument, capability: string): string {
  return entries.find(({ metadata }) => metadata?.capability === capability)?.loc ?? "";
}

function readEntry(entry: ListEntry): Entry {
  const { change = "", datetime } = entry.metadata ?? {};
  const minor = foreign(entry, WIKI, "importance") === "minor";
  const message = foreign(entry, DCTERMS, "description");
  const moved = foreign(entry, EMIT, "moved");
  const name = foreign(entry, EMIT, "name");
  return {
    ...readResource(entry),
    kind: change,
    datetime: seconds(datetime),
    ...(minor ? { minor } : {}),
    ...(message === undefined ? {} : { message }),
    ...(name === undefined ? {} : { name }),
    ...(moved === undefined ? {} : { moved: new URL(moved, entry.loc).href }),
  };
}

function readResource(entry: ListEntry): Omit<Entry, "kind" | "datetime"> {
  const { hash, length, type } = entry.metadata ?? {};
  const title = foreign(entry, DCTERMS, "title");
  return {
    url: entry.loc,
    lastmod: seconds(entry.lastmod),
    ...(hash === undefined ? {} : { hash: hash.replace("sha-256:", "") }),
    ...(length === undefined ? {} : { length: Number(length) }),
    ...(type === undefined ? {} : { type }),
    ...(title === undefined ? {} : { title }),
  };
}

function foreign({ metadata }: ListEntry, namespace: string, name: string): string | undefined {
  return metadata?.foreign?.find((one) => one.namespace === namespace && one.name === name)?.value;
}

function seconds(datetime: string | undefined): number {
  return datetime === undefined ? Number.NaN : parseDatetime(datetime).seconds;
}
