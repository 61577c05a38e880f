export type { ChangeKind } from "@rs-emit/documents";
export { type ComparedFiles, compareFolders, haveSameContent } from "./compare/index.ts";
export { emit } from "./emit.ts";
export { BACKFILL_VARIABLE, handOver } from "./hand-over.ts";
export type { Environment, Progress } from "./model/environment.ts";
export { EmitError } from "./model/errors.ts";
export { isFolder, pathBelow } from "./model/file-system.ts";
export { beginsAsOurs, inCommitOrder } from "./model/layout.ts";
export type { Change, ChangeInterval } from "./model/log.ts";
export type { Unlogged } from "./model/plan.ts";
export type { ExcludedPage, ExclusionReason, PageFile, UnreadablePath } from "./model/resources.ts";
export type { Mention, Note, Spell } from "./model/sentence.ts";
export { isTestAddress, parseSiteUrl, refuseTestAddress } from "./model/site-address.ts";
export { stopOfNextRun } from "./next-run.ts";
export type { CollectionOption, EmitOptions } from "./options/emit-options.generated.ts";
export { type OptionReading, readOptions } from "./options/option-reading.ts";
export { askHost, type HostAnswer, isBusy, never, reasonOfSilence } from "./recall/ask-host.ts";
export * from "./recall/published-changes.ts";
export type { CollectionResult, EmitResult } from "./report/result.ts";
export { LOCK, withLock } from "./write/lock.ts";
export { hasNoLogFile } from "./write/no-log-file.ts";
export { publishedNotifications } from "./write/notification.ts";
export {
  intervalToText,
  keepNotified,
  type Notified,
  readNotified,
  textToInterval,
  untold,
} from "./write/notified.ts";
export type { PublishedDocument } from "./write/staging.ts";
