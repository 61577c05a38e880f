import type { DumpCapability } from "../model/layout.ts";
import type { CollectionWork } from "../model/plan.ts";
import type { DumpSettings } from "../options/settings.ts";
import { stageChangeDump } from "./change-dump.ts";
import type { DumpTools } from "./dump-list.ts";
import { stageResourceDump } from "./resource-dump.ts";

interface StagedDumps {
  readonly capabilities: readonly DumpCapability[];
  readonly lost: readonly string[];
}

/** Writes a collection's packages to temporary files, and adds them and their lists. */
export async function stageDumps(
  work: CollectionWork,
  { changes }: DumpSettings,
  tools: DumpTools,
): Promise<StagedDumps> {
  const capabilities: DumpCapability[] = [];
  if (stageResourceDump(work, tools)) capabilities.push("resourcedump");
  if (changes === 0) return { capabilities, lost: [] };
  const { isThere, lost } = await stageChangeDump(work, changes, tools);
  if (isThere) capabilities.push("changedump");
  return { capabilities, lost };
}
