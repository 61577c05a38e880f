import { formatDatetime, groupBy, urlKey } from "@rs-emit/documents";
import { CAPABILITY_LIST, CHANGE_DUMP, changePackageName, GENERATOR } from "../model/layout.ts";
import { type Change, type ChangeInterval, inLogOrder } from "../model/log.ts";
import { CHANGE_LIST_PREFIXES, changeToEntry } from "../model/log-attributes.ts";
import type { CollectionWork } from "../model/plan.ts";
import { type ChangePackage, newestChanges } from "../model/publication.ts";
import { DumpList, type DumpTools } from "./dump-list.ts";
import { type PackedEntry, packagesOf, pathInPackage, withPath } from "./package.ts";
import type { PackedPageFiles } from "./packed-files.ts";

interface StagedChangeDump {
  readonly isThere: boolean;
  /** Published packages that are missing or broken. */
  readonly lost: readonly string[];
}

interface PublishedGroup extends ChangeInterval {
  readonly packages: readonly ChangePackage[];
}

interface NextDump {
  readonly kept: readonly PublishedGroup[];
  /** Absent where the last publication has no changes, or its packages are kept. */
  readonly own: (ChangeInterval & { readonly entries: readonly PackedEntry[] }) | undefined;
}

/**
 * Of the last publications (ResourceSync 1.1, section 13), without a gap up to the log's last change. Older
 * packages are copied, the newest is made from the pages.
 */
export async function stageChangeDump(
  work: CollectionWork,
  most: number,
  tools: DumpTools,
): Promise<StagedChangeDump> {
  const { collection } = work;
  const { kept, broken } = await keptGroups(work, most, tools);
  const next = await nextDump(work, kept, most, tools);
  const from = (next?.kept[0] ?? next?.own)?.from;
  if (next === undefined || from === undefined) return { isThere: false, lost: broken };
  const links = [{ rel: "up", href: collection.url + CAPABILITY_LIST }];
  const head = { root: "urlset", comments: [GENERATOR], links } as const;
  const list = new DumpList(
    { ...head, metadata: { capability: "changedump", from: formatDatetime(from) } },
    { collection, name: CHANGE_DUMP },
    tools,
  );
  for (const one of next.kept.flatMap(({ packages }) => packages)) {
    list.keep(one.name, one, intervalOf(one));
  }
  if (next.own !== undefined) {
    const { from, until, entries } = next.own;
    // All changes have one time. As with lists, each part begins where the previous part ends.
    const interval = (part: number) => intervalOf({ from: part === 1 ? from : until, until });
    const packages = packagesOf(
      (part) => ({ ...head, metadata: { capability: "changedump-manifest", ...interval(part) } }),
      entries,
      CHANGE_LIST_PREFIXES,
      tools.limits,
    );
    for (const one of packages) {
      list.put(changePackageName(until, one.number), one, interval(one.number));
    }
  }
  return { isThere: list.finish(), lost: broken.filter((name) => !list.names.has(name)) };
}

function intervalOf({ from, until }: ChangeInterval) {
  return { from: formatDatetime(from), until: formatDatetime(until) };
}

/** Whether the log has later changes is not checked. */
async function keptGroups(
  { published, derived }: CollectionWork,
  most: number,
  { last, site }: DumpTools,
): Promise<{ readonly kept: readonly PublishedGroup[]; readonly broken: readonly string[] }> {
  const kept: PublishedGroup[] = [];
  const broken: string[] = [];
  // The manifests of a site that has moved have its old URLs.
  const { changeDump, time = 0 } = last?.base === site ? (published ?? {}) : {};
  if (changeDump === undefined) return { kept, broken };
  // An interrupted deploy may have brought packages of changes that are in no list.
  const groups = groupsIn(await changeDump.packages()).filter(({ until }) => until <= time);
  let end: number | undefined;
  for (const group of newest(groups, derived.changes.length > 0 ? most - 1 : most).toReversed()) {
    if (end !== undefined && group.until !== end) break;
    const missing: string[] = [];
    for (const one of group.packages) if (!(await changeDump.has(one))) missing.push(one.name);
    broken.push(...missing);
    if (missing.length === 0) kept.unshift(group);
    else if (end !== undefined || group.until !== time) break;
    end = group.from;
  }
  return { kept, broken };
}

function groupsIn(packages: readonly ChangePackage[]): readonly PublishedGroup[] {
  return [...groupBy(packages, ({ until }) => until)].map(([until, parts]) => ({
    from: Math.min(...parts.map(({ from }) => from)),
    until,
    packages: parts,
  }));
}

function newest<Item>(items: readonly Item[], count: number): readonly Item[] {
  return items.slice(Math.max(0, items.length - count));
}

/** @returns `undefined` where a change of the log would be in no package */
async function nextDump(
  work: CollectionWork,
  kept: readonly PublishedGroup[],
  most: number,
  { files }: DumpTools,
): Promise<NextDump | undefined> {
  const { previous, time } = work;
  const since = kept.at(-1)?.until ?? previous;
  if (since === undefined) return undefined;
  const newer = await changesSince(work, since);
  if (newer.length === 0) return { kept, own: undefined };
  const changes = newer.filter(({ datetime }) => datetime === time);
  const entries = packedChanges(changes, work, files);
  if (changes.length === 0 || entries === undefined) return undefined;
  // The packages of earlier changes are lost, or a killed run did not write them.
  const gap = newer.findLast(({ datetime }) => datetime < time)?.datetime;
  const own = { from: gap ?? since, until: time, entries };
  return { kept: gap === undefined ? newest(kept, most - 1) : [], own };
}

async function changesSince(
  { published, derived }: CollectionWork,
  since: number,
): Promise<readonly Change[]> {
  const pieces: (readonly Change[])[] = [];
  for await (const piece of newestChanges(published?.log, derived.changes)) {
    const newer = piece.filter(({ datetime }) => datetime > since);
    pieces.push(newer);
    if (newer.length < piece.length) break;
  }
  return pieces.flat().sort(inLogOrder);
}

/** @returns `undefined` where the bytes of a change are gone */
function packedChanges(
  changes: readonly Change[],
  { derived }: CollectionWork,
  files: PackedPageFiles,
): readonly PackedEntry[] | undefined {
  const snapshot = new Map(derived.snapshot.map((entry) => [urlKey(entry.url), entry]));
  const entries: PackedEntry[] = [];
  for (const change of changes) {
    const entry = changeToEntry(change);
    if (change.kind === "deleted") {
      entries.push({ entry, packed: undefined });
      continue;
    }
    const resource = snapshot.get(urlKey(change.url));
    const found = resource && files.fileOf(resource);
    if (found?.hash === undefined || found.hash !== change.hash) return undefined;
    const packed = { ...found, name: pathInPackage("changes", found.file) };
    entries.push({ entry: withPath(entry, packed), packed });
  }
  return entries;
}
