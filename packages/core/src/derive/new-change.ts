import { urlKey } from "@rs-emit/documents";
import type { Explanation } from "../history/explanations.ts";
import { type Change, changedTime } from "../model/log.ts";
import {
  type ChangeTime,
  pageFactsOf,
  type Representation,
  representationOf,
  type SnapshotEntry,
  wordsOf,
} from "../model/resources.ts";
import { authorWords } from "./author-notes.ts";
import type { Difference } from "./difference.ts";
import type { Moves } from "./moves.ts";

/**
 * The log entry of a difference.
 * @param explanation ignored where it is not newer than the last publication
 */
export function toChange(
  difference: Difference,
  datetime: number,
  explanation: Explanation | undefined,
  note?: string,
): Change {
  const { url, kind, minor, resource, before, quotes } = difference;
  const evidence = kind === "deleted" ? undefined : evidenceOf(explanation, difference);
  const lastmod = Math.min(evidence?.time ?? datetime, datetime);
  return {
    url,
    kind,
    datetime,
    lastmod,
    ...(resource === undefined ? leftOf(before) : representationOf(resource)),
    ...(minor ? { minor } : {}),
    ...changedIn(difference, lastmod),
    quotes,
    ...authorWords(difference, note, evidence?.message),
  };
}

/** Without a hash: a publication that is killed before its Resource List starts over. */
export function toPastChange(
  difference: Difference,
  moment: Pick<Change, "datetime" | "lastmod" | "message">,
): Change {
  const { url, kind, minor, resource, before = {}, quotes } = difference;
  return {
    url,
    kind,
    ...moment,
    ...(kind === "deleted" ? pageFactsOf(before) : wordsOf(resource ?? before)),
    ...(minor ? { minor } : {}),
    ...changedIn(difference, moment.lastmod),
    quotes,
  };
}

/** Relations that stay valid when a resource is gone. */
const ARCHIVES = ["memento", "timegate", "timemap"];

/** A deleted page's identities and note stay, in case it returns. */
function leftOf(before: Representation = {}): Representation {
  const archived = before.links?.filter(({ rel }) => ARCHIVES.includes(rel)) ?? [];
  const { noteDigest } = before;
  return {
    ...pageFactsOf(before),
    noteDigest,
    links: archived.length === 0 ? undefined : archived,
  };
}

/** A time that was already published does not explain a later change. */
function evidenceOf(
  explanation: Explanation | undefined,
  { before, publishedAt }: Difference,
): Explanation | undefined {
  if (explanation === undefined || before === undefined) return explanation;
  return explanation.time > (before.lastmod ?? publishedAt) ? explanation : undefined;
}

/** Published state of new pages at other places, by their URL keys. */
export type Origins = ReadonlyMap<string, SnapshotEntry>;

export function originsOf(differences: readonly Difference[], moves: Moves): Origins {
  const gone = new Map<string, SnapshotEntry>();
  for (const { kind, url, before } of differences) {
    if (kind === "deleted" && before !== undefined) gone.set(urlKey(url), before);
  }
  const origins = new Map<string, SnapshotEntry>();
  for (const { kind, url, from, halfMove } of differences) {
    if (kind === "deleted") continue;
    const moved = moves.get(urlKey(url));
    const origin =
      from ?? halfMove?.entry ?? (moved === undefined ? undefined : gone.get(urlKey(moved)));
    if (origin !== undefined) origins.set(urlKey(url), origin);
  }
  return origins;
}

/** @param before the page's last entry, here or at the place that it came from */
export function changedBy(change: Change, before: SnapshotEntry | undefined): ChangeTime {
  return changedTime(change, before?.changed ?? "unknown") ?? "unknown";
}

/** A withdrawn page keeps the time for its return. */
function changedIn(
  { kind, minor, before, isContent }: Difference,
  lastmod: number,
): Pick<Change, "changed"> {
  if (kind === "deleted") return minor ? timeOf(before?.changed) : {};
  return (minor || kind === "created") && isContent ? { changed: lastmod } : {};
}

export function timeOf(changed: ChangeTime | undefined): Pick<Change, "changed"> {
  return typeof changed === "number" ? { changed } : {};
}
