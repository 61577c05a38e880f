export type { ChangeKind } from "@rs-emit/documents";
export { type BackfillResult, backfill } from "./backfill/backfill.ts";
export { BACKFILL_VARIABLE, handOver } from "./backfill/hand-over.ts";
export type { SkippedCommit } from "./backfill/past-commit.ts";
export type { PastOptions } from "./backfill/past-options.ts";
export type { Unlogged } from "./derive/plan.ts";
export { emit } from "./emit.ts";
export type { CollectionOption, EmitOptions } from "./model/emit-options.ts";
export type { BackfillEnvironment, Environment, Progress } from "./model/environment.ts";
export { EmitError } from "./model/errors.ts";
export { beginsAsOurs } from "./model/layout.ts";
export type { Change } from "./model/log.ts";
export type { Note } from "./model/note.ts";
export type { ExcludedPage, ExclusionReason, PageFile, UnreadablePath } from "./model/resources.ts";
export { isTestAddress, parseSiteUrl, refuseTestAddress } from "./model/url.ts";
export type { Mention, Spell } from "./model/wording.ts";
export { fetchAgain } from "./recall/fetch-again.ts";
export {
  openPublished,
  type PublishedChange,
  type PublishedChanges,
} from "./recall/published-changes.ts";
export type { CollectionResult, EmitResult } from "./report/result.ts";
export { inCommitOrder } from "./write/commit-order.ts";
export { LOCK } from "./write/lock.ts";
export { publishedNotifications } from "./write/notification.ts";
export type { PublishedDocument } from "./write/staging.ts";
