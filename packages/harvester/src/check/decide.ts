import type { RememberedDocument } from "../read/reading.ts";
import { BlockedError } from "../store/errors.ts";
import type { SourceEnd, SourceRow } from "../store/source.ts";
import type { ComparedLists } from "./compare-lists.ts";
import {
  type CollectionDecision,
  countReported,
  decideLists,
  decideLog,
} from "./decide-collections.ts";
import { LostLeaseError } from "./errors.ts";
import { type Check, hasNews, hasUnread, publishesChanges, unnamedDocuments } from "./facts.ts";
import type { Circumstances } from "./harvester.ts";
import type { Home } from "./home.ts";
import { scheduleAfter } from "./next-check.ts";
import { notesOn, notesOnWatch, redatedNotice } from "./notices.ts";
import type { Stored } from "./recall.ts";
import type { CheckResult } from "./result.ts";

/** What becomes of a source after a check, and what is said of it. */
export interface Decision {
  readonly result: CheckResult;
  /** It ends: another source is the same site. */
  readonly merge?: MergedSource;
  /** What is stored of it. */
  readonly change?: SourceChange;
}

export type MergedSource = Extract<Home, { readonly kind: "merged" }> & { readonly id: number };

/** All that is stored of a source after a check. */
export interface SourceChange {
  /** Its row as it was, and as it is from now on. */
  readonly before: SourceRow;
  readonly end: SourceEnd;
  /** Its feed describes it in another way. */
  readonly isDescribed: boolean;
  readonly collections: readonly CollectionDecision[];
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
  home: Home | undefined,
  compared: ComparedLists | undefined,
  circumstances: Circumstances,
): Decision {
  if (stored === undefined || home === undefined) return { result: lost(check) };
  if (home.kind === "merged") {
    const { into } = home;
    return { result: { kind: "merged", into }, merge: { ...home, id: stored.source.id } };
  }
  const { now } = circumstances;
  const isBlocked = home.kind === "blocked";
  const facts = isBlocked ? blocked(check.facts, home.host) : check.facts;
  const { reading, descriptions, lists, error } = facts;
  const isNews = hasNews(facts);
  const surroundings = { ...stored, facts };
  const known = isNews ? stored.collections : [];
  const logs = known.map((one) => decideLog(one, surroundings, circumstances));
  const hasChangeList = publishesChanges(stored.source, facts);
  const ofLists = decideLists(compared, stored.compared, hasChangeList === true, circumstances);
  const collections = [...logs, ...ofLists];
  const told = countReported(collections);
  const redated = redatedNotice(logs, now);
  const notes = isNews && reading !== undefined ? notesOn(reading) : undefined;
  const hasMore = compared?.hasMore ?? false;
  const isUnchanged = (reading?.documents ?? []).length === 0 && compared?.isUnchanged !== false;
  const isQuiet = error === undefined && isUnchanged && told === 0;
  const { source: row } = stored;
  const end: SourceEnd = {
    ...row,
    ...(isBlocked ? { host: home.host } : home.address),
    ...scheduleAfter({ ...check, facts }, row, { hasMore, isBlocked }, circumstances),
    has_change_list: hasChangeList === undefined ? null : Number(hasChangeList),
    last_change: told > 0 ? now : row.last_change,
    notice: redated?.notice ?? row.notice,
    notes: notes === undefined ? row.notes : JSON.stringify(notes),
    description: descriptions?.source ? JSON.stringify(descriptions.source) : row.description,
    checks_without_news: isQuiet ? row.checks_without_news + 1 : 0,
    checks_kept: row.checks_kept + (isQuiet ? 0 : 1),
  };
  const said = {
    told,
    notes: [...(notes ?? []), ...(compared ? notesOnWatch(lists?.before, compared.watch) : [])],
    ...(redated && { redated }),
    ...(compared && {
      compared: { awaitsConfirmation: compared.watch?.awaits_confirmation === 1 },
    }),
  };
  const documents = [...(reading?.documents ?? []), ...(descriptions?.documents ?? [])];
  return {
    change: {
      before: row,
      end,
      isDescribed: descriptions?.source !== undefined,
      collections,
      documents: isNews ? documents : [],
      unnamed: isNews ? unnamedDocuments(facts) : [],
      reported: told,
    },
    result:
      error === undefined
        ? {
            kind: "checked",
            ...said,
            isUnchanged,
            hasUnread: hasUnread(facts) || hasMore,
            nextCheck: end.next_check ?? 0,
          }
        : { kind: "failed", error, ...said, nextCheck: end.next_check ?? undefined },
  };
}

/** Nothing counts of a host that the operator has blocked. */
function blocked(facts: Check["facts"], host: string): Check["facts"] {
  const nothing = { reading: undefined, descriptions: undefined, lists: undefined };
  return { ...facts, ...nothing, error: new BlockedError(host) };
}

function lost({ source }: Check): CheckResult {
  const error = new LostLeaseError(source.address ?? "");
  return { kind: "failed", error, told: 0, notes: [], nextCheck: undefined };
}
