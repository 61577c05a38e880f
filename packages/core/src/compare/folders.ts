import { hash } from "node:crypto";
import { urlKey } from "@rs-emit/documents";
import { LONGEST_READ } from "../inventory/file-digest.ts";
import { isPage } from "../inventory/file-rules.ts";
import { haveCleanUrls } from "../model/clean-urls.ts";
import { EmitError, isEmitError } from "../model/errors.ts";
import { type CollectionPublication, newestChanges, newestFirst } from "../model/publication.ts";
import { compareVersions, type Version } from "../model/resources.ts";
import { decodePath, urlOf } from "../model/url.ts";
import { isXhtml } from "../page/placeholders/find-placeholders.ts";
import { FolderStore } from "../recall/document-store.ts";
import {
  entryOf,
  LogComparison,
  type MergeState,
  type Relation,
} from "../recall/log-comparison.ts";
import { openPublished } from "../recall/published-changes.ts";
import { recall } from "../recall/recall.ts";

/** The files of a folder, compared with a copy of its site. */
export interface ComparedFiles {
  readonly relation: Relation;
  /** @param path in both folders; bytes are absent where there is no such file */
  compare(
    path: string,
    here: Uint8Array | undefined,
    there: Uint8Array | undefined,
  ): Promise<ComparedFile>;
  known(path: string, there: Uint8Array): Promise<KnownFile>;
}

interface KnownFile {
  /** Whether the site's list has its page. */
  readonly isListed: boolean;
  readonly isLogged: boolean;
  /** Whether it would be in the log if it had been published: it is in a collection, and not excluded. */
  readonly isLoggable: boolean;
  /** Whether one of the logs describes these bytes; otherwise they were edited since. */
  readonly isDescribed: boolean;
}

export interface ComparedFile {
  /** A file that is left over is treated as absent from the site. */
  readonly verdict: MergeState;
  /** The deletion of its page was published, and the site still has the file. */
  readonly isLeftOver: boolean;
  readonly isLogged: boolean;
}

/**
 * Compares by the documents in both folders. Unreadable documents of `here` are ignored.
 * @param there holds the site's documents
 * @throws {EmitError} where the site's documents cannot be read, and this folder's can; `NEWER_FORMAT` for
 * either
 */
export async function compareFolders(here: string, there: string): Promise<ComparedFiles> {
  const known = await publishedIn(here).catch(noneIfUnreadable);
  const theirs = await publishedIn(there).catch((error: unknown) => {
    if (known !== undefined) throw error;
    return noneIfUnreadable(error);
  });
  const isMoved = known !== undefined && theirs !== undefined && known.site !== theirs.site;
  const mine = isMoved ? await publishedIn(here, theirs.site).catch(noneIfUnreadable) : known;
  const live = theirs?.collections ?? [];
  const own = mine?.collections ?? [];
  const comparison = await LogComparison.of(own, live);
  const leftOvers = new LeftOvers(live);
  const isLogged = async (key: string) =>
    entryOf([...own, ...live], key) !== undefined || (await leftOvers.wasPage(key));
  const isLoggable = (key: string) =>
    live.some(({ url, excluded }) => key.startsWith(urlKey(url)) && !excluded.has(key));
  const keyOf = fileKeys([...live, ...own], theirs?.site ?? mine?.site ?? "");
  return {
    relation: comparison.relation,
    async compare(path, hereBytes, thereBytes) {
      const key = keyOf(path);
      const here = hereBytes && (await readVersionOf(path, hereBytes));
      const isCopy = hereBytes && thereBytes && Buffer.compare(hereBytes, thereBytes) === 0;
      const file = isCopy ? here : thereBytes && (await readVersionOf(path, thereBytes));
      const found = file !== undefined && (await leftOvers.has(key, file));
      const isLeftOver = found === true;
      const there = isLeftOver ? undefined : file;
      const verdict = comparison.verdict(key, here, there);
      // Another publication may have changed only what rs-emit inserts.
      const isOlder = verdict === "same" && here?.hash !== there?.hash;
      const isPublished = here !== undefined && entryOf(own, key)?.hash === here.hash;
      return {
        verdict: found === "unknown" ? "both" : isOlder && isPublished ? "stale" : verdict,
        isLeftOver,
        isLogged: await isLogged(key),
      };
    },
    async known(path, bytes) {
      const key = keyOf(path);
      const file = await readVersionOf(path, bytes);
      return {
        isListed: entryOf(live, key) !== undefined,
        isLogged: await isLogged(key),
        isLoggable: isPage(path) && isLoggable(key),
        isDescribed: comparison.describes(key, file) || (await leftOvers.has(key, file)) === true,
      };
    },
  };
}

/** Hosts serve a page with or without its `.html`; the lists show which. */
function fileKeys(lists: readonly CollectionPublication[], site: string): (path: string) => string {
  const pages = lists.flatMap(({ snapshot }) =>
    [...snapshot.values()].filter(({ type }) => /html/.test(type ?? "")),
  );
  const clean = haveCleanUrls(pages.map(({ url }) => url)) ?? true;
  return (path) => {
    const usual = urlKey(urlOf(site, path, clean));
    const other = urlKey(urlOf(site, path, !clean));
    const isOther = entryOf(lists, usual) === undefined && entryOf(lists, other) !== undefined;
    return isOther ? other : usual;
  };
}

function noneIfUnreadable(error: unknown): undefined {
  // A newer version's documents are complete: what they record of the files must not be ignored.
  if (!(error instanceof EmitError) || isEmitError(error, "NEWER_FORMAT")) throw error;
}

interface PublishedSite {
  readonly site: string;
  readonly collections: readonly CollectionPublication[];
}

/** @param site the address that URLs are rewritten to, where the site has moved */
async function publishedIn(folder: string, site?: string): Promise<PublishedSite | undefined> {
  const found = await openPublished(folder).catch((error: unknown) => {
    if (isEmitError(error, "NO_LOG")) return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  const collections = found.collections.map((url) => ({
    url: (site ?? found.site) + url.slice(found.site.length),
    folder: decodePath(url.slice(found.site.length)),
  }));
  const recalled = await recall(new FolderStore(folder), {
    site: site ?? found.site,
    movedFrom: found.site,
    collections,
    period: "month",
    force: false,
    strict: false,
    first: false,
  });
  if (recalled.kind !== "published") return undefined;
  return { site: site ?? found.site, collections: recalled.publication.collections };
}

/** Whether readers find the same content in two copies of a file, whatever a host added around it. */
export async function haveSameContent(
  path: string,
  one: Uint8Array,
  other: Uint8Array,
): Promise<boolean> {
  if (Buffer.compare(one, other) === 0) return true;
  return (
    compareVersions(await readVersionOf(path, one), await readVersionOf(path, other)) !== "full"
  );
}

/** A page is identified by its markup too, since its bytes contain what rs-emit inserts. */
async function readVersionOf(path: string, bytes: Uint8Array): Promise<Version> {
  const digest = hash("sha256", bytes, "hex");
  if (!isPage(path) || bytes.length >= LONGEST_READ) return { hash: digest };
  const { readPage } = await import("../page/read-page.ts");
  const { markup, content } = readPage(bytes, { xhtml: isXhtml(path) });
  return { hash: digest, markup, content };
}

/** The page's deletion was published without deleting the file. A different file there does not count. */
class LeftOvers {
  readonly #collections: readonly CollectionPublication[];
  #deleted: Promise<ReadonlyMap<string, readonly LoggedPast[]>> | undefined;

  constructor(collections: readonly CollectionPublication[]) {
    this.#collections = collections;
  }

  /** `unknown` where the page had a version at that time which the log does not describe. */
  async has(key: string, file: Version): Promise<boolean | "unknown"> {
    const versions = await this.#versionsOf(key);
    const isPast = (one: LoggedPast) => one !== UNKNOWN && compareVersions(one, file) !== "full";
    return versions.some(isPast) || (versions.includes(UNKNOWN) && "unknown");
  }

  async wasPage(key: string): Promise<boolean> {
    return (await this.#versionsOf(key)).length > 0;
  }

  async #versionsOf(key: string): Promise<readonly LoggedPast[]> {
    if (entryOf(this.#collections, key) !== undefined) return [];
    if (this.#collections.some(({ excluded }) => excluded.has(key))) return [];
    this.#deleted ??= deletedIn(this.#collections);
    return (await this.#deleted).get(key) ?? [];
  }
}

const UNKNOWN = Symbol("unknown");

/** Unknown for a change from git or file times, and for the deletion of a file that is no page. */
type LoggedPast = Version | typeof UNKNOWN;

/** Each page's versions, newest first: an upload may have missed the last one before the deletion. */
async function deletedIn(
  collections: readonly CollectionPublication[],
): Promise<ReadonlyMap<string, readonly LoggedPast[]>> {
  const deleted = new Map<string, LoggedPast[]>();
  const seen = new Set<string>();
  /** Whether the deletion that follows describes the page's version. */
  const isReported = new Map<string, boolean>();
  for (const { log } of collections) {
    for await (const change of newestFirst(newestChanges(log, []))) {
      const key = urlKey(change.url);
      // A minor deletion only removed the page from the log.
      if (!seen.has(key) && change.kind === "deleted" && !change.minor) deleted.set(key, []);
      seen.add(key);
      const versions = deleted.get(key);
      if (change.kind === "deleted") {
        if (change.markup !== undefined) versions?.push(change);
        isReported.set(key, change.markup !== undefined);
        continue;
      }
      if (change.hash !== undefined) versions?.push(change);
      else if (!isReported.get(key)) versions?.push(UNKNOWN);
      isReported.set(key, false);
    }
  }
  for (const versions of deleted.values()) if (versions.length === 0) versions.push(UNKNOWN);
  return deleted;
}
