export {
  type BackfillEnvironment,
  type BackfillResult,
  backfill,
} from "./backfill/backfill.ts";
export { BACKFILL_VARIABLE, handOver } from "./backfill/hand-over.ts";
export type { PastOptions } from "./backfill/options.ts";
export type { SkippedCommit } from "./backfill/progress-file.ts";
export type { Unlogged } from "./derive/plan.ts";
export { emit } from "./emit.ts";
export type { Environment, Progress } from "./environment.ts";
export { EmitError } from "./errors.ts";
export type {
  Change,
  ChangeKind,
  LeftOut,
  PageFile,
  Withheld,
  WithheldReason,
} from "./model.ts";
export type { Note } from "./notes.ts";
export type { CollectionOption, EmitOptions } from "./options.ts";
export { LOCK } from "./publish/lock.ts";
export type { PublishedDocument } from "./publish/staging.ts";
export type { CollectionResult, EmitResult } from "./result.ts";
