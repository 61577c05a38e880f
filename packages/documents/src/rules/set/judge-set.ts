import type { ParsedDocument } from "../../model.ts";
import { type Finding, Findings, PROFILES, type Profile } from "../finding.ts";
import { judgeDocument } from "../judge.ts";
import { IFCC_SET_RULES } from "./ifcc.ts";
import { INDEX_RULES } from "./indexes.ts";
import { LinkedSet, type SetRule } from "./linked.ts";
import { LOG_RULES } from "./log.ts";
import { NAVIGATION_RULES } from "./navigation.ts";
import { SEQUENCE_RULES } from "./notifications.ts";
import { REFERENCE_RULES } from "./references.ts";
import { SNAPSHOT_RULES } from "./snapshots.ts";

/** The rules for documents that link to each other. */
export const SET_SCOPE: readonly SetRule[] = [
  ...REFERENCE_RULES,
  ...NAVIGATION_RULES,
  ...INDEX_RULES,
  ...LOG_RULES,
  ...SNAPSHOT_RULES,
  ...SEQUENCE_RULES,
  ...IFCC_SET_RULES,
];

/** How a set of documents is judged. */
export interface JudgeSetOptions {
  /** The texts to judge by. All unless said. */
  readonly profile?: readonly Profile[];
  /** Whether the set is all of a publication, so that a link out of it is broken. True unless said. */
  readonly complete?: boolean;
}

/**
 * Judges documents that link to each other: each alone, then all together. The findings about one
 * document stand together, in the order of the documents. Time is linear in the entries.
 *
 * @param documents the documents by their URLs (a notification, which has none, by any unique name)
 */
export function judgeDocuments(
  documents: ReadonlyMap<string, ParsedDocument>,
  options: JudgeSetOptions = {},
): readonly Finding[] {
  const { profile = PROFILES, complete = true } = options;
  const set = new LinkedSet(documents, complete);
  const together = new Map(set.members.map((member) => [member, new Findings(member.url)]));
  for (const rule of SET_SCOPE) {
    if (!rule.profiles.some((asked) => profile.includes(asked))) continue;
    rule.check(set, (member, where, message) => together.get(member)?.add(rule, where, message));
  }
  return [...together].flatMap(([{ url, document }, findings]) => [
    ...judgeDocument(document, { url, profile }),
    ...findings.list(),
  ]);
}
