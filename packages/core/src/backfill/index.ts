export type { BackfillEnvironment } from "../model/environment.ts";
export { type BackfillResult, backfill } from "./backfill.ts";
export { PAST_FLAGS } from "./options.ts";
export type { SkippedCommit } from "./past-commit.ts";
export type { PastOptions } from "./past-options.ts";
