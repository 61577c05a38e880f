export type { SyncReport, SyncRequest } from "./run.ts";
export { sync } from "./sync.ts";
export { PARALLEL } from "./update.ts";
