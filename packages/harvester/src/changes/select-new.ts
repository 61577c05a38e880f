import type { ChangeKind } from "@rs-emit/documents";
import { digest, type Identified, identify } from "@rs-emit/feeds";
import type { StatedChange } from "../model.ts";
import type { KnownPage } from "../page-lists/compare.ts";
import { pageKey } from "../page-lists/list-contents.ts";
import { compareDigests } from "../read/digest.ts";
import type { ListReading } from "../read/reading.ts";
import type { WatchRow } from "../store/watch.ts";

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

/** What is remembered of a collection, as far as it concerns the changes that a reading states. */
export interface Memory {
  /** Identities in the reading that were seen before. */
  readonly seen: Pick<ReadonlySet<string>, "has">;
  /** Those of resources with unseen changes, the oldest first. */
  readonly gone: readonly GoneChange[];
  /**
   * A list that was read again or dropped had named some page twice. It is a log, and not a list of pages with the
   * time of their last change.
   */
  readonly isLog: boolean;
  /** UTC seconds. Earlier changes are from before the first reading, and are not reported. */
  readonly knownFrom: number;
  /** By {@link resourceKey}. */
  readonly resources: ReadonlyMap<string, ResourceState>;
}

/** A seen change that a list stated at its last reading, and that no list states any more. */
export interface GoneChange {
  readonly identity: string;
  /** Its {@link resourceKey}. */
  readonly resource: string;
  readonly kind: ChangeKind;
  readonly datetime: number;
  /** UTC seconds: the newest change that its list had stated. */
  readonly newestOfList: number;
}

/** The newest change of a resource. */
export interface ResourceState {
  /** As the source writes them; empty if it states none. */
  readonly hash: string;
  readonly datetime: number;
  /** Of the change that stated the hash. */
  readonly identity: string;
}

export interface Selection {
  /** To be reported, the oldest first. */
  readonly changes: readonly IdentifiedChange[];
  /** To be remembered as seen, the oldest first. */
  readonly unseen: readonly IdentifiedChange[];
  /** The gone changes that were replaced, by the identities of those that replace them. */
  readonly replaced: ReadonlyMap<string, string>;
  /** How many changes are not reported, since the log gave them other dates. */
  readonly redated: number;
  readonly newest: number | undefined;
  /** States that differ from those before. */
  readonly resources: ReadonlyMap<string, ResourceState>;
}

/** Replacements in one reading that may be corrections by hand, or chance. More of them are a re-dated log. */
const FEW = 10;

/**
 * Selects the changes of a reading that no entry has. Whatever was never seen is reported, however late. Only where a log
 * was re-dated, its changes with new dates are not.
 */
export function selectNew(stated: readonly IdentifiedChange[], memory: Memory): Selection {
  const unseen = unseenIn(stated, memory);
  const replaced = replacements(unseen, memory);
  const isRedated = replaced.size > FEW;
  const changes = unseen.filter(
    ({ identity, datetime }) =>
      datetime >= memory.knownFrom && !(isRedated && replaced.has(identity)),
  );
  return {
    changes,
    unseen,
    replaced,
    redated: isRedated ? replaced.size : 0,
    newest: unseen.at(-1)?.datetime,
    resources: statesAfter(unseen, memory),
  };
}

/** Each once, though two lists state it; the oldest first. */
export function unseenIn(
  stated: readonly IdentifiedChange[],
  { seen }: Pick<Memory, "seen">,
): IdentifiedChange[] {
  const unseen = new Map(
    stated.filter(({ identity }) => !seen.has(identity)).map((one) => [one.identity, one]),
  );
  return [...unseen.values()].sort((one, other) => one.datetime - other.datetime);
}

/** Pairs unseen changes with gone ones of the same resource, one to one. */
function replacements(unseen: readonly IdentifiedChange[], memory: Memory): Map<string, string> {
  if (memory.gone.length === 0) return new Map();
  const replaced = sameBytes(unseen, memory);
  const isSure = replaced.size > FEW;
  const taken = new Set(replaced.values());
  const waiting = Map.groupBy(
    memory.gone.filter(({ identity }) => !taken.has(identity)).reverse(),
    ({ resource, kind }) => `${resource} ${kind}`,
  );
  for (const change of unseen) {
    const resource = resourceKey(change);
    const candidates = waiting.get(`${resource} ${change.kind}`);
    if (candidates === undefined || replaced.has(change.identity)) continue;
    const mayReplace = ({ newestOfList }: GoneChange) =>
      (memory.isLog && change.datetime < newestOfList) || (change.kind === "deleted" && isSure);
    const gone = takeOldest(candidates, mayReplace, contradicted(change, memory));
    if (gone !== undefined) replaced.set(change.identity, gone.identity);
  }
  return replaced;
}

/**
 * @param candidates the oldest last. What one change may not replace, no newer change may: it is dropped.
 * @param except the identity of a candidate that stays
 */
function takeOldest(
  candidates: GoneChange[],
  mayReplace: (gone: GoneChange) => boolean,
  except: string | undefined,
): GoneChange | undefined {
  let kept: GoneChange | undefined;
  let taken: GoneChange | undefined;
  for (let gone = candidates.pop(); gone !== undefined; gone = candidates.pop()) {
    if (!mayReplace(gone)) continue;
    if (gone.identity !== except) {
      taken = gone;
      break;
    }
    kept = gone;
  }
  if (kept !== undefined) candidates.push(kept);
  return taken;
}

/** The identity of the change whose bytes are known to differ from those of this one. */
function contradicted(change: IdentifiedChange, { resources }: Memory): string | undefined {
  const last = resources.get(resourceKey(change));
  return compareDigests(change.hash, last?.hash) === "contradict" ? last?.identity : undefined;
}

/** Changes that state the digest last seen for their resource, where the change that stated it is gone. */
function sameBytes(
  unseen: readonly IdentifiedChange[],
  { gone, resources }: Memory,
): Map<string, string> {
  const left = new Set(gone.map(({ identity }) => identity));
  const replaced = new Map<string, string>();
  for (const change of unseen) {
    const last = resources.get(resourceKey(change));
    if (last === undefined || compareDigests(change.hash, last.hash) !== "agree") continue;
    if (left.delete(last.identity)) replaced.set(change.identity, last.identity);
  }
  return replaced;
}

function statesAfter(
  unseen: readonly IdentifiedChange[],
  { gone, resources }: Memory,
): Map<string, ResourceState> {
  const left = new Set(gone.map(({ identity }) => identity));
  const after = new Map<string, ResourceState>();
  for (const { identity, kind, datetime, hash = "", relativeUrl } of unseen) {
    const resource = resourceKey({ relativeUrl });
    const last = after.get(resource) ?? resources.get(resource);
    if (last !== undefined && datetime < last.datetime && !left.has(last.identity)) continue;
    after.set(resource, { hash: kind === "deleted" ? "" : hash, datetime, identity });
  }
  return after;
}

/** The pages of a site whose lists were compared, by their keys. Pages in no list are left out. */
export type ComparedPages = ReadonlyMap<string, Pick<KnownPage, "reported_at">>;

/**
 * Leaves out changes that followers know: those from before the first comparison, and those that were seen by comparing.
 * A new Change List also contains the past.
 *
 * @param isFirst no change of the collection was seen before
 */
export function withoutCompared(
  changes: readonly IdentifiedChange[],
  { began_at, compared_at }: Pick<WatchRow, "began_at" | "compared_at">,
  pages: ComparedPages,
  isFirst: boolean,
): readonly IdentifiedChange[] {
  if (began_at === null) return changes;
  const comparedAt = compared_at ?? 0;
  const known = changes.filter(({ datetime }) => isFirst || datetime <= comparedAt);
  const keys = new Map(known.map((change) => [change, pageKey(change.url)]));
  const deletions = known.filter(
    ({ kind, datetime }) => kind === "deleted" && datetime > comparedAt,
  );
  const deleted = new Set(deletions.map((change) => keys.get(change)));
  return changes.filter((change) => {
    const key = keys.get(change);
    if (key === undefined) return true;
    if (change.datetime <= comparedAt) {
      return change.datetime >= began_at && !wasSeen(change, pages.get(key));
    }
    // A first publication may say of every page that it was created just now.
    return change.kind !== "created" || !pages.has(key) || deleted.has(key);
  });
}

/**
 * Whether followers know a change from comparing lists.
 *
 * @param page as it last was in the lists; `undefined` if it is missing
 */
function wasSeen(
  { kind, datetime }: IdentifiedChange,
  page: Pick<KnownPage, "reported_at"> | undefined,
): boolean {
  if (kind === "deleted") return page === undefined;
  if (page === undefined) return false;
  return kind === "created" || (page.reported_at ?? 0) >= datetime;
}
