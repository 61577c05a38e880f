export * from "./check.ts";
export { resourceSyncLinks } from "./discovery-links.ts";
export { bytesOf } from "./documents.ts";
export { unpacked, unpackedBeginning } from "./gzip.ts";
export { HOST_RULES, type HostRule } from "./host-rules.ts";
export type { Stop } from "./next-run.ts";
export {
  exitStatusOf,
  type Paint,
  type ReportFormat,
  writeReport,
} from "./report.ts";
export { rewriterOf, type Sample } from "./resources.ts";
export * from "./rules/index.ts";
export {
  commonAddress,
  liveSite,
  NoAnswerError,
  type Site,
  type SiteAnswer,
  uniqueAddress,
} from "./site.ts";
