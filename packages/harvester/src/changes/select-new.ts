import { type Identified, identify } from "@rs-emit/feeds";
import type { StatedChange } from "../model.ts";
import type { ListReading } from "../read/reading.ts";

/** A change with its identity, and the list that it stands in. */
export type IdentifiedChange = Identified<StatedChange> & { readonly list: string };

/** The changes of a list with their identities. */
export function identifiedIn(list: ListReading, collection: string): IdentifiedChange[] {
  return identify(list.changes, collection).map((change) => ({ ...change, list: list.url }));
}

/** What is remembered of a collection, as far as a reading needs it. */
export interface Memory {
  /** The identities of the reading that were seen before. */
  readonly seen: Pick<ReadonlySet<string>, "has">;
  /** The datetimes of changes that were seen before and have vanished. */
  readonly vanished: readonly number[];
  /** The datetime of the newest change seen. */
  readonly newest: number | undefined;
  /** Changes before this time are not reported. */
  readonly knownFrom: number;
  /** What was last seen of the resources that the reading names. */
  readonly resources: ReadonlyMap<string, ResourceState>;
  /** Every change before the newest of the reading was read: none is still on its way. */
  readonly isComplete: boolean;
}

/** Stands for the digests of a resource that was deleted. */
const DELETED = "deleted";

/** The representation last seen of a resource. */
export interface ResourceState {
  /** Digests as the source writes them; empty where it writes none; {@link DELETED}. */
  readonly hash: string;
  readonly datetime: number;
}

/** What is new in a reading. */
export interface Selection {
  /** The changes to report, the oldest first. */
  readonly changes: readonly IdentifiedChange[];
  /** Every change that was not seen before, to be remembered. */
  readonly unseen: readonly IdentifiedChange[];
  readonly isRewritten: boolean;
  readonly newest: number | undefined;
  /** The resources of which something else is remembered now. */
  readonly resources: ReadonlyMap<string, ResourceState>;
}

/**
 * Selects from what a collection's lists say the changes that no entry has told: no change is lost, and
 * none is told twice (design, "The harvester").
 *
 * @param from since when the log claims to be whole; where nothing says so, its oldest entry counts
 */
export function selectNew(
  stated: readonly IdentifiedChange[],
  from: number | undefined,
  memory: Memory,
): Selection {
  const unseen = new Map(
    stated.filter(({ identity }) => !memory.seen.has(identity)).map((one) => [one.identity, one]),
  );
  const inOrder = [...unseen.values()].sort((one, other) => one.datetime - other.datetime);
  const isRewritten = hasVanished(stated, from, memory);
  const resources = new Map<string, ResourceState>();
  const changes = inOrder.filter((change) => {
    const isRepeat = repeats(change, resources, memory);
    const isOld = isRewritten && memory.newest !== undefined && change.datetime <= memory.newest;
    return !isRepeat && !isOld && change.datetime >= memory.knownFrom;
  });
  const newest = inOrder.at(-1)?.datetime;
  return {
    changes,
    unseen: inOrder,
    isRewritten,
    newest: latest(newest, memory.newest),
    resources,
  };
}

/** Whether changes are missing that the log claims to hold; what is older was trimmed. */
function hasVanished(
  stated: readonly IdentifiedChange[],
  from: number | undefined,
  { vanished }: Memory,
): boolean {
  const oldest = stated.reduce((time, { datetime }) => Math.min(time, datetime), Infinity);
  return vanished.some((datetime) => datetime >= (from ?? oldest));
}

/**
 * Whether a change repeats what was last seen of its resource, the same bytes or its deletion. Notes
 * what is last seen now.
 */
function repeats(
  { resource, kind, hash = "", datetime }: IdentifiedChange,
  resources: Map<string, ResourceState>,
  memory: Memory,
): boolean {
  const last = resources.get(resource) ?? memory.resources.get(resource);
  const isNewer = last === undefined || datetime >= last.datetime;
  const now = kind === "deleted" ? DELETED : hash;
  if (isNewer) resources.set(resource, { hash: now, datetime });
  if (last === undefined) return false;
  // A deletion that arrives late may lie before a creation that was seen, or after one that was not yet.
  if (kind === "deleted") return memory.isComplete && isNewer && last.hash === DELETED;
  return last.hash !== DELETED && haveDigestInCommon(hash, last.hash);
}

function haveDigestInCommon(one: string, other: string): boolean {
  const digests = new Set(one.toLowerCase().split(/\s+/).filter(Boolean));
  return other
    .toLowerCase()
    .split(/\s+/)
    .some((digest) => digests.has(digest));
}

function latest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}
