import { randomUUID } from "node:crypto";
import { HarvestError, type ListReading } from "@rs-emit/reader";
import type { Transaction } from "kysely";
import { identifiedIn } from "../changes/identified.ts";
import type { CollectionRow } from "../store/collection.ts";
import { documentsOf } from "../store/document.ts";
import { appendToFeeds, askForPings } from "../store/feed.ts";
import { robotsOf } from "../store/host.ts";
import { Leases, releaseHosts, takeHost } from "../store/leases.ts";
import { inTransaction } from "../store/portable.ts";
import type { Schema } from "../store/schema.ts";
import {
  findSource,
  forgetAttempt,
  noteAttempts,
  noteRetry,
  noteUnended,
  type SourceRow,
} from "../store/source.ts";
import { foundNowhere } from "./collections.ts";
import { compareAll } from "./compare-lists.ts";
import { type CheckResult, decide } from "./decide.ts";
import { countReported, decideLog } from "./decide-collections.ts";
import { Effort, LONGEST_EFFORT } from "./effort.ts";
import type { Check } from "./facts.ts";
import type { Harvester } from "./harvester.ts";
import { homesOf } from "./home.ts";
import { recallChanges } from "./memory.ts";
import { readFacts, StoppedError } from "./read-facts.ts";
import { recall } from "./recall.ts";
import { pauseAfter } from "./schedule.ts";
import { storeCollections, storeDecisions, storeHosts } from "./store.ts";

/** Seconds until a retry, when another worker is asking the source's host. */
const RETRY = 5;

/**
 * Checks a source once, due or not (IFCC-0001, "Checking for Updates"), and records its problems.
 */
export async function checkSource(harvester: Harvester, sourceId: number): Promise<CheckResult> {
  const { database, now } = harvester;
  const source = await findSource(database, sourceId);
  if (source === undefined) return { kind: "postponed", until: now() + RETRY };
  const token = randomUUID();
  const state = await takeHost(database, source.host, token, now());
  if (typeof state === "object") return { kind: "postponed", until: state.busyUntil };
  if (state !== "free") return { kind: "postponed", until: now() + RETRY };
  using leases = new Leases(database);
  leases.add(token);
  const taken = { hosts: [source.host], tokens: [token] };
  try {
    harvester.robots?.learn(await robotsOf(database, taken.hosts));
    await beginCheck(harvester, source);
    const remembered = await documentsOf(database, [source.id]);
    const facts = await readFacts(harvester, source, remembered.get(source.id) ?? new Map());
    const [result] = await recordChecks(harvester, [{ source, token, facts }], taken);
    return result ?? { kind: "postponed", until: now() };
  } catch (error) {
    await forgetAttempt(database, source.id);
    await releaseHosts(database, taken.hosts, taken.tokens);
    if (error instanceof StoppedError) return { kind: "postponed", until: now() };
    throw error;
  }
}

/**
 * Notes that a check begins, before it does. A source whose last check did not end shows that, and is tried later, should
 * this one not end either.
 */
export async function beginCheck(
  { database, now }: Pick<Harvester, "database" | "now">,
  { id, address, attempts }: Pick<SourceRow, "id" | "address" | "attempts">,
): Promise<void> {
  if (attempts === 0) return noteAttempts(database, [id]);
  const problem = new UnendedError(address ?? "", attempts);
  await noteRetry(database, { id, now: now(), next: now() + pauseAfter(attempts), problem });
}

export interface Released {
  readonly hosts: readonly string[];
  readonly tokens: readonly string[];
}

/**
 * Records checks in one transaction, and returns the results in order: reads what is stored, decides, and stores. Skips
 * sources that another worker has meanwhile.
 *
 * @param released hosts whose checks are all among `checks`
 */
export async function recordChecks(
  harvester: Harvester,
  checks: readonly Check[],
  released: Released,
): Promise<CheckResult[]> {
  const { settings, random } = harvester;
  const now = harvester.now();
  return inTransaction(harvester.database, async (transaction) => {
    const effort = new Effort(harvester.processorTime);
    const { decisions, news } = await effort.of(async () => {
      const stored = await recall(transaction, checks, now);
      const homes = homesOf(checks, stored);
      const compared = await compareAll(transaction, checks, stored, homes, now);
      const decisions = checks.map((check) =>
        decide(check, stored.sources.get(check.source.id), homes.get(check), compared.get(check), {
          settings,
          now,
          random: random(),
        }),
      );
      return { decisions, news: await storeDecisions(transaction, decisions, now) };
    });
    // Of checks that are recorded together each has little to record.
    const recording = checks.length === 1 ? effort.seconds : 0;
    for (const { source, facts } of checks) {
      if ((facts.effort ?? 0) + recording > LONGEST_EFFORT) await putOff(transaction, source, now);
    }
    await storeHosts(transaction, harvester.robots, checks);
    await releaseHosts(transaction, released.hosts, released.tokens);
    if (settings.hasHub) await askForPings(transaction, news, now);
    await appendToFeeds(transaction, news);
    return decisions.map(({ result }) => result);
  });
}

/** What a check has found counts; but it took so long that the source is tried as one whose check did not end. */
async function putOff(
  transaction: Transaction<Schema>,
  { id, address, attempts: before }: Pick<SourceRow, "id" | "address" | "attempts">,
  now: number,
): Promise<void> {
  const attempts = before + 1;
  const problem = new UnendedError(address ?? "", attempts);
  await noteUnended(transaction, { id, attempts, next: now + pauseAfter(attempts), problem });
}

/**
 * Records pushed changes that are in no list yet; the list repeats them later. The caller locks the
 * source. Returns how many are in new entries.
 */
export async function recordPushed(
  transaction: Transaction<Schema>,
  harvester: Harvester,
  row: CollectionRow,
  notification: Omit<ListReading, "url">,
): Promise<number> {
  const { settings } = harvester;
  const now = harvester.now();
  const stated = identifiedIn({ ...notification, url: "" }, row.base_url);
  if (stated.length === 0) return 0;
  const [known] = await recallChanges(transaction, [foundNowhere(row, stated)], now);
  if (known === undefined) return 0;
  const decision = decideLog(known, {}, { settings, now });
  const news = await storeCollections(transaction, [decision], new Map(), now);
  if (settings.hasHub) await askForPings(transaction, news, now);
  await appendToFeeds(transaction, news);
  return countReported([decision]);
}

/** The harvester was killed while it checked a source, or worked very long on it. */
export class UnendedError extends HarvestError {
  readonly code = "UNENDED";
  /** @param times checks in a row that did not end */
  constructor(address: string, times: number) {
    const checks = times === 1 ? "The last check" : `The last ${times} checks`;
    super(
      `${checks} of ${address} did not end in time: the harvester was killed, ran out of memory, or worked on it for ` +
        `more than ${LONGEST_EFFORT} s. It is tried later each time, and alone.`,
    );
  }
}
