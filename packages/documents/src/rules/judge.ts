import { kindOf } from "../kind.ts";
import type { Entry, Head, ParsedDocument } from "../model.ts";
import { CHANGE_RULES } from "./changes.ts";
import { DESCRIPTION_RULES } from "./descriptions.ts";
import { DOCUMENT_RULES } from "./documents.ts";
import { DUMP_RULES } from "./dumps.ts";
import { ENTRY_RULES } from "./entries.ts";
import { type Finding, Findings, PROFILES, type Profile } from "./finding.ts";
import { IFCC_RULES } from "./ifcc.ts";
import { LINK_RULES } from "./links.ts";
import { NOTIFICATION_RULES } from "./notifications.ts";
import { RELATION_RULES } from "./relations.ts";
import type { Report, Rule, Subject } from "./rule.ts";
import { spanOf } from "./span.ts";
import { TIMELINE_RULES } from "./timelines.ts";
import { TIME_RULES } from "./times.ts";
import { VALUE_RULES } from "./values.ts";

/** The rules for single documents. */
export const DOCUMENT_SCOPE: readonly Rule[] = [
  ...DOCUMENT_RULES,
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
  /** The document's URL: findings carry it, and rules on where it must be published need it. */
  readonly url?: string;
  /** The texts to judge by. All unless said. */
  readonly profile?: readonly Profile[];
}

/** A judgement of one document whose entries come one after another. */
export interface Judgement {
  /** Judges the next entry, in the document's order. The entry is not held. */
  entry(entry: Entry): void;
  /** What was found, first to last. Call it once, after the last entry. */
  end(): readonly Finding[];
}

/**
 * Begins to judge a document that is read as a stream: time is linear and memory bounded, however
 * many entries follow.
 *
 * @param head the whole head: an `rs:md` or `rs:ln` that follows later is not judged
 */
export function judge(head: Head, context: JudgeContext = {}): Judgement {
  const subject = subjectOf(head, context.url);
  const findings = new Findings(context.url);
  const rules = rulesFor(subject, context.profile ?? PROFILES);
  let count = 0;
  let place = "";
  const reporting = rules.map((rule) => {
    const report: Report = (where, message) => findings.add(rule, place + where, message);
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

/** Judges one document by the specification and by IFCC-0001. Time is linear in its entries. */
export function judgeDocument(
  document: ParsedDocument,
  context: JudgeContext = {},
): readonly Finding[] {
  const judgement = judge(document, context);
  for (const entry of document.entries) judgement.entry(entry);
  return judgement.end();
}

function subjectOf(head: Head, url: string | undefined): Subject {
  const { at, completed, from, until } = head.metadata;
  const times = {
    at: spanOf(at),
    completed: spanOf(completed),
    from: spanOf(from),
    until: spanOf(until),
  };
  return { head, kind: kindOf(head.root, head.metadata.capability), url, times };
}

function rulesFor({ kind }: Subject, profiles: readonly Profile[]): readonly Rule[] {
  return DOCUMENT_SCOPE.filter(
    (rule) =>
      rule.profiles.some((profile) => profiles.includes(profile)) &&
      (rule.kinds === undefined || (kind !== undefined && rule.kinds.includes(kind))),
  );
}
