export {
  type CheckRequest,
  type CheckResult,
  check,
  type PresentDocument,
} from "./check.ts";
export { bytesOf } from "./documents.ts";
export type { CheckFinding } from "./findings.ts";
export { unpacked, unpackedBeginning } from "./gzip.ts";
export { HOST_RULES, type HostRule, type HostRuleWords, type Level } from "./host-rules.ts";
export type { Stop } from "./next-run.ts";
export { resourceSyncLinks } from "./page-links.ts";
export {
  exitStatusOf,
  type Paint,
  REPORT_FORMATS,
  type ReportFormat,
  writeReport,
} from "./report.ts";
export { rewriterOf, type Sample } from "./resources.ts";
export * from "./rules/index.ts";
export {
  commonAddress,
  type Fetch,
  liveSite,
  NoAnswerError,
  type Redirect,
  type Site,
  type SiteAnswer,
  uniqueAddress,
} from "./site.ts";
