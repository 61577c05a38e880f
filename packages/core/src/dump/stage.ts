import type { CollectionWork } from "../derive/plan.ts";
import type { DumpCapability } from "../model/layout.ts";
import type { Note } from "../model/note.ts";
import type { DumpSettings } from "../model/settings.ts";
import { lostPackagesNote } from "../report/dump-notes.ts";
import { stageChangeDump } from "./change-dump.ts";
import type { DumpTools } from "./dump-list.ts";
import { stageResourceDump } from "./resource-dump.ts";

export interface StagedDumps {
  /** For the Capability List. */
  readonly capabilities: readonly DumpCapability[];
  readonly notes: readonly Note[];
}

/** Writes a collection's packages beside their places, and adds them and their lists. */
export async function stageDumps(
  work: CollectionWork,
  { changes }: DumpSettings,
  tools: DumpTools,
): Promise<StagedDumps> {
  const capabilities: DumpCapability[] = [];
  if (stageResourceDump(work, tools)) capabilities.push("resourcedump");
  if (changes === 0) return { capabilities, notes: [] };
  const { isThere, lost } = await stageChangeDump(work, changes, tools);
  if (isThere) capabilities.push("changedump");
  return { capabilities, notes: lostPackagesNote(work.collection, lost) };
}
