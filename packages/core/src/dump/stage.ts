import type { CollectionWork } from "../derive/plan.ts";
import type { DumpLimits } from "../model/environment.ts";
import type { Staging } from "../write/staging.ts";
import type { PageFiles } from "./page-files.ts";
import { stageResourceDump } from "./resource-dump.ts";

export interface DumpTools {
  /** The output folder. */
  readonly folder: string;
  readonly files: PageFiles;
  readonly staging: Staging;
  readonly limits: Partial<DumpLimits> | undefined;
}

export type DumpCapability = "resourcedump" | "changedump";

/** @returns the dumps that the collection has, for its Capability List */
export function stageDumps(work: CollectionWork, tools: DumpTools): readonly DumpCapability[] {
  return stageResourceDump(work, tools) ? ["resourcedump"] : [];
}
