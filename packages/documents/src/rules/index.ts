import type { RuleSummary } from "./finding.ts";
import { DOCUMENT_SCOPE } from "./judge.ts";
import { SET_SCOPE } from "./set/judge-set.ts";

export {
  FINDINGS_PER_RULE,
  type Finding,
  type Profile,
  type RuleSummary,
  type Severity,
} from "./finding.ts";
export { type JudgeContext, type Judgement, judge, judgeDocument } from "./judge.ts";
export { type JudgeSetOptions, judgeDocuments } from "./set/judge-set.ts";

/** Every rule there is: those for single documents, then those for documents together. */
export const RULES: readonly RuleSummary[] = [...DOCUMENT_SCOPE, ...SET_SCOPE].map(
  ({ id, severity, source, profiles }) => ({ id, severity, source, profiles }),
);
