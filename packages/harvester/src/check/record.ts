import type { Transaction } from "kysely";
import type { KnownRobots } from "../http/robots.ts";
import { notesOnWatch } from "../lists/words.ts";
import { siteHost } from "../read/place.ts";
import type { Reading } from "../read/reading.ts";
import { sourceComparing } from "../store/collection.ts";
import { BlockedError } from "../store/errors.ts";
import { appendToFeeds } from "../store/feed.ts";
import { checkSoon, endFollowing } from "../store/following.ts";
import { isBlocked, keepRobots, leaveAlone, refreshDue, releaseHosts } from "../store/host.ts";
import { askForPings } from "../store/ping.ts";
import type { Schema } from "../store/schema.ts";
import {
  lockHeld,
  type SourceEnd,
  type SourceRow,
  siteKey,
  sourceAt,
  updateSources,
} from "../store/source.ts";
import { keepChecks, type NotedCheck } from "../store/source-check.ts";
import { inTransaction } from "../store/store.ts";
import { watchOf } from "../store/watch.ts";
import { LostLeaseError } from "./errors.ts";
import { FeedWriter } from "./feed-writer.ts";
import { endComparing } from "./handover.ts";
import type { Harvester } from "./harvester.ts";
import { PAUSES } from "./next-check.ts";
import { hasUnread, nextState } from "./next-state.ts";
import type { CheckResult, Outcome, SourceReading } from "./outcome.ts";
import { recordLists } from "./record-lists.ts";
import { recordReadings, type SourceNews } from "./record-readings.ts";

export interface Released {
  readonly hosts: readonly string[];
  readonly tokens: readonly string[];
}

interface Held {
  readonly outcome: Outcome;
  readonly before: SourceRow;
  end: SourceEnd;
  result: CheckResult;
}

/**
 * Records checks in one transaction, and returns the results in order. Skips sources that another
 * worker has meanwhile.
 * @param released hosts whose checks are all among `outcomes`
 */
export async function record(
  harvester: Harvester,
  outcomes: readonly Outcome[],
  released: Released,
): Promise<CheckResult[]> {
  return inTransaction(harvester.database, async (transaction) => {
    const results = await recordIn(transaction, harvester, outcomes);
    const paused = new Map(outcomes.flatMap(({ finding }) => [...finding.busy]));
    await leaveAlone(transaction, paused);
    await keepRobots(transaction, robotsRead(harvester, outcomes));
    await releaseHosts(transaction, released.hosts, released.tokens);
    await appendToFeeds(transaction, results.news, harvester.now());
    return outcomes.map((outcome) => results.byOutcome.get(outcome) ?? lost(outcome));
  });
}

function robotsRead({ robots }: Harvester, outcomes: readonly Outcome[]) {
  const read = new Map<string, KnownRobots>();
  for (const { source, finding } of outcomes) {
    const url = URL.parse(finding.descriptionUrl ?? source.address ?? "");
    const news = url?.hostname === source.host ? robots?.takeNews(url.origin) : undefined;
    if (news !== undefined) read.set(source.host, news);
  }
  return read;
}

async function recordIn(
  transaction: Transaction<Schema>,
  harvester: Harvester,
  outcomes: readonly Outcome[],
) {
  const locked = await lockHeld(
    transaction,
    outcomes.map(({ source, token }) => ({ id: source.id, host: source.host, token })),
  );
  const held: Held[] = [];
  for (const outcome of outcomes) {
    const source = locked.get(outcome.source.id);
    if (source === undefined) continue;
    held.push(await begin(transaction, harvester, outcome, source));
  }
  const readings = held.flatMap(({ outcome, result, end }): SourceReading[] => {
    const { read, remembered } = outcome.finding;
    const counts = read !== undefined && result.kind !== "merged" && end.state !== "blocked";
    return counts ? [{ source: end, remembered, ...read }] : [];
  });
  const feeds = new FeedWriter(transaction, harvester);
  const bySource = await recordReadings(transaction, readings, harvester, feeds);
  for (const one of held) finish(one, bySource.get(one.end.id), harvester.now());
  for (const one of held) await recordListsOf(transaction, one, feeds, harvester);
  await keepChecks(
    transaction,
    held.flatMap((one) => noteCheck(one, harvester.now())),
  );
  await updateSources(
    transaction,
    held.filter(({ result }) => result.kind !== "merged"),
  );
  const moved = held.filter(({ outcome, end }) => end.host !== outcome.source.host);
  await refreshDue(transaction, moved.map(({ end }) => end.host).sort());
  if (harvester.settings.hasHub) await askForPings(transaction, feeds.news, harvester.now());
  return {
    byOutcome: new Map(held.map(({ outcome, result }) => [outcome, result])),
    news: feeds.news,
  };
}

/** Compares the lists of a site that tells no changes; ends that where it does now. */
async function recordListsOf(
  transaction: Transaction<Schema>,
  held: Held,
  feeds: FeedWriter,
  harvester: Harvester,
): Promise<void> {
  const { outcome, end, result } = held;
  const { lists } = outcome.finding;
  if (result.kind === "merged" || end.state === "blocked") return;
  if (outcome.source.from_lists === 1 && end.tells_changes === 1) {
    await endComparing(transaction, end.id, feeds);
  }
  if (lists === undefined) return;
  const [root = ""] = lists.roots;
  const isFirst = lists.before?.began_at == null;
  const other = isFirst ? await sourceComparing(transaction, root, end.id) : undefined;
  if (other !== undefined) {
    await endFollowing(transaction, end.id);
    held.result = { kind: "merged", into: other };
    return;
  }
  const now = harvester.now();
  const { told, isUnchanged, hasMore } = await recordLists(
    transaction,
    feeds,
    outcome.source,
    lists,
    now,
  );
  if (told > 0) held.end = { ...held.end, last_change: now };
  if (hasMore) held.end = { ...held.end, next_check: now + PAUSES.unread };
  if (!("told" in result)) return;
  const watch = await watchOf(transaction, end.id);
  const notes = [...result.notes, ...notesOnWatch(lists.before, watch)];
  const compared = { isHeld: watch?.is_held === 1 };
  held.result = { ...result, told: result.told + told, notes, compared };
  if (held.result.kind !== "checked") return;
  const { isUnchanged: isAsBefore, hasUnread: isMore } = held.result;
  held.result = {
    ...held.result,
    isUnchanged: isAsBefore && isUnchanged,
    hasUnread: isMore || hasMore,
  };
}

async function begin(
  transaction: Transaction<Schema>,
  harvester: Harvester,
  outcome: Outcome,
  source: SourceRow,
): Promise<Held> {
  const { finding } = outcome;
  const end = nextState(harvester, source, outcome.source, finding);
  const held = { outcome, before: source, end, result: resultOf(outcome, end) };
  if (source.description_url === null) await adopt(transaction, held, harvester.now());
  if (finding.read !== undefined && held.result.kind !== "merged" && held.end.state !== "blocked") {
    const move = await moveOf(transaction, held.end, finding.read.reading);
    held.end = { ...held.end, ...move };
  }
  return held;
}

function resultOf({ finding }: Outcome, end: SourceEnd): CheckResult {
  const { error, read } = finding;
  const next = end.next_check ?? undefined;
  if (error !== undefined) return { kind: "failed", error, told: 0, notes: [], nextCheck: next };
  const isUnchanged = read === undefined || read.reading.documents.length === 0;
  return {
    kind: "checked",
    told: 0,
    isUnchanged,
    hasUnread: hasUnread(finding),
    notes: [],
    nextCheck: next ?? 0,
  };
}

/**
 * Records the Source Description's URL. Of two sources with one URL the newer ends, and the older
 * is checked again if it was given up.
 */
async function adopt(transaction: Transaction<Schema>, held: Held, now: number): Promise<void> {
  const { end, outcome } = held;
  const { descriptionUrl } = outcome.finding;
  if (descriptionUrl === undefined) return;
  const host = new URL(descriptionUrl).hostname;
  const other = await sourceAt(transaction, descriptionUrl, end.id);
  if (other !== undefined) {
    await endFollowing(transaction, end.id);
    if (other.state !== "followed" && other.state !== "paused") {
      await checkSoon(transaction, other.id, now);
    }
    held.result = { kind: "merged", into: other.id };
  } else if (await isBlocked(transaction, host)) {
    const error = new BlockedError(host);
    const problem = { problem_code: error.code, problem: error.message };
    held.end = { ...end, ...problem, host, state: "blocked", next_check: null };
    held.result = { kind: "failed", error, told: 0, notes: [], nextCheck: undefined };
  } else {
    const place = { description_url: descriptionUrl, site_key: siteKey(descriptionUrl), host };
    held.end = { ...end, ...place };
    // Two sources of this transaction may have found the same site.
    await updateSources(transaction, [held]);
  }
}

/** Checks in a row that must find the same permanent redirect before the address changes. */
const SIGHTINGS = 3;

async function moveOf(transaction: Transaction<Schema>, source: SourceEnd, reading: Reading) {
  const { movedTo } = reading;
  if (movedTo === undefined || movedTo === source.description_url) {
    return { moved_to: null, moved_sightings: 0 };
  }
  const moved_sightings = movedTo === source.moved_to ? source.moved_sightings + 1 : 1;
  const host = new URL(movedTo).hostname;
  const isFollowed =
    moved_sightings >= SIGHTINGS &&
    hasMovedWhole(reading, movedTo) &&
    (await sourceAt(transaction, movedTo, source.id)) === undefined &&
    !(await isBlocked(transaction, host));
  if (!isFollowed) return { moved_to: movedTo, moved_sightings };
  return {
    description_url: movedTo,
    site_key: siteKey(movedTo),
    host,
    moved_to: null,
    moved_sightings: 0,
  };
}

/** Whether all documents use the new host. While any names the old one, the address stays. */
function hasMovedWhole({ collections }: Reading, movedTo: string): boolean {
  const host = siteHost(movedTo);
  return collections.every(({ url, capabilityListUrl, listUrls }) =>
    [url, capabilityListUrl, ...listUrls].every((named) => siteHost(named) === host),
  );
}

function finish(held: Held, news: SourceNews | undefined, now: number): void {
  if (news === undefined) return;
  const { end, result } = held;
  held.end = {
    ...end,
    last_change: news.told > 0 ? now : end.last_change,
    notice: news.redated?.notice ?? end.notice,
    notes: news.notes === undefined ? end.notes : JSON.stringify(news.notes),
    description:
      news.description === undefined ? end.description : JSON.stringify(news.description),
  };
  if (!("told" in result)) return;
  const { told, redated, notes = [] } = news;
  held.result = { ...result, told, notes, ...(redated === undefined ? {} : { redated }) };
}

/** Counts a check without changes; returns any other one, to be recorded. */
function noteCheck(held: Held, time: number): NotedCheck[] {
  const { end, result } = held;
  if (result.kind === "merged" || result.kind === "postponed") return [];
  if (result.kind === "checked" && result.isUnchanged && result.told === 0) {
    held.end = { ...end, quiet_checks: end.quiet_checks + 1 };
    return [];
  }
  const { id: source_id, quiet_checks: quiet, noted_checks: number, problem_code, problem } = end;
  held.end = { ...end, quiet_checks: 0, noted_checks: number + 1 };
  return [{ source_id, number, time, told: result.told, quiet, problem_code, problem }];
}

function lost({ source }: Outcome): CheckResult {
  const error = new LostLeaseError(source.address ?? "");
  return { kind: "failed", error, told: 0, notes: [], nextCheck: undefined };
}
