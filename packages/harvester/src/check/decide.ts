import { HarvestError, type RememberedDocument } from "@rs-emit/reader";
import { type ComparedLists, notesOnWatch } from "../sitemap-polling/index.ts";
import { blockedError } from "../store/errors.ts";
import type { Condition } from "../store/schema.ts";
import type { SourceRow } from "../store/source.ts";
import {
  type CollectionDecision,
  countReported,
  type DecidedCollection,
  decideLists,
  decideLog,
} from "./decide-collections.ts";
import { findingOf, standingAfter } from "./decide-condition.ts";
import { type Check, hasNews, hasUnread, publishesChanges, unnamedDocuments } from "./facts.ts";
import type { Circumstances } from "./harvester.ts";
import { notesOn, type Redated, redatedNotice } from "./notices.ts";
import type { Stored } from "./recall.ts";
import { scheduleAfter } from "./schedule.ts";
import type { SourceIdentity } from "./source-identity.ts";

/** A check that compared lists of pages. What followers should know is in its notes. */
export interface Compared {
  /** More than half of the pages are missing, and a person has to decide. */
  readonly awaitsConfirmation: boolean;
}

/** What is said of a check. */
interface Said {
  /** How the source does now. */
  readonly condition: Condition;
  /** Changes in new entries. */
  readonly told: number;
  /** For the source's author; present where lists were read. */
  readonly notes: readonly string[];
  readonly redated?: Redated;
  readonly compared?: Compared;
}

export type CheckResult =
  | (Said & {
      readonly kind: "checked";
      /** Every document is as remembered. */
      readonly isUnchanged: boolean;
      readonly hasUnread: boolean;
      /** It reported a change, or read a document for the first time. */
      readonly isFruitful: boolean;
      readonly nextCheck: number;
    })
  | (Said & {
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
  const isSilent = result.kind === "failed" && result.condition === "no-change-log";
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
  /** Of the lists that are compared. */
  readonly lists: CollectionDecision | undefined;
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
  home: SourceIdentity | undefined,
  compared: ComparedLists | undefined,
  circumstances: Circumstances,
): Decision {
  if (stored === undefined || home === undefined) return { result: lost(check) };
  if (home.kind === "merged") {
    const { into } = home;
    return { result: { kind: "merged", into }, merge: { ...home, id: stored.source.id } };
  }
  const isBlocked = home.kind === "blocked";
  const facts = isBlocked ? blocked(check.facts, home.host) : check.facts;
  const { reading, descriptions } = facts;
  const isNews = hasNews(facts);
  const surroundings = { ...stored, facts };
  const known = isNews ? stored.collections : [];
  const reported = new Set(stored.reported);
  const logs = known.map((one) => decideLog(one, reported, surroundings, circumstances));
  const hasChangeList = publishesChanges(stored.source, facts);
  const lists = decideLists(compared, stored.compared, hasChangeList === true, circumstances);
  const hasMore = compared?.hasMore ?? false;
  const found: Found = {
    reported: countReported(lists === undefined ? logs : [...logs, lists]),
    redated: redatedNotice(logs, circumstances.now),
    notes:
      isNews && reading !== undefined
        ? notesOn(stored.source, reading, circumstances.settings)
        : undefined,
    isUnchanged: (reading?.documents ?? []).length === 0 && compared?.isUnchanged !== false,
    hasUnread: hasUnread(facts) || hasMore,
    isFruitful:
      hasMore || (reading?.documents.some(({ url }) => !facts.remembered.has(url)) ?? false),
  };
  const row = stored.source;
  const standing = standingAfter(row, findingOf(row, facts), circumstances.now);
  const isSilent = standing.condition === "no-change-log";
  const end: SourceRow = {
    ...rowAfter(row, facts, { ...found, isSilent }, circumstances.now),
    ...(isBlocked ? { host: home.host } : home.address),
    ...scheduleAfter({ ...check, facts }, row, { hasMore, isBlocked, isSilent }, circumstances),
    has_change_list: hasChangeList === undefined ? null : Number(hasChangeList),
    ...standing,
    ...publishedAfter(row, facts, hasChangeList),
  };
  const documents = [...(reading?.documents ?? []), ...(descriptions?.documents ?? [])];
  return {
    change: {
      before: row,
      end,
      isDescribed: descriptions?.source !== undefined,
      logs,
      lists,
      documents: isNews ? documents : [],
      unnamed: isNews ? unnamedDocuments(facts) : [],
      reported: found.reported,
    },
    result: resultOf(facts, { ...found, notes: found.notes ?? knownNotes(row) }, compared, end),
  };
}

/** What a check found in a source. */
interface Found {
  /** Changes in new entries. */
  readonly reported: number;
  readonly redated: Redated | undefined;
  /** For its author; `undefined` if the known ones stay. */
  readonly notes: readonly string[] | undefined;
  /** Every document is as remembered. */
  readonly isUnchanged: boolean;
  readonly hasUnread: boolean;
  /** There is more to compare, or a document was read for the first time. */
  readonly isFruitful: boolean;
}

/** A source's row after a check, but for its address and its schedule. */
function rowAfter(
  row: SourceRow,
  { error, descriptions }: Check["facts"],
  { reported, redated, notes, isUnchanged, isSilent }: Found & { readonly isSilent: boolean },
  now: number,
): SourceRow {
  const isAsBefore = isSilent && row.condition === "no-change-log";
  const isUneventful = (error === undefined || isAsBefore) && isUnchanged && reported === 0;
  return {
    ...row,
    last_change: reported > 0 ? now : row.last_change,
    notice: redated?.notice ?? row.notice,
    notes: notes === undefined ? row.notes : JSON.stringify(notes),
    description: descriptions?.source ? JSON.stringify(descriptions.source) : row.description,
    checks_without_news: isUneventful ? row.checks_without_news + 1 : 0,
    checks_kept: row.checks_kept + (isUneventful ? 0 : 1),
  };
}

/** What a source publishes besides: nothing is said of one that is followed by what it publishes. */
function publishedAfter(
  { publishes, own_feed }: SourceRow,
  { besides, lists }: Check["facts"],
  hasChangeList: boolean | undefined,
): Pick<SourceRow, "publishes" | "own_feed"> {
  if (hasChangeList === true || lists !== undefined) return { publishes: null, own_feed: null };
  if (besides === undefined) return { publishes, own_feed };
  return { publishes: besides.publishes, own_feed: besides.feed ?? null };
}

/** Said again while they hold: what they are about is not read again before it changes. */
function knownNotes({ notes }: SourceRow): readonly string[] {
  return notes === null ? [] : JSON.parse(notes);
}

function resultOf(
  { error, lists }: Check["facts"],
  { reported: told, redated, notes = [], isUnchanged, hasUnread, isFruitful: isNew }: Found,
  compared: ComparedLists | undefined,
  { next_check: next, condition }: SourceRow,
): CheckResult {
  const watch = compared?.watch;
  const said = {
    condition,
    told,
    notes: compared === undefined ? notes : [...notes, ...notesOnWatch(lists?.before, watch)],
    ...(redated && { redated }),
    ...(compared && { compared: { awaitsConfirmation: watch?.awaits_confirmation === 1 } }),
  };
  const isFruitful = told > 0 || isNew;
  return error === undefined
    ? { kind: "checked", ...said, isUnchanged, hasUnread, isFruitful, nextCheck: next ?? 0 }
    : { kind: "failed", error, ...said, nextCheck: next ?? undefined };
}

/** Nothing counts of a host that the operator has blocked. */
function blocked(facts: Check["facts"], host: string): Check["facts"] {
  const nothing = { reading: undefined, descriptions: undefined, lists: undefined };
  return { ...facts, ...nothing, error: blockedError(host) };
}

function lost({ source }: Check): CheckResult {
  const error = lostLeaseError(source.address ?? "");
  const { condition } = source;
  return { kind: "failed", error, condition, told: 0, notes: [], nextCheck: undefined };
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
