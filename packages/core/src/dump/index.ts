export { PackedPageFiles, refuseOnDemand } from "./page-files.ts";
export { stageDumps } from "./stage.ts";
