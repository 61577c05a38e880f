import type { DocumentKind, Entry } from "@rs-emit/documents";
import { documentFolder, relativeTo, siteFolder, siteHost } from "../address.ts";
import type { UrlError } from "../errors.ts";
import { GoneError } from "../http/errors.ts";
import type { DocumentCache, SummaryReading } from "./document-cache.ts";
import { otherHostError, unreadableError } from "./errors.ts";
import { summaryKind, targets } from "./open-document.ts";
import type { DocumentSummary, ListedCollection, RememberedDocument } from "./reading.ts";
import { READING_LIMITS } from "./reading-limits.ts";

/**
 * What a source may speak for: its own host. If other hosts are allowed, it may name documents
 * anywhere, and a collection may be about the host it describes.
 */
export class Site {
  readonly #hosts: ReadonlySet<string>;
  readonly #folders: readonly string[];
  readonly #allowOtherHosts: boolean;

  /** @param urls of the Source Description, before and after redirects */
  constructor(urls: readonly string[], allowOtherHosts: boolean) {
    this.#hosts = new Set(urls.map(siteHost));
    this.#folders = urls.map(siteFolder);
    this.#allowOtherHosts = allowOtherHosts;
  }

  mayName(url: string): boolean {
    return this.#allowOtherHosts || this.#hosts.has(siteHost(url));
  }

  /** Throws {@link HarvestError}. */
  require(url: string): void {
    const problem = this.problemOf(url);
    if (problem !== undefined) throw problem;
  }

  problemOf(url: string): UrlError | undefined {
    return this.mayName(url) ? undefined : otherHostError(url, [...this.#hosts].join(" or "));
  }

  /** Hosts whose resources a collection may list. */
  hostsOf(collectionUrl: string): ReadonlySet<string> {
    return this.mayName(collectionUrl)
      ? new Set([...this.#hosts, siteHost(collectionUrl)])
      : this.#hosts;
  }

  /**
   * What the Capability List describes, else the Source Description. Not on other hosts. Where neither says it, the only
   * collection is the site: many programs keep their documents in a folder without pages.
   */
  collectionUrl(listed: ListedCollection, summary: DocumentSummary | undefined): string {
    const named = summary === undefined ? [] : targets(summary, "describes");
    const isUsable = (url: string) =>
      url.length <= READING_LIMITS.collectionUrl && this.mayName(url);
    const folder = documentFolder(listed.capabilityListUrl);
    const isHere = (site: string) => listed.isOnly && siteHost(site) === siteHost(folder);
    return [...named, ...listed.describes].find(isUsable) ?? this.#folders.find(isHere) ?? folder;
  }

  /** A URL relative to the site's folder, if below it. */
  keyOf(url: string): string {
    for (const folder of this.#folders) {
      const relative = relativeTo(folder, url);
      if (relative !== undefined) return relative;
    }
    return url;
  }
}

export const TOP: readonly DocumentKind[] = [
  "source-description",
  "source-description-index",
  "capability-list",
];

interface Contents {
  readonly describedBy: readonly string[];
  readonly collections: readonly ListedCollection[];
  readonly documents: readonly RememberedDocument[];
}

/**
 * Some hosts drop `.well-known`, so a Capability List counts as a source of one collection. Throws
 * if any part fails: its collections would seem to be gone.
 */
export async function readContents(
  cache: DocumentCache,
  site: Site,
  url: string,
  top: SummaryReading,
): Promise<Contents> {
  if (summaryKind(top.summary) === "capability-list") {
    return { describedBy: [], collections: [unlisted(url)], documents: [] };
  }
  const readings = await readParts(cache, site, top, new Set([url]));
  const { collections: most } = cache.limits;
  const collections = collectionsIn(readings.map(({ summary }) => summary));
  if (collections.length > most) {
    throw unreadableError(url, `names more than ${most} Capability Lists`);
  }
  return {
    describedBy: readings.flatMap(({ summary }) => targets(summary, "describedby")),
    collections,
    documents: readings.flatMap(({ document }) => document ?? []),
  };
}

async function readParts(
  cache: DocumentCache,
  site: Site,
  top: SummaryReading,
  seen: Set<string>,
  depth = 1,
): Promise<SummaryReading[]> {
  const readings = [top];
  if (isDescription(top.summary)) return readings;
  for (const { loc } of top.summary.entries) {
    if (seen.has(loc)) continue;
    seen.add(loc);
    if (depth > cache.limits.depth || seen.size > cache.limits.collections) {
      throw unreadableError(loc, "is one Source Description too many, or too deep in indexes");
    }
    site.require(loc);
    const part = await readPart(cache, loc);
    readings.push(...(await readParts(cache, site, part, seen, depth + 1)));
  }
  return readings;
}

/** One missing part does not make the source gone. */
async function readPart(cache: DocumentCache, url: string): Promise<SummaryReading> {
  try {
    return await cache.summary(url, ["source-description", "source-description-index"]);
  } catch (error) {
    if (!(error instanceof GoneError)) throw error;
    throw unreadableError(url, "is gone, and the index of Source Descriptions names it", error);
  }
}

/** Otherwise it is an index of Source Descriptions. */
export function isDescription({ root }: DocumentSummary): boolean {
  return root === "urlset";
}

/** The collections that Source Descriptions name, each once. */
export function collectionsIn(summaries: readonly DocumentSummary[]): ListedCollection[] {
  const entries = new Map<string, Entry>();
  for (const entry of summaries.filter(isDescription).flatMap(({ entries }) => entries)) {
    if (isCapabilityList(entry) && !entries.has(entry.loc)) entries.set(entry.loc, entry);
  }
  return [...entries.values()].map((entry) => listed(entry, entries.size === 1));
}

/** The collection of a Capability List that no Source Description names. */
export function unlisted(capabilityListUrl: string): ListedCollection {
  return { capabilityListUrl, describes: [], describedBy: [], isOnly: false };
}

/** `capability` is optional here (section 8). */
function isCapabilityList({ metadata }: Entry): boolean {
  return metadata?.capability === undefined || metadata.capability === "capabilitylist";
}

function listed(entry: Entry, isOnly: boolean): ListedCollection {
  return {
    isOnly,
    capabilityListUrl: entry.loc,
    describes: targets(entry, "describes"),
    describedBy: targets(entry, "describedby"),
  };
}
