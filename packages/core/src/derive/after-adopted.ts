import { existsSync } from "node:fs";
import { join } from "node:path";
import { urlKey } from "@rs-emit/documents";
import { type Change, inLogOrder } from "../model/log.ts";
import type { Inventory } from "../model/resources.ts";
import type { Settings } from "../model/settings.ts";
import { decodePath } from "../model/url.ts";
import type { AdoptedLog } from "../recall/adopted.ts";
import { refuseFuture } from "./publication-time.ts";

/**
 * The time of a publication that continues the logs of others: later than all that they tell.
 *
 * @param time what it would be without them, UTC seconds
 * @throws {ClockError} where they tell of more than a day in the future
 */
export function timeAfter(adopted: readonly AdoptedLog[], time: number, present: number): number {
  const newest = Math.max(0, ...adopted.map(endOf));
  refuseFuture("The newest change of the log that stands there is", newest, present);
  return Math.max(time, Math.floor(newest) + 1);
}

/**
 * What a first publication tells after the log of others: nothing of that log's time, and no page as
 * created that it knows. Pages that it knows and that are gone are deleted now.
 *
 * @param changes what history tells, in log order
 * @param time the publication's, UTC seconds
 */
export function changesAfter(
  adopted: AdoptedLog | undefined,
  changes: readonly Change[],
  settings: Pick<Settings, "folder" | "site">,
  inventory: Inventory,
  time: number,
): readonly Change[] {
  if (adopted === undefined) return changes;
  const standing = new Map<string, string>();
  for (const { url, kind } of adopted.changes) {
    if (kind === "deleted") standing.delete(urlKey(url));
    else standing.set(urlKey(url), url);
  }
  const known = new Set(standing.keys());
  const later: Change[] = [];
  for (const change of changes) {
    if (change.datetime <= endOf(adopted)) continue;
    const key = urlKey(change.url);
    const isKnown = known.has(key);
    later.push(isKnown && change.kind === "created" ? { ...change, kind: "updated" } : change);
    if (change.kind === "deleted") known.delete(key);
    else known.add(key);
  }
  const { resources, excluded, stale } = inventory;
  const here = new Set([...resources, ...excluded, ...stale].map(({ url }) => urlKey(url)));
  const told = new Set(later.map(({ url }) => urlKey(url)));
  for (const [key, url] of standing) {
    if (here.has(key) || told.has(key) || isFile(url, settings)) continue;
    later.push({ url, kind: "deleted", datetime: time, lastmod: time });
  }
  return later.sort(inLogOrder);
}

function endOf({ changes }: AdoptedLog): number {
  return changes.at(-1)?.datetime ?? 0;
}

/** Whether something stands at a URL that is no page of ours, such as an image. */
function isFile(url: string, { folder, site }: Pick<Settings, "folder" | "site">): boolean {
  const { pathname } = new URL(url);
  const path = decodePath(pathname.slice(new URL(site).pathname.length));
  return ["", ".html", "index.html", "/index.html"].some((end) => {
    const file = path + end;
    return file !== "" && !file.endsWith("/") && existsSync(join(folder, file));
  });
}
