import { digest, type Identified, identify } from "@rs-emit/feeds";
import type { StatedChange } from "../model.ts";
import type { ListReading } from "../read/reading.ts";

export type IdentifiedChange = Identified<StatedChange> & {
  readonly list: string;
  /** Its list says what a publication is. */
  readonly isOfPublication: boolean;
};

export function identifiedIn(
  { url, changes, hasPublications = false }: ListReading,
  collection: string,
): IdentifiedChange[] {
  return identify(changes, collection).map((change) =>
    Object.assign(change, { list: url, isOfPublication: hasPublications }),
  );
}

/** Names the resource of a change among those of its collection, in 32 hexadecimal digits. */
export function resourceKey({ relativeUrl }: Pick<IdentifiedChange, "relativeUrl">): string {
  return digest(relativeUrl);
}

export interface Memory {
  /** Identities in the reading that were seen before. */
  readonly seen: Pick<ReadonlySet<string>, "has">;
  /** Datetimes of seen changes that are no longer in the log. */
  readonly vanished: readonly number[];
  readonly newest: number | undefined;
  /** UTC seconds. Earlier changes are not reported. */
  readonly knownFrom: number;
  readonly resources: ReadonlyMap<string, ResourceState>;
  /** Every change up to the newest was read, so none can arrive late. */
  readonly isComplete: boolean;
}

/** Replaces the digests of a deleted resource. */
const DELETED = "deleted";

export interface ResourceState {
  /** As the source writes them; empty if it has none; {@link DELETED}. */
  readonly hash: string;
  readonly datetime: number;
}

export interface Selection {
  readonly changes: readonly IdentifiedChange[];
  readonly unseen: readonly IdentifiedChange[];
  readonly isRewritten: boolean;
  readonly newest: number | undefined;
  readonly resources: ReadonlyMap<string, ResourceState>;
}

/**
 * Selects the changes of a reading that no entry has: none is lost, none is repeated. Without
 * `from`, the log claims to be complete from its oldest entry on.
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

/** Whether the log lost changes that it claims to hold. Older ones were trimmed. */
function hasVanished(
  stated: readonly IdentifiedChange[],
  from: number | undefined,
  { vanished }: Memory,
): boolean {
  const oldest = stated.reduce((time, { datetime }) => Math.min(time, datetime), Infinity);
  return vanished.some((datetime) => datetime >= (from ?? oldest));
}

/** Whether a change repeats the last known state, which it updates. */
function repeats(
  change: IdentifiedChange,
  resources: Map<string, ResourceState>,
  memory: Memory,
): boolean {
  const { kind, hash = "", datetime } = change;
  const resource = resourceKey(change);
  const last = resources.get(resource) ?? memory.resources.get(resource);
  const isNewer = last === undefined || datetime >= last.datetime;
  const now = kind === "deleted" ? DELETED : hash;
  if (isNewer) resources.set(resource, { hash: now, datetime });
  if (last === undefined) return false;
  // A late deletion may precede a creation that was seen, or follow one that was not.
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
