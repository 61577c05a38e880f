import { formatDatetime } from "@rs-emit/documents";
import {
  CAPABILITY_LIST,
  type DumpCapability,
  GENERATOR,
  RESOURCE_DUMP,
  resourcePackageName,
} from "../model/layout.ts";
import { RESOURCE_LIST_PREFIXES, snapshotToEntry } from "../model/log-attributes.ts";
import type { CollectionWork } from "../model/plan.ts";
import type { SnapshotEntry } from "../model/resources.ts";
import type { DumpSettings } from "../options/settings.ts";
import { stageChangeDump } from "./change-dump.ts";
import { DumpList, type DumpTools } from "./dump-list.ts";
import { type PackedEntry, packagesOf, pathInPackage, withPath } from "./package.ts";
import type { PackedPageFiles } from "./packed-files.ts";

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

/**
 * ResourceSync 1.1, section 11. Packages stay unchanged while the Resource List does.
 * @returns whether there is a dump; none where a resource's bytes are missing
 */
function stageResourceDump(work: CollectionWork, tools: DumpTools): boolean {
  const { collection, derived, time } = work;
  const at = formatDatetime(time);
  const links = [{ rel: "up", href: collection.url + CAPABILITY_LIST }];
  const head = { root: "urlset", comments: [GENERATOR], links } as const;
  if (derived.snapshot.some((resource) => tools.files.fileOf(resource) === undefined)) return false;
  const packages = packagesOf(
    () => ({ ...head, metadata: { capability: "resourcedump-manifest", at } }),
    packedResources(derived.snapshot, tools.files),
    RESOURCE_LIST_PREFIXES,
    tools.limits,
  );
  const list = new DumpList(
    { ...head, metadata: { capability: "resourcedump", at } },
    { collection, name: RESOURCE_DUMP },
    tools,
  );
  for (const one of packages) list.put(resourcePackageName(one.number), one, { at });
  return list.finish();
}

/** One at a time: a large site has many. */
function* packedResources(
  snapshot: readonly SnapshotEntry[],
  files: PackedPageFiles,
): Generator<PackedEntry> {
  for (const resource of snapshot) {
    const found = files.fileOf(resource);
    if (found === undefined) continue;
    const packed = { ...found, name: pathInPackage("resources", found.file) };
    yield { entry: withPath(snapshotToEntry(resource), packed), packed };
  }
}
