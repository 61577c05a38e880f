import { HarvestError, HOSTS_AT_ONCE } from "@rs-emit/reader";
import { checkNow } from "../check/check.ts";
import { crashedError } from "../check/crashed-or-slow.ts";
import type { CheckResult, ComparedLists } from "../check/decide.ts";
import { type Harvester, inTurn } from "../check/harvester.ts";
import type { Redated } from "../check/notices.ts";
import { farthestCheck } from "../check/schedule.ts";
import { type Standing, standingOf } from "../health-names.ts";
import { otherReader } from "../readers/index.ts";
import { type Crashed, crashedAmong } from "../store/check/unfinished-check.ts";
import { siteOf } from "../store/feed-names.ts";
import { type Followed, follow } from "../store/following/following.ts";
import type { FollowedBy } from "../store/schema.ts";
import { findSource } from "../store/source.ts";

/** Checks of one site with very many lists; and those in a row that may bring nothing: by then each list has had its turn. */
const CHECKS = { most: 1000, fruitless: 3 } as const;

/** What the checks of a source gave. */
interface Tally {
  readonly reported: number;
  /** For the site's author. */
  readonly notes: readonly string[];
  /** Each time that the log was found to be re-dated. */
  readonly redated: readonly Redated[];
  readonly checks: number;
  /** The last ones, in a row, that brought nothing. */
  readonly fruitless: number;
  /** What its followers call it, if they do. */
  readonly name: string | undefined;
  readonly followedBy: FollowedBy | undefined;
  /** How the site does, in the words of the service. */
  readonly standing: Standing;
  /** The address of its own feed, where it publishes no more. */
  readonly ownFeed: string | undefined;
  /** The site's address, as far as it is known. */
  readonly site: string | undefined;
  readonly result: CheckResult;
}

/** What is said of an address. Two addresses of one site share a result. */
export interface Outcome extends Tally {
  readonly address: string;
  readonly source: number | undefined;
  /** Present where lists of pages were compared. */
  readonly compared: ComparedLists | undefined;
  readonly result: Exclude<CheckResult, { readonly kind: "merged" }>;
}

export interface ListsChoice {
  /** Lists of pages are compared where a site publishes no Change List. */
  readonly pollSitemaps?: boolean | undefined;
  /** Pages that are missing from the lists are gone. */
  readonly confirmDeletions?: boolean | undefined;
}

export interface CheckProgress {
  /** Called when all of a site is read. */
  readonly advance: (found: Pick<Tally, "reported" | "standing" | "result">) => void;
  /** Called before what may take long, or never end: all lists of very large sites, and sources whose last check did not end. */
  readonly beforeLong: (checked: readonly number[]) => Promise<void>;
}

/**
 * Checks sites until all of their lists are read, one of a host at a time. Results are in order. Sites with more lists than
 * one check reads are read on after the others; sources whose last check did not end come last, one after another.
 */
export async function checkAll(
  harvester: Harvester,
  addresses: readonly string[],
  { pollSitemaps, confirmDeletions }: ListsChoice,
  { advance, beforeLong }: CheckProgress,
): Promise<Outcome[]> {
  const followed = new Map<string, Followed | HarvestError>();
  for (const address of addresses) {
    const one = await tryFollow(harvester, address, pollSitemaps);
    followed.set(address, one);
    if (one instanceof HarvestError) {
      advance(refused(address, one));
      continue;
    }
    if (confirmDeletions) await otherReader.choose(harvester.database, one.id, harvester.now());
  }
  const sources = [...followed.values()].flatMap((one) =>
    one instanceof HarvestError ? [] : [one],
  );
  const crashed = await crashedAmong(harvester.database, sources);
  const calm = sources.filter(({ id }) => !crashed.has(id));
  const tallies = new Map<number, Tally>();
  const isMore = ({ id }: Followed) => hasMore(tallies.get(id));
  await byHost(harvester, calm, async (source) => {
    const isFirst = !tallies.has(source.id);
    const tally = tallies.get(source.id) ?? (await checkOn(harvester, source.id));
    tallies.set(source.id, tally);
    if (!hasMore(tally)) advance(isFirst ? tally : { ...tally, reported: 0 });
  });
  const large = calm.filter(isMore);
  if (crashed.size + large.length > 0) {
    await beforeLong(calm.flatMap((source) => (isMore(source) ? [] : [source.id])));
  }
  await byHost(harvester, large, async ({ id }) => {
    const tally = await checkWhole(harvester, id, tallies.get(id));
    tallies.set(id, tally);
    advance(tally);
  });
  for await (const source of inTurn(harvester, [...crashed.values()])) {
    const tally = await retry(harvester, source);
    tallies.set(source.id, tally);
    advance(tally);
  }
  await checkMerged(harvester, tallies);
  const reported = new Set<number>();
  return [...followed].map(([address, one]) =>
    one instanceof HarvestError
      ? refused(address, one)
      : outcomeOf(address, one.id, tallies, reported),
  );
}

/** Checks a source again whose last check did not end, if its time has come. */
async function retry(harvester: Harvester, source: Crashed): Promise<Tally> {
  const { id, address, unfinished_checks, next_check: nextCheck } = source;
  const now = harvester.now();
  const isFar = (nextCheck ?? 0) > now + farthestCheck(harvester.settings.interval);
  if (nextCheck === null || nextCheck <= now || isFar) return checkWhole(harvester, id);
  const error = crashedError(address ?? "", unfinished_checks);
  return { ...NOTHING, result: { ...FAILED, error, nextCheck } };
}

async function tryFollow(
  { database, now }: Harvester,
  address: string,
  pollSitemaps: boolean | undefined,
): Promise<Followed | HarvestError> {
  try {
    return await follow(database, address, now(), pollSitemaps);
  } catch (error) {
    if (error instanceof HarvestError) return error;
    throw error;
  }
}

const NOTHING = {
  reported: 0,
  notes: [],
  redated: [],
  checks: 0,
  fruitless: 0,
  name: undefined,
  followedBy: undefined,
  standing: "not-read",
  ownFeed: undefined,
  site: undefined,
} as const;

/** A check that did not take place. */
const FAILED = { kind: "failed", condition: "not-read", reported: 0, notes: [] } as const;

function refused(address: string, error: HarvestError): Outcome {
  const result = { ...FAILED, error, nextCheck: undefined };
  return { ...NOTHING, compared: undefined, address, source: undefined, result };
}

/** Many hosts at once, of each one source at a time. */
async function byHost(
  harvester: Harvester,
  sources: readonly Followed[],
  check: (source: Followed) => Promise<void>,
): Promise<void> {
  const hosts = Map.groupBy(sources, ({ host }) => host).values();
  const checkHosts = async () => {
    for (const ofHost of hosts) {
      for await (const source of inTurn(harvester, ofHost)) await check(source);
    }
  };
  await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, checkHosts));
}

/** Checks sources that this run only reached by merging. */
async function checkMerged(harvester: Harvester, tallies: Map<number, Tally>): Promise<void> {
  for (const { result } of [...tallies.values()]) {
    if (result.kind !== "merged" || tallies.has(result.into)) continue;
    tallies.set(result.into, await checkWhole(harvester, result.into));
  }
}

/** Checks a source until all of its lists are read, or had their turn. */
async function checkWhole(harvester: Harvester, source: number, begun?: Tally): Promise<Tally> {
  let tally = begun ?? (await checkOn(harvester, source));
  while (hasMore(tally)) tally = await checkOn(harvester, source, tally);
  return tally;
}

function hasMore(tally: Tally | undefined): boolean {
  if (tally?.result.kind !== "checked" || !tally.result.hasUnread) return false;
  return tally.checks < CHECKS.most && tally.fruitless < CHECKS.fruitless;
}

/** Checks a source once more. */
async function checkOn(
  harvester: Harvester,
  source: number,
  before: Omit<Tally, "result"> = NOTHING,
): Promise<Tally> {
  const result = await checkNow(harvester, source);
  const { reported = 0, notes = [], redated = undefined } = "reported" in result ? result : {};
  const isFruitful = result.kind === "checked" && result.isFruitful;
  const row = await findSource(harvester.database, source);
  return {
    reported: before.reported + reported,
    notes: [...new Set([...before.notes, ...notes])],
    redated: redated === undefined ? before.redated : [...before.redated, redated],
    checks: before.checks + 1,
    fruitless: isFruitful ? 0 : before.fruitless + 1,
    name: row?.name ?? undefined,
    followedBy: row?.followed_by ?? undefined,
    standing: result.kind === "postponed" || row === undefined ? "waiting" : standingOf(row),
    ownFeed: row?.own_feed ?? undefined,
    site: row && siteOf(row),
    result,
  };
}

/** @param reported sources already reported for another address */
function outcomeOf(
  address: string,
  source: number,
  tallies: ReadonlyMap<number, Tally>,
  reported: Set<number>,
): Outcome {
  const tally = tallies.get(source);
  if (tally === undefined) throw new Error(`source ${source} was not checked`);
  const { result } = tally;
  if (result.kind === "merged") {
    const whole = outcomeOf(address, result.into, tallies, reported);
    const { site = whole.address } = whole;
    return {
      ...whole,
      notes: [`It is the same site as ${site}, and followed with it.`, ...whole.notes],
    };
  }
  const isFirst = !reported.has(source);
  reported.add(source);
  const compared = result.kind === "postponed" ? undefined : result.compared;
  const once = isFirst ? {} : { reported: 0, redated: [] };
  return { ...tally, ...once, address, source, compared, result };
}
