import {
  type ChangeKind,
  DCTERMS,
  EMIT,
  type Entry,
  foreignValue,
  type Metadata,
  secondsOf,
  WIKI,
} from "@rs-emit/documents";
import { attributeToQuotes, calledByName, lineOf } from "@rs-emit/feeds";
import { resolveLoc, resolveUrl, siteHost } from "../address.ts";
import type { ListedChange } from "../model.ts";
import { unreadableError } from "./errors.ts";
import { excessOf, type OpenDocument, summaryOf } from "./open-document.ts";
import {
  type DocumentSummary,
  IGNORED,
  type Ignored,
  type IgnoredCounts,
  type ListReading,
} from "./reading.ts";
import { READING_LIMITS, type ReadingLimits } from "./reading-limits.ts";

export interface ChangeRules {
  readonly base: string;
  readonly hosts: ReadonlySet<string>;
  /** Entries without `datetime` use their `lastmod`, as in ResourceSync 0.9.1. */
  readonly useLastmod: boolean;
  /** UTC seconds. A change dated beyond tomorrow waits for its day. */
  readonly now: number;
}

/** Seconds from now. What is dated later waits for its day. */
export const AHEAD = 86_400;

/** Not part of a URL, or makes it look like another one. */
const ODD = /[\s"<>\\^`{|}\p{C}\p{Z}]/u;
const ABSOLUTE = /^https?:\/\//i;

/** The change of an entry, or why it is ignored (IFCC-0001, "Processing the Change List"). */
export function changeOf(entry: Entry, rules: ChangeRules): ListedChange | Ignored {
  const { metadata = {} } = entry;
  const kind = kindOfChange(metadata.change);
  const lastmod = readDate(entry.lastmod);
  const datetime =
    metadata.datetime === undefined && rules.useLastmod ? lastmod : readDate(metadata.datetime);
  if (kind === undefined) return "unknown";
  if (datetime === undefined) return metadata.datetime === undefined ? "undated" : "misdated";
  const url = resourceUrl(entry.loc, rules);
  if (url === undefined) return "foreign";
  if (datetime > rules.now + AHEAD) return "future";
  const text = (namespace: string, name: string, most: number) =>
    lineOf(foreignValue(metadata, namespace, name) ?? "", most) || undefined;
  return calledByName({
    url,
    kind,
    datetime,
    lastmod,
    hash: digests(metadata.hash),
    title: text(DCTERMS, "title", READING_LIMITS.title),
    name: text(EMIT, "name", READING_LIMITS.title),
    words: text(DCTERMS, "description", READING_LIMITS.words),
    moved: movedTo(foreignValue(metadata, EMIT, "moved"), url, rules),
    partOf: kind === "deleted" ? text(EMIT, "within", READING_LIMITS.title) : undefined,
    quotes: attributeToQuotes(foreignValue(metadata, EMIT, "quotes")),
    archived: kind === "deleted" ? archivedCopy(entry, rules) : undefined,
    isMinor: foreignValue(metadata, WIKI, "importance")?.trim() === "minor",
  });
}

function movedTo(
  reference: string | undefined,
  url: string,
  rules: ChangeRules,
): string | undefined {
  if (reference === undefined || reference.length > READING_LIMITS.url) return undefined;
  const moved = resolveUrl(reference, url);
  return moved === undefined ? undefined : resourceUrl(moved, rules);
}

/** A copy comes before the gate to all copies (ResourceSync 1.1, section 14.6). */
const ARCHIVES = ["memento", "timegate"] as const;

function archivedCopy({ links = [] }: Entry, { base }: ChangeRules): string | undefined {
  for (const relation of ARCHIVES) {
    const href = links.find(({ rel }) => rel === relation)?.href;
    if (href !== undefined && href.length <= READING_LIMITS.url) return resolveUrl(href, base);
  }
  return undefined;
}

function kindOfChange(change: string | undefined): ChangeKind | undefined {
  const kind = change?.trim();
  return kind === "created" || kind === "updated" || kind === "deleted" ? kind : undefined;
}

/** Most URLs match, and parsing is slow. */
const PLAIN =
  /^https?:\/\/(?:www\.)?([a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]+)(?::\d{1,4}|:[1-5]\d{4})?\/[\w\-.~!$&'()*+,;=:@%/?]*$/;

/**
 * The URL of a resource, as the source spells it where that is an absolute address without oddities.
 *
 * @returns `undefined` where it is none, or is on another host
 */
export function resourceUrl(
  loc: string,
  { base, hosts }: Pick<ChangeRules, "base" | "hosts">,
): string | undefined {
  const host = loc.length <= READING_LIMITS.url ? PLAIN.exec(loc)?.[1] : undefined;
  if (host !== undefined) return hosts.has(host) ? loc : undefined;
  const url = resolveLoc(loc, base);
  if (url === undefined || !hosts.has(siteHost(url))) return undefined;
  return ABSOLUTE.test(loc) && !ODD.test(loc) ? loc : url;
}

function digests(hash: string | undefined): string | undefined {
  const text = hash?.trim().replace(/\s+/g, " ");
  return text === undefined || text === "" || text.length > READING_LIMITS.hash ? undefined : text;
}

/** Spaces in place of the T and before the zone, lower case, zones without colon, and the names of UTC. */
const COMMON =
  /^(\d{4}-\d\d-\d\d)(?:[Tt]|\s+)(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(?:([+-]\d\d)(?::?(\d\d))?|Z|UTC|GMT)?$/i;

/**
 * A date as sites write it: a W3C datetime, or what many generators write in its place, such as `2026-11-22 10:00:00 +0000`.
 * Without a zone it is UTC.
 *
 * @returns UTC seconds; `undefined` if it is missing or cannot be read
 */
export function readDate(text: string | undefined): number | undefined {
  const seconds = secondsOf(text);
  if (seconds !== undefined || text === undefined) return seconds;
  const match = COMMON.exec(text.trim());
  if (match === null) return undefined;
  const [, day, time, hours, minutes = "00"] = match;
  return secondsOf(`${day}T${time}${hours === undefined ? "Z" : `${hours}:${minutes}`}`);
}

interface ReadList extends ListReading {
  readonly summary: DocumentSummary;
  readonly until: number | undefined;
  readonly entries: number;
  readonly ignored: IgnoredCounts;
}

/**
 * Reads a list (ResourceSync 1.1, section 12.1). Gives one up that has more entries than there is room for.
 * @param room entries that this check may still take
 * @throws {HarvestError} nothing counts then
 */
export async function readChangeList(
  opened: OpenDocument,
  rules: Omit<ChangeRules, "base">,
  limits: Pick<ReadingLimits, "entries">,
  room: number,
): Promise<ReadList | undefined> {
  const changes: ListedChange[] = [];
  const ignored: Partial<Record<Ignored, number>> = {};
  let reportableAt = Number.POSITIVE_INFINITY;
  let entries = 0;
  const here = { ...rules, base: opened.base };
  for await (const batch of opened.batches()) {
    entries += batch.length;
    const excess = excessOf(entries, limits.entries, "has", "entries");
    if (excess !== undefined) throw unreadableError(opened.url, excess);
    if (entries > room) return undefined;
    for (const entry of batch) {
      const change = changeOf(entry, here);
      if (typeof change !== "string") changes.push(change);
      else {
        ignored[change] = (ignored[change] ?? 0) + 1;
        if (change === "future") reportableAt = Math.min(reportableAt, reportableTime(entry));
      }
    }
  }
  const head = summaryOf(opened.head, opened.base);
  const summary = Number.isFinite(reportableAt) ? { ...head, reportableAt } : head;
  return {
    url: opened.url,
    until: secondsOf(summary.metadata.until),
    changes,
    hasPublications: hasPublications(opened.head.metadata),
    summary,
    entries,
    ignored,
  };
}

/**
 * Whether changes of one datetime are one publication, as in the lists that rs-emit writes; entries that
 * it adopted were written by another program.
 */
export function hasPublications(metadata: Metadata): boolean {
  const said = (name: string) => foreignValue(metadata, EMIT, name) !== undefined;
  return said("publication") && !said("adopted");
}

/** UTC seconds: from here on `changeOf` takes an entry that is dated in the future. */
function reportableTime({ metadata, lastmod }: Entry): number {
  return (readDate(metadata?.datetime ?? lastmod) ?? Number.POSITIVE_INFINITY) - AHEAD;
}

export function sumOf(one: IgnoredCounts, other: IgnoredCounts): IgnoredCounts {
  return Object.fromEntries(
    IGNORED.flatMap((reason) => {
      const count = (one[reason] ?? 0) + (other[reason] ?? 0);
      return count === 0 ? [] : [[reason, count]];
    }),
  );
}
