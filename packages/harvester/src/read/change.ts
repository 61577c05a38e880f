import { type ChangeKind, DCTERMS, type Entry, foreignValue, WIKI } from "@rs-emit/documents";
import type { StatedChange } from "../model.ts";
import { READING_LIMITS } from "./limits.ts";
import { resolveUrl, siteHost } from "./place.ts";
import { line, timeOf } from "./values.ts";

/** How the entries of a Change List are taken. */
export interface ChangeRules {
  /** Where the list came from: what relative URLs are relative to. */
  readonly base: string;
  /** Whose resources it may tell of. */
  readonly hosts: ReadonlySet<string>;
  /** Entries without `datetime` happened at their `lastmod`, as in ResourceSync 0.9.1. */
  readonly useLastmod: boolean;
  /** UTC seconds: what is dated beyond tomorrow waits until its day has come. */
  readonly now: number;
}

/** Why an entry is no change. */
export const IGNORED = ["undated", "unknown", "foreign", "future"] as const;
export type Ignored = (typeof IGNORED)[number];

/** Seconds by which a source's clock may be ahead. */
const AHEAD = 86_400;

/** What is no part of an address, or would make it look like another one. */
const ODD = /[\s"<>\\^`{|}\p{C}\p{Z}]/u;
const ABSOLUTE = /^https?:\/\//i;

/**
 * The change that an entry states (IFCC-0001, "Processing the Change List Index and Change List").
 *
 * @returns why it is ignored, where it must be: no `datetime`, an unknown `change`, a URL that the source may
 *   not speak for, a day that is still to come
 */
export function changeOf(entry: Entry, rules: ChangeRules): StatedChange | Ignored {
  const { metadata = {} } = entry;
  const kind = kindOfChange(metadata.change);
  const lastmod = timeOf(entry.lastmod);
  const datetime =
    metadata.datetime === undefined && rules.useLastmod ? lastmod : timeOf(metadata.datetime);
  if (kind === undefined) return "unknown";
  if (datetime === undefined) return "undated";
  const url = resourceUrl(entry.loc, rules);
  if (url === undefined) return "foreign";
  if (datetime > rules.now + AHEAD) return "future";
  const hash = digests(metadata.hash);
  const title = line(foreignValue(metadata, DCTERMS, "title"), READING_LIMITS.title);
  const words = line(foreignValue(metadata, DCTERMS, "description"), READING_LIMITS.words);
  return {
    url,
    kind,
    datetime,
    ...(lastmod === undefined ? {} : { lastmod }),
    ...(hash === undefined ? {} : { hash }),
    ...(title === undefined ? {} : { title }),
    ...(words === undefined ? {} : { words }),
    isMinor: foreignValue(metadata, WIKI, "importance")?.trim() === "minor",
  };
}

function kindOfChange(change: string | undefined): ChangeKind | undefined {
  const kind = change?.trim();
  return kind === "created" || kind === "updated" || kind === "deleted" ? kind : undefined;
}

/** An address that parsing leaves as it is: most are, and parsing is slow. */
const PLAIN =
  /^https?:\/\/(?:www\.)?([a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]+)(?::\d{1,4}|:[1-5]\d{4})?\/[\w\-.~!$&'()*+,;=:@%/?]*$/;

/** As the source spells it, where that is an absolute address without oddities. */
function resourceUrl(loc: string, { base, hosts }: ChangeRules): string | undefined {
  const host = loc.length <= READING_LIMITS.url ? PLAIN.exec(loc)?.[1] : undefined;
  if (host !== undefined) return hosts.has(host) ? loc : undefined;
  const url = resolveUrl(loc, base);
  if (url === undefined || !hosts.has(siteHost(url))) return undefined;
  return ABSOLUTE.test(loc) && !ODD.test(loc) ? loc : url;
}

function digests(hash: string | undefined): string | undefined {
  const text = hash?.trim().replace(/\s+/g, " ");
  return text === undefined || text === "" || text.length > READING_LIMITS.hash ? undefined : text;
}
