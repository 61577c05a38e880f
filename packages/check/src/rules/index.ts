import { DOCUMENT_SCOPE, SET_SCOPE } from "./judge.ts";
import { type RuleSummary, summaryOf } from "./rule.ts";

export {
  type JudgeContext,
  type Judgement,
  type JudgeSetOptions,
  judge,
  judgeDocument,
  judgeDocuments,
} from "./judge.ts";
export {
  FINDINGS_PER_RULE,
  type Finding,
  type Profile,
  type RuleSummary,
  type Severity,
} from "./rule.ts";

/** All rules: those for single documents, then those for documents together. */
export const RULES: readonly RuleSummary[] = [...DOCUMENT_SCOPE, ...SET_SCOPE].map(summaryOf);
