export type { Stop } from "./check.ts";
export * from "./check.ts";
export { resourceSyncLinks } from "./discovery-links.ts";
export { HOST_RULES, type HostRule } from "./host-rules.ts";
export {
  exitStatusOf,
  type Paint,
  type ReportFormat,
  writeReport,
} from "./report.ts";
export { rewriterOf, type Sample } from "./resources.ts";
export * from "./rules/index.ts";
export { bytesOf } from "./served-documents.ts";
export {
  commonAddress,
  liveSite,
  NoAnswerError,
  type Site,
  type SiteAnswer,
  uniqueAddress,
  unpacked,
  unpackedBeginning,
} from "./site.ts";
