import { randomUUID } from "node:crypto";
import type { ListReading } from "@rs-emit/reader";
import type { Transaction } from "kysely";
import { identifiedIn } from "../changes/identified.ts";
import type { CollectionRow } from "../store/check/collection.ts";
import { forgetBegun } from "../store/check/unfinished-check.ts";
import { inTransaction } from "../store/dialects.ts";
import { robotsOf } from "../store/host.ts";
import { Leases, releaseHost, takeHost } from "../store/host-leases.ts";
import type { Database, Schema } from "../store/schema.ts";
import { findSource, type SourceRow, writeSchedule } from "../store/source.ts";
import { foundNowhere } from "./collections.ts";
import { beginCheck, putOff } from "./crashed-or-slow.ts";
import { type CheckResult, decide } from "./decide.ts";
import { countReported, decideLog } from "./decide-collections.ts";
import type { Check } from "./facts.ts";
import type { Circumstances, Harvester } from "./harvester.ts";
import { recallChanges, recallReported } from "./known-changes.ts";
import { Effort, LONGEST_EFFORT } from "./processor-time.ts";
import { readFacts, StoppedError } from "./read-facts.ts";
import { recall, recallNothing } from "./recall.ts";
import { sourceIdentityOf } from "./source-identity.ts";
import { robotsNews, storeDecision, storeHost, storePushed } from "./store-decision.ts";

/** A source whose host is leased. */
interface LeasedSource {
  readonly source: SourceRow;
  readonly token: string;
}

/** What differs where a worker checks. */
export interface CheckHooks {
  /** How a source is read. */
  readonly ask?: typeof readFacts | undefined;
  /** Stores what a check has read, or tries again until it can. */
  readonly storing?: (store: () => Promise<CheckResult>) => Promise<CheckResult>;
}

/**
 * Checks a source (IFCC-0001, "Checking for Updates"): reads what it publishes, decides what is new, and stores that in one
 * transaction. A killed check leaves its attempt; all else is as if it had not begun.
 *
 * @throws {StoppedError} at a stop
 */
export async function checkSource(
  harvester: Harvester,
  { source, token }: LeasedSource,
  { ask = readFacts, storing = (store) => store() }: CheckHooks = {},
): Promise<CheckResult> {
  const { database } = harvester;
  const remembered = await beginCheck(harvester, source);
  try {
    const facts = await ask(harvester, source, remembered);
    using _observation = facts.observation;
    return await storing(() => recordCheck(harvester, { source, token, facts }));
  } catch (error) {
    // Where the database is away, this is no news: the attempt stays.
    await forgetBegun(database, source.id).catch(() => {});
    throw error;
  }
}

/** Decides what becomes of a source, from what was read and what is stored of it, and stores that. */
export async function recordCheck(harvester: Harvester, check: Check): Promise<CheckResult> {
  const { database, settings, random, robots } = harvester;
  const { source, facts } = check;
  const now = harvester.now();
  const circumstances = { settings, now, random: random() };
  const readRobots = robotsNews(robots, check);
  if (readRobots === undefined) {
    const quiet = await recordQuiet(database, check, circumstances);
    if (quiet !== undefined) return quiet;
  }
  const result = await inTransaction(database, async (transaction) => {
    const effort = new Effort(harvester.processorTime);
    const decision = await effort.of(async () => {
      const stored = await recall(transaction, check, now);
      const identity = stored && sourceIdentityOf(stored, facts);
      const observation = identity?.kind === "own" ? facts.observation : undefined;
      const observed = stored && (await observation?.keep(transaction, stored.source, now));
      const decision = decide(check, stored, identity, observed, circumstances);
      await storeDecision(transaction, decision, { settings, now });
      return decision;
    });
    if ((facts.effort ?? 0) + effort.seconds > LONGEST_EFFORT) {
      const { unfinished_checks } = source;
      await putOff(transaction, { ...(decision.change?.end ?? source), unfinished_checks }, now);
    }
    await storeHost(transaction, check, readRobots);
    return decision.result;
  });
  if (readRobots !== undefined) robots?.noteStored(readRobots);
  return result;
}

/**
 * Stores a check that found nothing new with one statement.
 *
 * @returns `undefined` where it takes a transaction: there is more to store, or somebody has changed the source meanwhile
 */
async function recordQuiet(
  database: Database,
  check: Check,
  circumstances: Circumstances,
): Promise<CheckResult | undefined> {
  const { source, token, facts } = check;
  const isLong = (facts.effort ?? 0) > LONGEST_EFFORT;
  if (source.unfinished_checks > 0 || facts.busy.size > 0 || isLong) return undefined;
  const stored = recallNothing(source, facts);
  if (stored === undefined) return undefined;
  const identity = sourceIdentityOf(stored, facts);
  const { change, result } = decide(check, stored, identity, undefined, circumstances);
  const isStored = change && (await writeSchedule(database, source, change.end, token));
  return isStored ? result : undefined;
}

/** Seconds until a retry, when another worker is asking the source's host. */
const RETRY = 5;

/** Checks a source once, due or not, if nobody asks its host. */
export async function checkNow(harvester: Harvester, id: number): Promise<CheckResult> {
  const { database, now, robots } = harvester;
  const source = await findSource(database, id);
  if (source === undefined) return { kind: "postponed", until: now() + RETRY };
  const token = randomUUID();
  const state = await takeHost(database, source.host, token, now());
  if (typeof state === "object") return { kind: "postponed", until: state.busyUntil };
  if (state !== "free") return { kind: "postponed", until: now() + RETRY };
  using leases = new Leases(database);
  leases.add(token);
  try {
    robots?.learn(await robotsOf(database, source.host));
    return await checkSource(harvester, { source, token });
  } catch (error) {
    if (error instanceof StoppedError) return { kind: "postponed", until: now() };
    throw error;
  } finally {
    await releaseHost(database, source.host, token);
  }
}

/**
 * Records pushed changes that are in no list yet; the list repeats them later. The caller locks the
 * source. Returns how many are in new entries.
 */
export async function recordPushed(
  transaction: Transaction<Schema>,
  { settings, now: clock }: Harvester,
  row: CollectionRow,
  notification: Omit<ListReading, "url">,
): Promise<number> {
  const now = clock();
  const listed = identifiedIn({ ...notification, url: "" }, row.base_url);
  if (listed.length === 0) return 0;
  const known = await recallChanges(transaction, foundNowhere(row, listed), now);
  const reported = await recallReported(transaction, [known]);
  const decided = decideLog(known, reported, {}, { settings, now });
  await storePushed(transaction, decided, { settings, now });
  return countReported([decided]);
}
