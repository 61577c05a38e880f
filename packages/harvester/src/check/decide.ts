import { HarvestError, type RememberedDocument } from "@rs-emit/reader";
import { isUnfollowed } from "../health-names.ts";
import { blockedError } from "../store/errors.ts";
import type { Condition } from "../store/schema.ts";
import type { SourceRow } from "../store/source.ts";
import {
  type CollectionDecision,
  countReported,
  type DecidedCollection,
  decideLog,
  decideObserved,
} from "./decide-collections.ts";
import { conditionSince, findingOf } from "./decide-condition.ts";
import { type Check, hasContent, hasUnread, publishesChanges, unnamedDocuments } from "./facts.ts";
import type { Circumstances } from "./harvester.ts";
import { type Loss, lossAfter, lossNotice } from "./lost-log.ts";
import { notesOn, type Redated, redatedNotice } from "./notices.ts";
import type { Observed } from "./reader.ts";
import type { Stored } from "./recall.ts";
import { scheduleAfter } from "./schedule.ts";
import type { SourceIdentity } from "./source-identity.ts";

/** A check that compared lists of pages. What followers should know is in its notes. */
export type ComparedLists = Pick<Observed, "awaitsConfirmation">;

/** What a check found, and what is said of it. */
interface Outcome {
  /** How the source does now. */
  readonly condition: Condition;
  /** Changes in new entries. */
  readonly reported: number;
  /** For the source's author. What is not read again is said again while it holds. */
  readonly notes: readonly string[];
  readonly redated?: Redated;
  readonly compared?: ComparedLists;
}

export type CheckResult =
  | (Outcome & {
      readonly kind: "checked";
      /** Every document is as remembered. */
      readonly isUnchanged: boolean;
      readonly hasUnread: boolean;
      /** It reported a change, or read a document for the first time. */
      readonly isFruitful: boolean;
      readonly nextCheck: number;
    })
  | (Outcome & {
      readonly kind: "failed";
      readonly error: HarvestError;
      readonly nextCheck: number | undefined;
    })
  /** Another worker checks it, its host asked to wait, or the harvester stops. */
  | { readonly kind: "postponed"; readonly until: number }
  /** The site is already followed as another source. */
  | { readonly kind: "merged"; readonly into: number };

/** How a check is counted: that a site has no change log is no failure. */
export type CountedOutcome = CheckResult["kind"] | "no-change-log";

export function countedOutcome(result: CheckResult): CountedOutcome {
  const isSilent = result.kind === "failed" && isUnfollowed(result.condition);
  return isSilent ? "no-change-log" : result.kind;
}

/** What becomes of a source after a check, and what is said of it. */
export interface Decision {
  readonly result: CheckResult;
  /** It ends: another source is the same site. */
  readonly merge?: MergedSource;
  /** What is stored of it. */
  readonly change?: SourceChange;
}

export type MergedSource = Extract<SourceIdentity, { readonly kind: "merged" }> & {
  readonly id: number;
};

/** All that is stored of a source after a check. */
export interface SourceChange {
  /** Its row as it was, and as it is from now on. */
  readonly before: SourceRow;
  readonly end: SourceRow;
  /** Its feed describes it in another way. */
  readonly isDescribed: boolean;
  readonly logs: readonly DecidedCollection[];
  /** Of what another reader observes. */
  readonly observed: CollectionDecision | undefined;
  readonly documents: readonly RememberedDocument[];
  /** Ids of documents that nothing names any more. */
  readonly unnamed: readonly number[];
  /** Changes in new entries. */
  readonly reported: number;
}

/**
 * Decides what becomes of a source, from what was read and what is stored of it.
 *
 * @param stored absent if another worker has the source now, or it is not followed any more
 */
export function decide(
  check: Check,
  stored: Stored | undefined,
  identity: SourceIdentity | undefined,
  observed: Observed | undefined,
  circumstances: Circumstances,
): Decision {
  if (stored === undefined || identity === undefined) return { result: lost(check) };
  if (identity.kind === "merged") {
    const { into } = identity;
    return { result: { kind: "merged", into }, merge: { ...identity, id: stored.source.id } };
  }
  const isBlocked = identity.kind === "blocked";
  const facts = isBlocked ? blocked(check.facts, identity.host) : check.facts;
  const { reading, descriptions } = facts;
  const { source: row } = stored;
  const isRead = hasContent(facts);
  const events = new Set(stored.reported);
  const logs = (isRead ? stored.collections : []).map((known) =>
    decideLog(known, events, { ...stored, facts }, circumstances),
  );
  const hasChangeList = publishesChanges(row, facts);
  const ends = hasChangeList ? stored.handOver?.ends : undefined;
  const decided = decideObserved(observed, ends, circumstances);
  const found: Found = {
    reported: countReported(decided === undefined ? logs : [...logs, decided]),
    title: observed?.title,
    redated: redatedNotice(logs, circumstances.now),
    loss: lossAfter(row, facts, circumstances.now),
    notes:
      isRead && reading !== undefined ? notesOn(row, reading, circumstances.settings) : undefined,
    isUnchanged: (reading?.documents ?? []).length === 0 && observed?.isUnchanged !== false,
    isUnread: hasUnread(facts),
    hasMore: observed?.hasMore ?? false,
    hasChangeList,
  };
  const end = rowAfter({ ...check, facts }, row, identity, found, circumstances);
  const loss = lossNotice(row, end, circumstances.now) ?? [];
  const notes = (found.notes ?? knownNotes(row)).concat(loss);
  const documents = [...(reading?.documents ?? []), ...(descriptions?.documents ?? [])];
  return {
    change: {
      before: row,
      end,
      isDescribed: descriptions?.source !== undefined,
      logs,
      observed: decided,
      documents: isRead ? documents : [],
      unnamed: isRead ? unnamedDocuments(facts) : [],
      reported: found.reported,
    },
    result: resultOf(facts, { ...found, notes }, observed, end),
  };
}

/** What a check found in a source. */
interface Found {
  /** Changes in new entries. */
  readonly reported: number;
  /** What the site is called that publishes no documents which say so. */
  readonly title: string | undefined;
  readonly redated: Redated | undefined;
  readonly loss: Loss;
  /** For its author; `undefined` if the known ones stay. */
  readonly notes: readonly string[] | undefined;
  /** Every document is as remembered. */
  readonly isUnchanged: boolean;
  /** Lists wait that were never read. */
  readonly isUnread: boolean;
  /** There is more to compare. */
  readonly hasMore: boolean;
  readonly hasChangeList: boolean;
}

/** A source's row after a check. */
function rowAfter(
  check: Check,
  row: SourceRow,
  identity: Exclude<SourceIdentity, { readonly kind: "merged" }>,
  found: Found,
  circumstances: Circumstances,
): SourceRow {
  const { facts } = check;
  const { reported, redated, loss, notes, hasChangeList } = found;
  const { now } = circumstances;
  const doing = conditionSince(row, findingOf(row, facts), now, facts.besides);
  const isSilent = isUnfollowed(doing.condition);
  const isAsBefore = facts.error === undefined || (isSilent && isUnfollowed(row.condition));
  const isUneventful = isAsBefore && found.isUnchanged && reported === 0;
  const isBlocked = identity.kind === "blocked";
  const { title } = found;
  const description =
    facts.descriptions?.source ?? (title === undefined ? undefined : { authors: [], title });
  return {
    ...row,
    last_change: reported > 0 ? now : row.last_change,
    notice: redated?.notice ?? lossNotice(row, loss, now) ?? row.notice,
    ...loss,
    notes: notes === undefined ? row.notes : JSON.stringify(notes),
    description: description ? JSON.stringify(description) : row.description,
    searched_at: facts.searchedAt ?? row.searched_at,
    checks_without_news: isUneventful ? row.checks_without_news + 1 : 0,
    checks_kept: row.checks_kept + (isUneventful ? 0 : 1),
    ...(isBlocked ? { host: identity.host } : identity.address),
    ...scheduleAfter(check, row, { ...found, isBlocked, isSilent }, circumstances),
    ...doing,
    ...followedAfter(row, facts, hasChangeList),
  };
}

function resultOf(
  facts: Check["facts"],
  { reported, redated, notes, isUnchanged, isUnread, hasMore }: Found & Pick<Outcome, "notes">,
  observed: Observed | undefined,
  { next_check, condition }: SourceRow,
): CheckResult {
  const { error, reading, remembered } = facts;
  const outcome: Outcome = {
    condition,
    reported,
    notes: observed ? [...notes, ...observed.notes] : notes,
    ...(redated && { redated }),
    ...(observed && { compared: { awaitsConfirmation: observed.awaitsConfirmation } }),
  };
  if (error !== undefined) {
    return { kind: "failed", error, ...outcome, nextCheck: next_check ?? undefined };
  }
  const isFirstReading = reading?.documents.some(({ url }) => !remembered.has(url)) ?? false;
  return {
    kind: "checked",
    ...outcome,
    isUnchanged,
    hasUnread: isUnread || hasMore,
    isFruitful: reported > 0 || hasMore || isFirstReading,
    nextCheck: next_check ?? 0,
  };
}

/**
 * By what a source is followed: a sitemap too that cannot be read now. Of one that is followed by what it publishes, nothing is
 * said of its feed.
 */
function followedAfter(
  { followed_by, own_feed }: SourceRow,
  { besides, observation }: Check["facts"],
  hasChangeList: boolean,
): Pick<SourceRow, "followed_by" | "own_feed"> {
  if (hasChangeList) return { followed_by: "log", own_feed: null };
  if (observation !== undefined) return { followed_by: "sitemap", own_feed: null };
  return {
    followed_by: followed_by === "sitemap" ? followed_by : null,
    own_feed: besides === undefined ? own_feed : (besides.feed ?? null),
  };
}

/** Said again while they hold: what they are about is not read again before it changes. */
function knownNotes({ notes }: SourceRow): readonly string[] {
  return notes === null ? [] : JSON.parse(notes);
}

/** Nothing counts of a host that the operator has blocked. */
function blocked(facts: Check["facts"], host: string): Check["facts"] {
  const nothing = { reading: undefined, descriptions: undefined, observation: undefined };
  return { ...facts, ...nothing, error: blockedError(host) };
}

function lost({ source }: Check): CheckResult {
  const error = lostLeaseError(source.address ?? "");
  const { condition } = source;
  return { kind: "failed", error, condition, reported: 0, notes: [], nextCheck: undefined };
}

/** Another worker has the source now: nothing of this check is recorded. */
function lostLeaseError(address: string): HarvestError {
  return new HarvestError({
    code: "LOST_LEASE",
    problem:
      `Nothing is kept of this check of ${address}: it took too long, and the source was given to ` +
      "another one, or is not followed any more.",
  });
}
