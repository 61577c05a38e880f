import type { DocumentKind, Entry } from "@rs-emit/documents";
import { GoneError } from "../http/errors.ts";
import type { Authority } from "./authority.ts";
import type { DocumentCache, SummaryReading } from "./document-cache.ts";
import { unreadableError } from "./errors.ts";
import { summaryKind, targets } from "./open-document.ts";
import type { DocumentSummary, ListedCollection, RememberedDocument } from "./reading-result.ts";

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
  authority: Authority,
  url: string,
  top: SummaryReading,
): Promise<Contents> {
  if (summaryKind(top.summary) === "capability-list") {
    return { describedBy: [], collections: [unlisted(url)], documents: [] };
  }
  const readings = await readParts(cache, authority, top, new Set([url]));
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
  authority: Authority,
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
    authority.require(loc);
    const part = await readPart(cache, loc);
    readings.push(...(await readParts(cache, authority, part, seen, depth + 1)));
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
