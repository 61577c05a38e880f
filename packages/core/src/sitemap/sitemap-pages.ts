import { join } from "node:path";
import { LONGEST_READ } from "../inventory/file-digest.ts";
import { bytesIfThere } from "../model/file-system.ts";
import type { Plan } from "../model/plan.ts";
import {
  type Inventory,
  ON_DEMAND,
  type PageFile,
  type SnapshotEntry,
} from "../model/resources.ts";
import { isForEngines } from "../model/search-engines.ts";
import { isXhtml } from "../page/placeholders/find-placeholders.ts";

/** A page for search engines (sitemaps.org 0.9). */
export interface SitemapPage {
  readonly url: string;
  readonly lastmod: number | undefined;
}

export type MayList = (url: string) => boolean;

/**
 * Ordered by URL. Pages of the logs have the time of their last change that is not minor. Others, outside
 * collections or made by a server, have no time.
 */
export async function sitemapPages(
  { collections }: Pick<Plan, "collections">,
  { excluded }: Pick<Inventory, "excluded">,
  folder: string,
  mayList: MayList,
): Promise<readonly SitemapPage[]> {
  const logged = collections
    .flatMap(({ derived }) => derived.snapshot)
    .filter((page) => isHtml(page) && isForEngines(page.url, page.engines))
    .map(({ url, content, changed }) => ({
      url,
      lastmod: content === ON_DEMAND || changed === "unknown" ? undefined : changed,
    }));
  const others = excluded.filter(({ reason }) => reason === "no-collection");
  return [...logged, ...(await withoutLog(folder, others))]
    .filter(({ url }) => mayList(url))
    .sort((one, other) => (one.url < other.url ? -1 : 1));
}

function isHtml({ content, type = "" }: SnapshotEntry): boolean {
  return content === ON_DEMAND || /html/.test(type);
}

/** Pages outside collections are not remembered, so each is read. */
async function withoutLog(
  folder: string,
  pages: readonly PageFile[],
): Promise<readonly SitemapPage[]> {
  if (pages.length === 0) return [];
  const { readPage } = await import("../page/read-page.ts");
  return pages.flatMap(({ url, file }) => {
    const bytes = bytesIfThere(join(folder, file))?.subarray(0, LONGEST_READ);
    const page = bytes && readPage(bytes, { url, xhtml: isXhtml(file) });
    const isListed = page?.excluded === undefined && isForEngines(url, page?.engines);
    return isListed ? [{ url, lastmod: undefined }] : [];
  });
}

/** @returns `undefined` for a page on demand, which has no file */
