import { urlKey } from "@rs-emit/documents";
import { byDepth, type Collection, deepestFirst } from "../model/collections.ts";
import type { Builder } from "../model/environment.ts";
import type { PageMemory } from "../model/page-memory.ts";
import type { Known } from "../model/publication.ts";
import {
  type ExcludedPage,
  type Inventory,
  ON_DEMAND,
  type PageFile,
  type Resource,
  type UnreadablePath,
} from "../model/resources.ts";
import { INDEX_FILES, isBelow, slashVariants, urlOf } from "../model/url.ts";
import type { LinkTemplate } from "../options/settings.ts";
import { outsideSiteError } from "./errors.ts";
import type { SiteFileRules } from "./file-rules.ts";
import type { FoundFiles } from "./walk.ts";

export interface Candidate extends Pick<Resource, "authorNote" | "authorMinor"> {
  readonly url: string;
  readonly file: string;
  readonly collection: string;
}

export interface CandidateFiles extends Pick<Inventory, "excluded" | "stale" | "unreadable"> {
  readonly candidates: readonly Candidate[];
}

/** The Sitemap protocol sets this limit. */
const LONGEST_URL = 2047;

export function sortOut(
  found: FoundFiles,
  request: InventoryRequest,
  { isNotFoundPage }: Pick<SiteFileRules, "isNotFoundPage">,
): CandidateFiles {
  const candidates: Candidate[] = [];
  const excluded: ExcludedPage[] = [];
  const stale: PageFile[] = [];
  const unreadable: UnreadablePath[] = [...found.unreadable];
  const collectionOf = byDepth(request.collections);
  const addressOf = addressesIn(found, request);
  for (const file of found.candidates) {
    const annotation = request.annotate?.(file);
    const url = annotation?.url ?? addressOf(file);
    if (!url.startsWith(request.site)) throw outsideSiteError(file, url, request.site);
    const collection = collectionOf(file);
    if (isNotFoundPage(file)) excluded.push({ url, file, reason: "not-found-page" });
    else if (annotation?.excluded) excluded.push({ url, file, reason: "opted-out" });
    else if (url.length > LONGEST_URL) unreadable.push({ file, reason: "url-too-long" });
    else if (collection === undefined) excluded.push({ url, file, reason: "no-collection" });
    else if (annotation?.stale) stale.push({ url, file });
    else
      candidates.push({
        url,
        file,
        collection: collection.url,
        authorNote: annotation?.note,
        authorMinor: annotation?.minor,
      });
  }
  for (const file of found.excluded) {
    const url = request.annotate?.(file)?.url ?? addressOf(file);
    excluded.push({ url, file, reason: "option" });
  }
  return { candidates, excluded, stale, unreadable };
}

/** Hosts serve the first of two index files at the folder's URL. */
function addressesIn(
  { candidates, excluded }: FoundFiles,
  { site, cleanUrls }: InventoryRequest,
): (file: string) => string {
  const [first, ...others] = INDEX_FILES;
  const files = new Set([...candidates, ...excluded]);
  return (file) => {
    const name = others.find((other) => file === other || file.endsWith(`/${other}`));
    const before = name === undefined ? "" : file.slice(0, -name.length) + first;
    return files.has(before) ? urlOf(site, before, false) + name : urlOf(site, file, cleanUrls);
  };
}

export interface InventoryRequest {
  readonly folder: string;
  readonly site: string;
  /** The former base URL, if the site has moved. */
  readonly movedFrom?: string | undefined;
  /** A page belongs to the deepest collection around it. A page outside all collections is excluded. */
  readonly collections: readonly Collection[];
  readonly links: readonly LinkTemplate[];
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly link?: boolean | undefined;
  readonly cleanUrls: boolean;
  readonly content: readonly string[];
  /** A known page is not parsed. */
  readonly known: Known;
  /** Whether the last publication has a page at a URL. */
  readonly isPublished?: ((url: string) => boolean) | undefined;
  readonly remembers?: boolean;
  /** Finds what is remembered of the page at a URL; absent where nothing is compared. */
  readonly memoryOf?: ((url: string) => PageMemory | undefined) | undefined;
  /** Whether a builder made the pages: each build overwrites them, so they are finished again. */
  readonly isBuilt?: boolean;
  readonly isOwnDocument: (file: string) => boolean;
  readonly annotate?: Builder["annotate"];
  readonly onDemand: readonly string[];
  readonly unlisted?: readonly string[];
  readonly anyFolder: boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Where a file has the same URL, the file counts. Throws outsideSiteError. */
export function withOnDemand(
  inventory: Inventory,
  { collections, onDemand, unlisted = [], site }: InventoryRequest,
): Inventory {
  if (onDemand.length + unlisted.length === 0) return inventory;
  const { resources, excluded, stale } = inventory;
  const known = new Set([...resources, ...excluded, ...stale].map(({ url }) => urlKey(url)));
  const deepest = deepestFirst(collections);
  const added: Resource[] = [];
  const left: ExcludedPage[] = [];
  const unreadable = [...inventory.unreadable];
  for (const url of onDemand) {
    if (!url.startsWith(site)) throw outsideSiteError("a page made on demand", url, site);
    if (known.has(urlKey(url))) continue;
    known.add(urlKey(url));
    const collection = deepest.find((one) => isBelow(url, one.url))?.url;
    if (url.length > LONGEST_URL) unreadable.push({ file: url, reason: "url-too-long" });
    else if (collection === undefined) left.push({ url, file: url, reason: "no-collection" });
    else added.push({ url, collection, file: undefined, content: ON_DEMAND });
  }
  for (const url of unlisted) {
    const isKnown = slashVariants(site, url).some((one) => known.has(urlKey(one)));
    if (!isKnown) left.push({ url, file: url, reason: "on-demand" });
  }
  return {
    ...inventory,
    resources: [...resources, ...added].sort((one, other) => (one.url < other.url ? -1 : 1)),
    excluded: [...excluded, ...left],
    unreadable,
  };
}
