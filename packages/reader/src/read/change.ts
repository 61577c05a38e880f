import {
  type ChangeKind,
  DCTERMS,
  EMIT,
  type Entry,
  foreignValue,
  secondsOf,
  WIKI,
} from "@rs-emit/documents";
import { attributeToQuotes, calledByName, lineOf } from "@rs-emit/feeds";
import { resolveLoc, resolveUrl, siteHost } from "../address.ts";
import type { ListedChange } from "../model.ts";
import { READING_LIMITS } from "./reading-limits.ts";
import type { Ignored } from "./reading-result.ts";

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
    called(namespace, name, most) || undefined;
  // A home page's name may be empty.
  const called = (namespace: string, name: string, most = READING_LIMITS.title) => {
    const value = foreignValue(metadata, namespace, name);
    return value === undefined ? undefined : lineOf(value, most);
  };
  return calledByName({
    url,
    kind,
    datetime,
    lastmod,
    hash: digests(metadata.hash),
    title: text(DCTERMS, "title", READING_LIMITS.title),
    name: called(EMIT, "name"),
    words: text(DCTERMS, "description", READING_LIMITS.words),
    moved: movedTo(foreignValue(metadata, EMIT, "moved"), url, rules),
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
