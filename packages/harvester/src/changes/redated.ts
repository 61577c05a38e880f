import { compareDigests, digestsIn } from "@rs-emit/reader";
import type { SeenTable } from "../store/schema.ts";
import { type IdentifiedChange, resourceKey } from "./identified.ts";

/** A seen change that a list had at its last reading, and that no list has any more. */
export interface GoneChange extends Omit<SeenTable, "collection_id"> {
  /** UTC seconds: the newest change that its list had. */
  readonly newestOfList: number;
}

/** What the lists that were read again or dropped had at their last reading. */
export interface GoneChanges {
  /** How many changes. */
  readonly listedBefore: number;
  /** They named some page twice: a log, and not a list of pages with the time of their last change. */
  readonly isLog: boolean;
  /** Those of resources with unseen changes, the oldest first. */
  readonly gone: readonly GoneChange[];
}

/** Replacements in one reading that may be corrections by hand, or chance. More of them are a re-dated log. */
const FEW = 10;

/**
 * Where a log was re-dated: the gone changes that its unseen ones replace, by the identities of these; else nothing.
 * Digests decide before times. More than a few changes with digests of gone ones prove a re-dated log. Without digests
 * it must be a log, and most of it must be replaced, on more than a few pages: logs on few pages look alike.
 *
 * @param unseen the oldest first
 * @param standing seen changes that the lists have now
 */
export function replacements(
  unseen: readonly IdentifiedChange[],
  standing: readonly IdentifiedChange[],
  { listedBefore, isLog, gone }: GoneChanges,
): ReadonlyMap<string, string> {
  if (gone.length <= FEW) return NOTHING;
  const left = new LeftChanges(gone, newestIn(standing, gone));
  const sure = pairs(unseen, (change) => left.takeSameBytes(change));
  const isSure = sure.size > FEW;
  const others = unseen.filter(({ identity }) => !sure.has(identity));
  const likely = pairs(others, (change) => left.takeSameKind(change, isSure));
  const all = new Map([...sure, ...likely]);
  const pages = new Set(
    unseen.filter(({ identity }) => all.has(identity)).map((change) => pageAndKind(change)),
  );
  const isLikely = isLog && all.size > listedBefore / 2 && pages.size > FEW;
  return isSure || isLikely ? all : NOTHING;
}

const NOTHING: ReadonlyMap<string, string> = new Map();

function pairs(
  changes: readonly IdentifiedChange[],
  take: (change: IdentifiedChange) => GoneChange | undefined,
): Map<string, string> {
  const taken = new Map<string, string>();
  for (const change of changes) {
    const gone = take(change);
    if (gone !== undefined) taken.set(change.identity, gone.identity);
  }
  return taken;
}

function pageAndKind(change: IdentifiedChange): string {
  return `${resourceKey(change)} ${change.kind}`;
}

/** The newest known time of each resource. */
function newestIn(
  standing: readonly IdentifiedChange[],
  gone: readonly GoneChange[],
): ReadonlyMap<string, number> {
  const newest = new Map<string, number>();
  const note = (resource: string, datetime: number) =>
    newest.set(resource, Math.max(newest.get(resource) ?? datetime, datetime));
  for (const { resource, datetime } of gone) note(resource, datetime);
  for (const change of standing) note(resourceKey(change), change.datetime);
  return newest;
}

/** Gone changes that nothing replaces yet. Each is looked at a few times, however many there are. */
class LeftChanges {
  readonly #taken = new Set<GoneChange>();
  /** By resource and digest; the oldest last. */
  readonly #byDigest = new Map<string, GoneChange[]>();
  /** By resource and kind; the oldest last. */
  readonly #byKind = new Map<string, GoneChange[]>();
  /** The last change of a resource, where it is gone. */
  readonly #last = new Map<string, GoneChange>();

  /** @param gone the oldest first */
  constructor(gone: readonly GoneChange[], newest: ReadonlyMap<string, number>) {
    for (const one of gone.toReversed()) {
      const { resource, kind, hash, datetime } = one;
      for (const digest of digestsIn(hash)) add(this.#byDigest, `${resource} ${digest}`, one);
      add(this.#byKind, `${resource} ${kind}`, one);
      if (datetime === newest.get(resource)) this.#last.set(resource, one);
    }
  }

  /**
   * One with the digest of a change. The change is older than the newest that its list had; else it
   * must be the last one of its page, or other bytes came between.
   */
  takeSameBytes(change: IdentifiedChange): GoneChange | undefined {
    const resource = resourceKey(change);
    for (const digest of digestsIn(change.hash)) {
      const found = this.#take(this.#byDigest.get(`${resource} ${digest}`), (gone) =>
        isOlder(change, gone),
      );
      if (found !== undefined) return found;
    }
    const last = this.#last.get(resource);
    if (last === undefined || compareDigests(change.hash, last.hash) !== "agree") return undefined;
    return this.#take([last], () => true);
  }

  /** One of the same kind, for a change without a digest. */
  takeSameKind(change: IdentifiedChange, isSure: boolean): GoneChange | undefined {
    if (change.hash !== undefined) return undefined;
    return this.#take(
      this.#byKind.get(pageAndKind(change)),
      (gone) => isOlder(change, gone) || (isSure && change.kind === "deleted"),
    );
  }

  /** @param candidates what one change may not replace, no newer change may: it is dropped */
  #take(
    candidates: GoneChange[] | undefined,
    may: (gone: GoneChange) => boolean,
  ): GoneChange | undefined {
    for (let gone = candidates?.pop(); gone !== undefined; gone = candidates?.pop()) {
      if (this.#taken.has(gone) || !may(gone)) continue;
      this.#taken.add(gone);
      return gone;
    }
    return undefined;
  }
}

function isOlder({ datetime }: IdentifiedChange, { newestOfList }: GoneChange): boolean {
  return datetime < newestOfList;
}

function add<Name, One>(map: Map<Name, One[]>, name: Name, one: One): void {
  const some = map.get(name);
  if (some === undefined) map.set(name, [one]);
  else some.push(one);
}
