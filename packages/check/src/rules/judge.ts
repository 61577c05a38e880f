import {
  type Entry,
  type Head,
  kindOf,
  type ParsedDocument,
  spanOf,
  urlKey,
} from "@rs-emit/documents";
import { LOG_RULES, SEQUENCE_RULES, SNAPSHOT_RULES } from "./change-log.ts";
import { CHANGE_RULES, NOTIFICATION_RULES, TIMELINE_RULES } from "./changes.ts";
import { DESCRIPTION_RULES } from "./descriptions.ts";
import { DOCUMENT_RULES, ENTRY_RULES } from "./documents.ts";
import { DUMP_RULES } from "./dumps.ts";
import { FORM_RULES } from "./forms.ts";
import { IFCC_RULES, IFCC_SET_RULES } from "./ifcc-0001.ts";
import { INDEX_RULES } from "./indexes.ts";
import { LINK_RULES, RELATION_RULES } from "./links.ts";
import { PACKAGE_RULES } from "./packages.ts";
import { HOST_RULES, LinkedSet, type SetRule } from "./publication.ts";
import { NAVIGATION_RULES, REFERENCE_RULES } from "./references.ts";
import { TIME_RULES } from "./required-times.ts";
import {
  BOTH,
  type Finding,
  Findings,
  isAsked,
  type Profile,
  type ReportFinding,
  type Rule,
  type Subject,
} from "./rule.ts";
import { VALUE_RULES } from "./values.ts";

export const DOCUMENT_SCOPE: readonly Rule[] = [
  ...DOCUMENT_RULES,
  ...FORM_RULES,
  ...ENTRY_RULES,
  ...VALUE_RULES,
  ...TIME_RULES,
  ...LINK_RULES,
  ...RELATION_RULES,
  ...DESCRIPTION_RULES,
  ...CHANGE_RULES,
  ...TIMELINE_RULES,
  ...DUMP_RULES,
  ...NOTIFICATION_RULES,
  ...IFCC_RULES,
];

/** What is known of a document besides its content. */
export interface JudgeContext {
  /** The document's URL: findings contain it, and rules on its place need it. */
  readonly url?: string;
  /** Whether an index lists the document. Its own link `index` says so, too. */
  readonly isGrouped?: boolean;
  /** UTC seconds. Later times are in the future; without it no time is. */
  readonly now?: number;
  /** The specifications to judge by; by default all. */
  readonly profile?: readonly Profile[];
}

export interface Judgement {
  /** Judges the next entry, in the document's order. The entry is not kept. */
  entry(entry: Entry): void;
  /** All findings in order. Call it once, after the last entry. */
  end(): readonly Finding[];
}

/**
 * Judges a document that is read as a stream, in linear time and limited memory.
 * @param head complete: an `rs:md` or `rs:ln` after entries is not judged
 */
export function judge(head: Head, context: JudgeContext = {}): Judgement {
  const subject = subjectOf(head, context);
  const findings = new Findings(context.url);
  const rules = rulesFor(subject, context.profile ?? BOTH);
  let count = 0;
  let place = "";
  const reporting = rules.map((rule) => {
    const report: ReportFinding = (where, what) => findings.add(rule, place + where, what);
    return { rule, report };
  });
  for (const { rule, report } of reporting) rule.head?.(subject, report);
  const entryChecks = reporting.filter(({ rule }) => rule.entry !== undefined);
  const series = reporting.flatMap(({ rule, report }) => rule.series?.(subject, report) ?? []);
  return {
    entry(entry) {
      count += 1;
      place = `entry ${count}, `;
      for (const { rule, report } of entryChecks) rule.entry?.(entry, subject, report);
      for (const check of series) check.entry(entry);
    },
    end() {
      place = "";
      for (const check of series) check.end?.();
      return findings.list();
    },
  };
}

/** Judges one document by the specification and by IFCC-0001, in linear time. */
export function judgeDocument(
  document: ParsedDocument,
  context: JudgeContext = {},
): readonly Finding[] {
  const judgement = judge(document, context);
  for (const entry of document.entries) judgement.entry(entry);
  return judgement.end();
}

function subjectOf(head: Head, { url, isGrouped = false, now }: JudgeContext): Subject {
  const { at, completed, from, until } = head.metadata;
  const times = {
    at: spanOf(at),
    completed: spanOf(completed),
    from: spanOf(from),
    until: spanOf(until),
  };
  const kind = kindOf(head.root, head.metadata.capability);
  return { head, kind, url, isGrouped: isGrouped || hasLink(head, "index"), now, times };
}

function hasLink({ links }: Head, relation: string): boolean {
  return links.some(({ rel }) => rel === relation);
}

function rulesFor({ kind }: Subject, profiles: readonly Profile[]): readonly Rule[] {
  return DOCUMENT_SCOPE.filter(
    (rule) =>
      isAsked(rule, profiles) &&
      (rule.kinds === undefined || (kind !== undefined && rule.kinds.includes(kind))),
  );
}

export const SET_SCOPE: readonly SetRule[] = [
  ...REFERENCE_RULES,
  ...NAVIGATION_RULES,
  ...INDEX_RULES,
  ...LOG_RULES,
  ...HOST_RULES,
  ...PACKAGE_RULES,
  ...SNAPSHOT_RULES,
  ...SEQUENCE_RULES,
  ...IFCC_SET_RULES,
];

export interface JudgeSetOptions {
  /** The specifications to judge by; by default all. */
  readonly profile?: readonly Profile[];
  /** Whether the set is a whole publication, so that links to other documents are broken. By default true. */
  readonly complete?: boolean;
  /** UTC seconds. Later times are in the future; without it no time is. */
  readonly now?: number;
}

/**
 * Judges documents that link to each other: each alone, then all together, in linear time.
 * @param documents by URL (a notification, which has none, by any unique name)
 */
export function judgeDocuments(
  documents: ReadonlyMap<string, ParsedDocument>,
  options: JudgeSetOptions = {},
): readonly Finding[] {
  const { profile = BOTH, complete = true, now } = options;
  const context = now === undefined ? { profile } : { profile, now };
  const set = new LinkedSet(documents, complete);
  const together = new Map(set.members.map((member) => [member, new Findings(member.url)]));
  for (const rule of SET_SCOPE) {
    if (!isAsked(rule, profile)) continue;
    rule.check(set, (member, where, what) => together.get(member)?.add(rule, where, what));
  }
  const descriptions = set.ofKind("source-description-index");
  const grouped = new Set(
    descriptions.flatMap(({ document }) => document.entries.map(({ loc }) => urlKey(loc))),
  );
  return [...together].flatMap(([{ url, document }, findings]) => {
    const isGrouped = grouped.has(urlKey(url));
    return [...judgeDocument(document, { ...context, url, isGrouped }), ...findings.list()];
  });
}
