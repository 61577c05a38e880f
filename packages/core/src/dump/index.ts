export { PackedPageFiles, refuseOnDemand } from "./packed-files.ts";
export { stageDumps } from "./stage.ts";
