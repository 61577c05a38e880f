import { existsSync } from "node:fs";
import { join } from "node:path";
import { urlKey } from "@rs-emit/documents";
import { type Change, inLogOrder } from "../model/log.ts";
import type { ImportedLog } from "../model/publication.ts";
import type { Inventory } from "../model/resources.ts";
import { decodePath, INDEX_FILES } from "../model/url.ts";
import type { Settings } from "../options/settings.ts";
import { refuseFuture } from "./publication-time.ts";

/** @throws {EmitError} `CLOCK` when the imported logs have changes more than a day in the future */
export function timeAfter(imported: readonly ImportedLog[], time: number, present: number): number {
  const newest = Math.max(0, ...imported.map(endOf));
  refuseFuture("The newest change of the existing log is", newest, present);
  return Math.max(time, Math.floor(newest) + 1);
}

/**
 * Pages in the imported log are updated, not created, and deleted now if they no longer exist.
 * @param changes from history, in log order
 */
export function changesAfter(
  imported: ImportedLog | undefined,
  changes: readonly Change[],
  settings: Pick<Settings, "folder" | "site">,
  inventory: Inventory,
  time: number,
): readonly Change[] {
  if (imported === undefined) return changes;
  const existing = new Map<string, string>();
  for (const { url, kind } of imported.changes) {
    if (kind === "deleted") existing.delete(urlKey(url));
    else existing.set(urlKey(url), url);
  }
  const known = new Set(existing.keys());
  const later: Change[] = [];
  for (const change of changes) {
    if (change.datetime <= endOf(imported)) continue;
    const key = urlKey(change.url);
    const isKnown = known.has(key);
    later.push(isKnown && change.kind === "created" ? { ...change, kind: "updated" } : change);
    if (change.kind === "deleted") known.delete(key);
    else known.add(key);
  }
  const { resources, excluded, stale } = inventory;
  const here = new Set([...resources, ...excluded, ...stale].map(({ url }) => urlKey(url)));
  const reported = new Set(later.map(({ url }) => urlKey(url)));
  for (const [key, url] of existing) {
    if (here.has(key) || reported.has(key) || isFile(url, settings)) continue;
    later.push({ url, kind: "deleted", datetime: time, lastmod: time });
  }
  return later.sort(inLogOrder);
}

function endOf({ changes }: ImportedLog): number {
  return changes.at(-1)?.datetime ?? 0;
}

/** Whether the URL is a file that is no page, such as an image. */
function isFile(url: string, { folder, site }: Pick<Settings, "folder" | "site">): boolean {
  const { pathname } = new URL(url);
  const path = decodePath(pathname.slice(new URL(site).pathname.length));
  return ["", ".html", ...INDEX_FILES, ...INDEX_FILES.map((index) => `/${index}`)].some((end) => {
    const file = path + end;
    return file !== "" && !file.endsWith("/") && existsSync(join(folder, file));
  });
}
