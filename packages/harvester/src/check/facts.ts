import {
  type CollectionReading,
  type HarvestError,
  NotFoundError,
  type Reading,
} from "@rs-emit/reader";
import type { Descriptions } from "@rs-emit/reader/read/site-descriptions";
import type { StoredDocuments } from "../store/check/document.ts";
import type { SourceRow } from "../store/source.ts";
import type { Besides, Observation } from "./reader.ts";

/** What a check has read of a source. Nothing of it is stored yet. */
export interface Facts {
  readonly descriptionUrl: string | undefined;
  /** What its author publishes; absent if nothing could be read, or all was as it was. */
  readonly reading: Reading | undefined;
  readonly descriptions?: Descriptions | undefined;
  /** Whether each known document is absent, where the log was missing and that was looked at. */
  readonly areAbsent?: boolean | undefined;
  /**
   * Present where another reader was asked, since there was no log: when the site was searched for one, UTC seconds;
   * `null` if it was not.
   */
  readonly searchedAt?: number | null | undefined;
  /** What that reader has read. */
  readonly observation?: Observation | undefined;
  /** What it publishes besides, where that was looked for. */
  readonly besides?: Besides | undefined;
  readonly error: HarvestError | undefined;
  /** The documents that were known before. */
  readonly remembered: StoredDocuments;
  /** UTC seconds by host, from `Retry-After`. */
  readonly busy: ReadonlyMap<string, number>;
  /** Seconds of processor time that reading took. */
  readonly effort?: number;
}

/** A check whose facts are to be recorded. */
export interface Check {
  /** As it was when the lease began. */
  readonly source: SourceRow;
  readonly token: string;
  readonly facts: Facts;
}

/** Whether something was read that is to be recorded: a document, or a description. */
export function hasContent({ reading, descriptions }: Facts): boolean {
  if (reading === undefined) return false;
  if (reading.documents.length > 0) return true;
  if (descriptions === undefined) return false;
  const { source, collections, documents } = descriptions;
  return source !== undefined || collections.size > 0 || documents.length > 0;
}

/** Whether a source publishes a Change List, as far as a check knows. */
export function publishesChanges(
  source: Pick<SourceRow, "followed_by">,
  { reading, error, observation }: Pick<Facts, "reading" | "error" | "observation">,
): boolean {
  if (error instanceof NotFoundError || observation !== undefined) return false;
  if (reading?.collections.some(({ listUrls }) => listUrls.length > 0)) return true;
  if (reading !== undefined && error === undefined) return false;
  return source.followed_by === "log";
}

/**
 * Whether the next check is due at once: lists wait that were never read, or that could have changed as those did which
 * took all the room. A check that finds known lists as before leaves nothing of that kind.
 */
export function hasUnread({
  reading,
  remembered,
}: {
  readonly reading: Reading | undefined;
  readonly remembered: ReadonlyMap<string, unknown>;
}): boolean {
  if (reading === undefined) return false;
  const { collections, documents } = reading;
  const known = new Set([...remembered.keys(), ...documents.map(({ url }) => url)]);
  const hasChanged = collections.some(({ lists }) => lists.length > 0);
  return collections.some(
    ({ unreadLists, listUrls }) =>
      unreadLists > 0 && (hasChanged || listUrls.some((url) => !known.has(url))),
  );
}

/**
 * The ids of known documents that nothing names any more: a source may rename its lists often. None after a partial
 * reading.
 */
export function unnamedDocuments({ reading, descriptions, remembered }: Facts): number[] {
  if (reading === undefined || !reading.collections.every(isReadWhole)) return [];
  const known = new Map([...remembered].map(([url, { summary }]) => [url, summary]));
  for (const { url, summary } of [...reading.documents, ...(descriptions?.documents ?? [])]) {
    known.set(url, summary);
  }
  const lists = reading.collections.flatMap(({ listUrls }) => listUrls);
  const named = new Set([reading.descriptionUrl, ...lists]);
  for (const url of named) {
    const { entries = [], links = [] } = known.get(url) ?? {};
    for (const { loc } of entries) named.add(loc);
    for (const { href } of [...links, ...entries.flatMap((entry) => entry.links ?? [])]) {
      named.add(href);
    }
  }
  return [...remembered.values()].filter(({ url }) => !named.has(url)).map(({ id }) => id);
}

function isReadWhole({ problem, unreadLists }: CollectionReading): boolean {
  return problem === undefined && unreadLists === 0;
}
