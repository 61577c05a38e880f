export type { BackfillEnvironment } from "../model/environment.ts";
export { type BackfillResult, backfill } from "./backfill.ts";
export type { SkippedCommit } from "./commits.ts";
export { PAST_FLAGS } from "./options.ts";
export type { PastOptions } from "./past-options.generated.ts";
